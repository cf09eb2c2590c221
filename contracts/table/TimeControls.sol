// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ITable} from "./ITable.sol";

/// @notice The time controls of a deployment in one word, so that its code holds them and no storage is
///         read: 64 bits each, control 0 lowest; of these a move's seconds (32), then the keep-alives (8).
type TimeControls is uint256;

using TimeControlsLibrary for TimeControls global;

library TimeControlsLibrary {
    uint256 private constant MAX_CONTROLS = 4;
    uint256 private constant MAX_KEEP_ALIVES = 3; // two bits a seat count them
    uint256 private constant MIN_MOVE = 30;
    uint256 private constant WIDTH = 64;
    uint256 private constant LOG_WIDTH = 6; // a shift is cheaper than a checked product
    uint256 private constant MOVE = 32;

    /// @notice Reverts: Table_ControlsOutOfRange.
    function pack(ITable.TimeControl[] memory controls) internal pure returns (TimeControls) {
        uint256 left = controls.length;
        require(left != 0 && left <= MAX_CONTROLS, ITable.Table_ControlsOutOfRange());
        uint256 word;
        for (; left != 0; left--) word = (word << WIDTH) | _pack(controls[left - 1]);
        return TimeControls.wrap(word);
    }

    function _pack(ITable.TimeControl memory control) private pure returns (uint256) {
        require(
            control.move >= MIN_MOVE && control.keepAlives <= MAX_KEEP_ALIVES,
            ITable.Table_ControlsOutOfRange()
        );
        return (uint256(control.keepAlives) << MOVE) | control.move;
    }

    function unpack(TimeControls self) internal pure returns (ITable.TimeControl[] memory controls) {
        controls = new ITable.TimeControl[](self.count());
        for (uint8 control = 0; control < controls.length; control++) {
            controls[control] = ITable.TimeControl(self.moveOf(control), self.keepAlivesOf(control));
        }
    }

    function count(TimeControls self) internal pure returns (uint8 controls) {
        while (self.moveOf(controls) != 0) controls++;
    }

    /// @notice Seconds for a move; zero where there is no such control.
    function moveOf(TimeControls self, uint8 control) internal pure returns (uint32) {
        return uint32(TimeControls.unwrap(self) >> (uint256(control) << LOG_WIDTH));
    }

    function keepAlivesOf(TimeControls self, uint8 control) internal pure returns (uint8) {
        return uint8(TimeControls.unwrap(self) >> ((uint256(control) << LOG_WIDTH) | MOVE));
    }
}
