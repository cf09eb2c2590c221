// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice The proof clocks of one game in one word: 40 bits of deadline a seat, seat 0 lowest, then
///         one bit a seat for "still owed".
type ProofClocks is uint256;

using ProofClocksLibrary for ProofClocks global;

library ProofClocksLibrary {
    uint256 private constant WIDTH = 40;
    uint256 private constant OWED = 4 * WIDTH;

    function ask(ProofClocks self, uint8 seat, uint40 deadline) internal pure returns (ProofClocks) {
        uint256 clock = uint256(deadline) << (WIDTH * seat);
        return ProofClocks.wrap(ProofClocks.unwrap(self) | clock | (1 << (OWED + seat)));
    }

    function close(ProofClocks self, uint8 seat) internal pure returns (ProofClocks) {
        return ProofClocks.wrap(ProofClocks.unwrap(self) & ~(1 << (OWED + seat)));
    }

    /// @notice Zero for a seat that was never asked.
    function deadlineOf(ProofClocks self, uint8 seat) internal pure returns (uint40) {
        return uint40(ProofClocks.unwrap(self) >> (WIDTH * seat));
    }

    function owes(ProofClocks self, uint8 seat) internal pure returns (bool) {
        return (ProofClocks.unwrap(self) >> (OWED + seat)) & 1 == 1;
    }
}
