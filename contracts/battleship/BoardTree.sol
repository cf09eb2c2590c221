// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The Merkle tree over a board's cells
/// @notice Fixed depth, zero words as padding, and the index decides left and right: a proof opens one
///         index only. (A verifier of sorted pairs would let a padding slot hold a second, opposite leaf
///         for a cell.)
library BoardTree {
    bytes32 private constant DOMAIN = keccak256("Fogbound Battleship");

    /// @notice What binds a commitment to chain, contract, player, their nonce, and size.
    function gameKey(address player, uint256 nonce, uint256 size) internal view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, block.chainid, address(this), player, nonce, size));
    }

    /// @notice Siblings in a proof: log2 of the number of cells, rounded up.
    function depthOf(uint256 cells) internal pure returns (uint256 depth) {
        while (1 << depth < cells) depth++;
    }

    /// @notice The root that an opened cell leads to.
    function rootFrom(
        bytes32 key,
        uint256 cell,
        bool isShip,
        bytes32 salt,
        bytes32[] calldata proof
    ) internal pure returns (bytes32 node) {
        node = keccak256(abi.encode(key, cell, isShip, salt));
        assembly ("memory-safe") {
            let sibling := proof.offset
            let end := add(sibling, shl(5, proof.length))
            for {} lt(sibling, end) {
                sibling := add(sibling, 32)
            } {
                let side := shl(5, and(cell, 1)) // where the node stands: 0 or 32
                mstore(side, node)
                mstore(xor(side, 32), calldataload(sibling))
                node := keccak256(0, 64)
                cell := shr(1, cell)
            }
        }
    }

    /// @notice The root of a whole board.
    /// @param isShip One byte a cell, not zero where a ship lies.
    function rootOf(bytes32 key, bytes32 boardKey, bytes memory isShip) internal pure returns (bytes32) {
        uint256 level = _leaves(key, boardKey, isShip);
        return _fold(level, isShip.length);
    }

    /// @dev All leaves, in fresh memory. Scratch space holds a salt's preimage; the leaf's preimage is
    ///      below the leaves, with only index, bit and salt changing.
    function _leaves(
        bytes32 key,
        bytes32 boardKey,
        bytes memory isShip
    ) private pure returns (uint256 level) {
        assembly ("memory-safe") {
            let preimage := mload(0x40)
            level := add(preimage, 128)
            let cells := mload(isShip)
            mstore(0x40, add(level, shl(5, add(cells, 1)))) // one word more: padding for the fold
            mstore(preimage, key)
            mstore(0, boardKey)
            let bit := add(preimage, 64)
            let place := level
            for {
                let cell := 0
            } lt(cell, cells) {
                cell := add(cell, 1)
            } {
                mstore(32, cell)
                mstore(add(preimage, 32), cell)
                mstore(bit, iszero(iszero(byte(0, mload(add(add(isShip, 32), cell))))))
                mstore(add(preimage, 96), keccak256(0, 64))
                mstore(place, keccak256(preimage, 128))
                place := add(place, 32)
            }
        }
    }

    /// @dev Level by level in place. Only a level's last node can lack a sibling: that is the root of an
    ///      empty subtree of the same height.
    function _fold(uint256 level, uint256 width) private pure returns (bytes32 root) {
        assembly ("memory-safe") {
            let padding := 0
            for {} gt(width, 1) {} {
                mstore(add(level, shl(5, width)), padding)
                width := shr(1, add(width, 1))
                let from := level
                let end := add(level, shl(5, width))
                for {
                    let to := level
                } lt(to, end) {
                    to := add(to, 32)
                } {
                    mstore(to, keccak256(from, 64))
                    from := add(from, 64)
                }
                mstore(0, padding)
                mstore(32, padding)
                padding := keccak256(0, 64)
            }
            root := mload(level)
        }
    }
}
