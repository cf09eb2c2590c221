// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The hits at one board in order, each with what its owner said it sank
/// @notice 12 bits a hit: cell (9), kind said to be sunk (3). Misses need no place: the proofs have shown
///         them. `first` shares a slot with the nonce, so that a hit of a game of 10 x 10 writes no
///         slot of its own.
library HitLog {
    uint256 private constant WIDTH = 12;
    uint256 private constant IN_FIRST = 17;

    /// @dev Two slots. At most 28 hits.
    struct Log {
        uint208 first;
        uint40 nonce;
        uint8 honesty;
        uint256 rest;
    }

    /// @param count How many hits are logged already.
    function append(Log storage self, uint256 count, uint256 cell, uint256 sunk) internal {
        uint256 entry = (cell << 3) | sunk;
        if (count < IN_FIRST) self.first |= uint208(entry << (WIDTH * count));
        else self.rest |= entry << (WIDTH * (count - IN_FIRST));
    }

    /// @notice Hit `number` of two words as the log keeps them.
    function at(
        uint256 first,
        uint256 rest,
        uint256 number
    ) internal pure returns (uint256 cell, uint256 sunk) {
        uint256 entry = number < IN_FIRST ? first >> (WIDTH * number) : rest >> (WIDTH * (number - IN_FIRST));
        return ((entry >> 3) & 511, entry & 7);
    }
}
