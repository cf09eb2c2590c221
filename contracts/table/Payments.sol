// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ITable} from "./ITable.sol";

/// @title Money out of the contract: pushed, else credited; and the pool
abstract contract Payments is ITable {
    /// @dev Enough for a smart account that logs what it receives, little enough to be no burden.
    ///      A caller cannot starve a push to force a credit: 1/64 of so little gas pays no storage.
    uint256 private constant PUSH_GAS = 30_000;

    address public immutable poolOwner;
    uint256 public pool;
    mapping(address account => uint256) public creditOf;

    constructor(address poolOwner_) {
        poolOwner = poolOwner_;
    }

    function withdraw(address to) external {
        uint256 amount = creditOf[msg.sender];
        require(amount != 0, Table_NothingToWithdraw(msg.sender));
        creditOf[msg.sender] = 0;
        emit Withdrawn(msg.sender, to, amount);
        require(_send(to, amount, gasleft()), Table_PaymentRefused(to, amount));
    }

    function withdrawPool(address to) external {
        require(msg.sender == poolOwner, Table_NotPoolOwner(msg.sender, poolOwner));
        uint256 amount = pool;
        require(amount != 0, Table_NothingToWithdraw(msg.sender));
        pool = 0;
        emit PoolWithdrawn(to, amount);
        require(_send(to, amount, gasleft()), Table_PaymentRefused(to, amount));
    }

    /// @dev An interaction: call it last.
    function _pay(uint256 id, address account, uint256 amount) internal {
        if (amount == 0 || _send(account, amount, PUSH_GAS)) return;
        creditOf[account] += amount;
        emit PaymentCredited(id, account, amount);
    }

    /// @dev Copies no return data: a receiver could make that dear.
    function _send(address to, uint256 amount, uint256 gasLimit) internal returns (bool success) {
        assembly ("memory-safe") {
            success := call(gasLimit, to, amount, 0, 0, 0, 0)
        }
    }
}
