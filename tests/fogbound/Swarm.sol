// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface ISandbox {
    function open(bytes calldata parameters, uint8 seats, uint8 control, address opponent) external payable;

    function join(uint256 id) external payable;
}

/// @title One account that opens, or joins, many games in one transaction
contract Swarm {
    function openMany(ISandbox table, uint256 count, address opponent) external {
        for (uint256 game = 0; game < count; game++) table.open("", 2, 0, opponent);
    }

    function joinMany(ISandbox table, uint256 first, uint256 count) external {
        for (uint256 id = first; id < first + count; id++) table.join(id);
    }
}
