// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Spends all the gas that it is given
contract Burner {
    function burn() external view {
        while (gasleft() > 5_000) {}
    }
}
