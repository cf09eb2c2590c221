// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Contract accounts that anyone may steer
contract Puppet {
    /// @notice Call on, with the value; a revert comes back unchanged.
    function act(address target, bytes calldata data) external payable {
        (bool success, bytes memory answer) = target.call{value: msg.value}(data);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }

    receive() external payable virtual {}
}

/// @title Refuses all money, with a long answer
contract Refuser is Puppet {
    receive() external payable override {
        assembly {
            revert(0, 4096)
        }
    }
}

/// @title Burns all the gas that it is given
contract GasBurner is Puppet {
    receive() external payable override {
        assembly {
            invalid()
        }
    }
}

/// @title Calls back into the payer with what it was told, and remembers how that went
contract Reenterer is Puppet {
    address private _target;
    bytes private _data;
    uint256 public attempts;
    uint256 public successes;

    function prepare(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
        (attempts, successes) = (1, 1); // so that counting up is cheap
    }

    receive() external payable virtual override {
        _callBack();
    }

    function _callBack() internal {
        if (_target == address(0)) return;
        attempts++;
        (bool success, ) = _target.call(_data);
        if (success) successes++;
    }
}

/// @title Refuses what is pushed with little gas, and calls back where there is plenty, as in a withdrawal
contract Withdrawer is Reenterer {
    uint256 private constant PLENTY = 100_000;

    error Withdrawer_TooLittleGas();

    receive() external payable override {
        require(gasleft() > PLENTY, Withdrawer_TooLittleGas());
        _callBack();
    }
}

/// @title Forces its value upon an address
contract EtherForcer {
    constructor(address payable target) payable {
        selfdestruct(target);
    }
}
