// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Games} from "./Games.sol";

/// @title How a game ends, and who is paid what
abstract contract Endings is Games {
    uint256 private constant BASIS_POINTS = 10_000;
    uint256 private constant RAKE = 100;
    uint256 private constant HELD_BACK = 100;

    /// @notice The pot less rake to the winners (a mask, not empty), equally; what is left over to the
    ///         first of them.
    function _endWon(uint256 id, Turn memory turn, Outcome outcome, uint8 winners) internal {
        uint256 pot = _stakeOf(id) * turn.seats;
        uint256 prize = pot - (pot * RAKE) / BASIS_POINTS;
        turn.winners = winners;
        _end(id, turn, outcome, _shares(prize, winners, turn.seats));
    }

    /// @notice Every stake back, no rake.
    function _endDrawn(uint256 id, Turn memory turn, Outcome outcome) internal {
        _end(id, turn, outcome, _equal(_stakeOf(id), turn.seats));
    }

    /// @notice Every stake back less floor(stake x 1 %).
    function _endNull(uint256 id, Turn memory turn) internal {
        uint256 stake = _stakeOf(id);
        uint256 heldBack = (stake * HELD_BACK) / BASIS_POINTS;
        _end(id, turn, Outcome.Null, _equal(stake - heldBack, turn.seats));
    }

    /// @notice End a game that began. `amounts` has one entry a seat; what is left of the pot goes to
    ///         the pool (more than the pot reverts). Pays: do nothing after it.
    function _end(uint256 id, Turn memory turn, Outcome outcome, uint256[] memory amounts) internal {
        uint256 rake = _stakeOf(id) * turn.seats;
        for (uint256 seat = 0; seat < amounts.length; seat++) rake -= amounts[seat];
        (turn.phase, turn.outcome) = (Phase.Ended, outcome);
        _store(id, turn);
        if (rake != 0) pool += rake;
        emit GameEnded(id, outcome, turn.winners, amounts, rake);
        for (uint8 seat = 0; seat < amounts.length; seat++) {
            _pay(id, _playerOf(id, seat), amounts[seat]);
        }
    }

    function _equal(uint256 amount, uint8 seats) private pure returns (uint256[] memory amounts) {
        amounts = new uint256[](seats);
        for (uint256 seat = 0; seat < seats; seat++) amounts[seat] = amount;
    }

    function _shares(
        uint256 prize,
        uint8 winners,
        uint8 seats
    ) private pure returns (uint256[] memory amounts) {
        amounts = new uint256[](seats);
        uint256 count;
        for (uint256 seat = 0; seat < seats; seat++) count += (winners >> seat) & 1;
        uint256 remainder = prize % count;
        for (uint256 seat = 0; seat < seats; seat++) {
            if ((winners >> seat) & 1 == 0) continue;
            amounts[seat] = prize / count + remainder;
            remainder = 0;
        }
    }
}
