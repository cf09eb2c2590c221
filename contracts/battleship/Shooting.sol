// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A game's shooting in the 72 bits that the table leaves free in its slot. From the lowest bit:
///         size (8), shots (16), hits at seat 0 (8), hits at seat 1 (8), target (16), answer due (1),
///         seat that gained from the end (1), whether the other opened falsely (1), verdict (2), how the
///         shooting ended, as an Outcome (3).
type ShootingState is uint72;

using ShootingLibrary for ShootingState global;

library ShootingLibrary {
    uint256 private constant SHOTS = 8;
    uint256 private constant HITS = 24;
    uint256 private constant TARGET = 40;
    uint256 private constant ANSWER_DUE = 56;
    uint256 private constant BENEFICIARY = 57;
    uint256 private constant CHEATED = 58;
    uint256 private constant VERDICT = 59;
    uint256 private constant OUTCOME = 61;

    function begin(uint256 size_) internal pure returns (ShootingState) {
        return _wrap(uint8(size_));
    }

    function size(ShootingState self) internal pure returns (uint256) {
        return uint8(ShootingState.unwrap(self));
    }

    function shots(ShootingState self) internal pure returns (uint256) {
        return uint16(ShootingState.unwrap(self) >> SHOTS);
    }

    /// @notice Hits at the board of `seat`.
    function hits(ShootingState self, uint256 seat) internal pure returns (uint256) {
        return uint8(ShootingState.unwrap(self) >> (HITS + 8 * seat));
    }

    function target(ShootingState self) internal pure returns (uint256) {
        return uint16(ShootingState.unwrap(self) >> TARGET);
    }

    function answerDue(ShootingState self) internal pure returns (bool) {
        return _bit(self, ANSWER_DUE) == 1;
    }

    /// @notice The seat that gained from how the shooting ended (0 before).
    function beneficiary(ShootingState self) internal pure returns (uint8) {
        return uint8(_bit(self, BENEFICIARY));
    }

    function cheated(ShootingState self) internal pure returns (bool) {
        return _bit(self, CHEATED) == 1;
    }

    function verdict(ShootingState self) internal pure returns (uint256) {
        return (ShootingState.unwrap(self) >> VERDICT) & 3;
    }

    /// @notice How the shooting ended (0 before): what the game ends with if the seat that gained proves.
    function outcome(ShootingState self) internal pure returns (uint8) {
        return uint8((ShootingState.unwrap(self) >> OUTCOME) & 7);
    }

    function withShot(ShootingState self, uint256 cell) internal pure returns (ShootingState) {
        uint256 cleared = ShootingState.unwrap(self) & ~(uint256(0xffff) << TARGET);
        return _wrap((cleared | (cell << TARGET) | (1 << ANSWER_DUE)) + (1 << SHOTS));
    }

    function withAnswer(ShootingState self) internal pure returns (ShootingState) {
        return _wrap(ShootingState.unwrap(self) & ~(uint256(1) << ANSWER_DUE));
    }

    function withHit(ShootingState self, uint256 seat) internal pure returns (ShootingState) {
        return _wrap(ShootingState.unwrap(self) + (uint256(1) << (HITS + 8 * seat)));
    }

    function withEnd(
        ShootingState self,
        uint8 seat,
        bool cheated_,
        uint8 outcome_
    ) internal pure returns (ShootingState) {
        uint256 flags = (uint256(seat) << BENEFICIARY) | (cheated_ ? 1 << CHEATED : 0);
        return _wrap(ShootingState.unwrap(self) | flags | (uint256(outcome_) << OUTCOME));
    }

    function withVerdict(ShootingState self, uint256 verdict_) internal pure returns (ShootingState) {
        return _wrap(ShootingState.unwrap(self) | (verdict_ << VERDICT));
    }

    function _bit(ShootingState self, uint256 position) private pure returns (uint256) {
        return (ShootingState.unwrap(self) >> position) & 1;
    }

    function _wrap(uint256 word) private pure returns (ShootingState) {
        return ShootingState.wrap(uint72(word));
    }
}
