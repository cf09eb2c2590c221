// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What changes with each action, in the 72 bits that the table's slot has free, a byte each from
///         the lowest on: actions of both players still to come; mask of the seats whose last action was a
///         missile; lane that the missile in flight aims at; for each board, a strike that is not yet
///         taken off it (0x80 + 16 * lane + stop, or 0).
type Progress is uint72;

using ProgressLibrary for Progress global;

library ProgressLibrary {
    uint8 private constant SPENT = 8;
    uint8 private constant TARGET = 16;
    uint8 private constant STRIKES = 24;
    uint72 private constant STRUCK = 0x80;

    function start(uint8 actions) internal pure returns (Progress) {
        return Progress.wrap(actions);
    }

    function left(Progress self) internal pure returns (uint8) {
        return uint8(Progress.unwrap(self));
    }

    function countAction(Progress self) internal pure returns (Progress) {
        return Progress.wrap(Progress.unwrap(self) - 1);
    }

    function spent(Progress self) internal pure returns (uint8) {
        return uint8(Progress.unwrap(self) >> SPENT);
    }

    function isSpent(Progress self, uint8 seat) internal pure returns (bool) {
        return (self.spent() >> seat) & 1 == 1;
    }

    function spend(Progress self, uint8 seat) internal pure returns (Progress) {
        return Progress.wrap(Progress.unwrap(self) | (uint72(1) << (SPENT + seat)));
    }

    /// @notice `seat` has built: its missile is armed, and no strike waits any more.
    function arm(Progress self, uint8 seat) internal pure returns (Progress) {
        uint72 kept = (uint72(1) << STRIKES) - 1;
        return Progress.wrap(Progress.unwrap(self) & kept & ~(uint72(1) << (SPENT + seat)));
    }

    function target(Progress self) internal pure returns (uint8) {
        return uint8(Progress.unwrap(self) >> TARGET);
    }

    function aim(Progress self, uint8 lane) internal pure returns (Progress) {
        uint72 cleared = Progress.unwrap(self) & ~(uint72(0xff) << TARGET);
        return Progress.wrap(cleared | (uint72(lane) << TARGET));
    }

    function strike(Progress self, uint8 seat, uint8 lane, uint8 stop) internal pure returns (Progress) {
        return
            Progress.wrap(
                Progress.unwrap(self) | ((STRUCK | (uint72(lane) << 4) | stop) << (STRIKES + (seat << 3)))
            );
    }

    /// @notice The cells that waiting strikes destroy, bit 64 * seat + 8 * lane + depth.
    function destroyed(Progress self) internal pure returns (uint128 cells) {
        uint72 waiting = Progress.unwrap(self) >> STRIKES;
        if (waiting == 0) return 0;
        return _beyond(uint8(waiting)) | (_beyond(uint8(waiting >> 8)) << 64);
    }

    function _beyond(uint8 waiting) private pure returns (uint128) {
        if (waiting == 0) return 0;
        uint128 beyond = (uint128(0xff) << (waiting & 0xf)) & 0xff;
        return beyond << ((waiting >> 1) & 0x38);
    }
}
