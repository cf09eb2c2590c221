// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What a chain connection must cope with, in few lines.
contract Sample {
    event Noted(address indexed who, uint256 number);

    error Sample_TooLarge(uint256 given, uint256 limit);
    error Table_NotOnTurn(uint256 id, address account, uint8 onTurn);

    uint256 public total;

    function note(uint256 number) external payable {
        require(number < 100, Sample_TooLarge(number, 100));
        total += number;
        emit Noted(msg.sender, number);
    }

    function outOfTurn() external {
        total = 0;
        revert Table_NotOnTurn(7, msg.sender, 1);
    }

    function words() external pure {
        revert("in plain words");
    }
}
