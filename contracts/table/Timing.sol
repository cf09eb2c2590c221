// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ITable} from "./ITable.sol";
import {TimeControls, TimeControlsLibrary} from "./TimeControls.sol";

/// @title How long everything may take, fixed at deployment
abstract contract Timing is ITable {
    uint32 private constant MIN_PROOF = 30;

    TimeControls internal immutable _controls;
    uint32 internal immutable _waitClock;
    uint32 internal immutable _noticeClock;
    uint32 internal immutable _proofClock;

    constructor(Clocks memory clocks_, TimeControl[] memory controls) {
        require(
            clocks_.wait != 0 && clocks_.notice != 0 && clocks_.proof >= MIN_PROOF,
            Table_ClocksOutOfRange()
        );
        _controls = TimeControlsLibrary.pack(controls);
        _waitClock = clocks_.wait;
        _noticeClock = clocks_.notice;
        _proofClock = clocks_.proof;
    }

    function clocks() external view returns (Clocks memory) {
        return Clocks(_waitClock, _noticeClock, _proofClock);
    }

    function timeControls() external view returns (TimeControl[] memory) {
        return _controls.unpack();
    }

    /// @dev A full move clock from now; time that keep-alives have bought stays.
    function _startClock(Turn memory turn) internal view {
        _reach(turn, _controls.moveOf(turn.control));
    }

    /// @dev The deadline is at least `duration` seconds from now: at `end`, or later.
    function _reach(Turn memory turn, uint32 duration) internal view returns (uint40 end) {
        end = uint40(block.timestamp + duration);
        if (end > turn.deadline) turn.deadline = end;
    }
}
