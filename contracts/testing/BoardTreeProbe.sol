// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BoardTree} from "../battleship/BoardTree.sol";
import {Placement} from "../battleship/Placement.sol";

/// @title Battleship's hashing, laid open for vectors
contract BoardTreeProbe {
    function gameKey(address player, uint256 nonce, uint256 size) external view returns (bytes32) {
        return BoardTree.gameKey(player, nonce, size);
    }

    function depthOf(uint256 size) external pure returns (uint256) {
        return BoardTree.depthOf(size * size);
    }

    function rootFrom(
        bytes32 key,
        uint256 cell,
        bool isShip,
        bytes32 salt,
        bytes32[] calldata proof
    ) external pure returns (bytes32) {
        return BoardTree.rootFrom(key, cell, isShip, salt, proof);
    }

    function rootOf(
        bytes32 key,
        bytes32 seed,
        bytes16 placement,
        uint256 size
    ) external pure returns (bytes32 root, bool legal) {
        Placement.Layout memory layout = Placement.layOut(placement, size);
        return (
            BoardTree.rootOf(key, keccak256(abi.encodePacked(seed, placement)), layout.owners),
            layout.legal
        );
    }

    function fleetCells(uint256 size) external pure returns (uint256) {
        return Placement.fleetCells(size);
    }
}
