// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ProofClocks} from "./ProofClocks.sol";
import {Sessions} from "./Sessions.sol";
import {Timing} from "./Timing.sol";

/// @title What the table stores of each game, who sits in it, and the guards
abstract contract Games is Sessions, Timing {
    /// @dev One slot. The stake is that of seat 0's slot and stays when its player leaves.
    struct Seat {
        address player;
        uint96 stake;
    }

    /// @dev Slots: the turn; four seats (those in use are written); the proof clocks (seldom written).
    struct Game {
        Turn turn;
        Seat[4] seats;
        ProofClocks proofClocks;
    }

    uint256 public gameCount;
    mapping(uint256 id => Game) internal _games;

    function turnOf(uint256 id) external view returns (Turn memory) {
        return _games[id].turn;
    }

    function seatsOf(
        uint256 id
    ) external view returns (address[] memory players, uint256 stake, address opponent) {
        Turn memory turn = _games[id].turn;
        players = new address[](turn.seats);
        for (uint8 seat = 0; seat < turn.seats; seat++) {
            if (_isTaken(turn, seat)) players[seat] = _playerOf(id, seat);
        }
        stake = _stakeOf(id);
        if (turn.phase == Phase.Open) opponent = _invitedTo(id);
    }

    function proofClockOf(uint256 id, uint8 seat) external view returns (uint256 deadline, bool owed) {
        if (seat >= _games[id].turn.seats) return (0, false);
        ProofClocks proofClocks = _games[id].proofClocks;
        return (proofClocks.deadlineOf(seat), proofClocks.owes(seat));
    }

    /// @notice Guard of a turn. Reverts: Table_UnknownGame, Table_WrongPhase.
    function _requirePhase(uint256 id, Turn memory turn, Phase expected) internal pure {
        if (turn.phase != expected) _wrongPhase(id, turn.phase, expected);
    }

    function _wrongPhase(uint256 id, Phase current, Phase expected) internal pure {
        require(current != Phase.None, Table_UnknownGame(id));
        revert Table_WrongPhase(id, current, expected);
    }

    /// @dev The only way that a turn is written: nothing leaves a final phase, and Proving only ends.
    function _store(uint256 id, Turn memory turn) internal {
        Phase current = _games[id].turn.phase;
        if (current >= Phase.Proving && (current != Phase.Proving || turn.phase < Phase.Proving)) {
            revert Table_WrongPhase(id, current, Phase.Playing);
        }
        _games[id].turn = turn;
    }

    function _playerOf(uint256 id, uint8 seat) internal view returns (address) {
        return _games[id].seats[seat].player;
    }

    function _stakeOf(uint256 id) internal view returns (uint256) {
        return _games[id].seats[0].stake;
    }

    /// @dev While Open, an untaken seat 1 keeps the name of the one who may take it.
    function _invitedTo(uint256 id) internal view returns (address) {
        return _isTaken(_games[id].turn, 1) ? address(0) : _playerOf(id, 1);
    }

    function _isTaken(Turn memory turn, uint8 seat) internal pure returns (bool) {
        return (turn.taken >> seat) & 1 == 1;
    }

    /// @notice The actor's seat. Reverts: Table_NotSeated.
    function _actorSeat(uint256 id, Turn memory turn) internal view returns (uint8) {
        address actor = _actor();
        (bool seated, uint8 seat) = _findSeat(id, turn, actor);
        require(seated, Table_NotSeated(id, actor));
        return seat;
    }

    function _findSeat(
        uint256 id,
        Turn memory turn,
        address player
    ) internal view returns (bool seated, uint8 seat) {
        for (seat = 0; seat < turn.seats; seat++) {
            if (_isTaken(turn, seat) && _playerOf(id, seat) == player) return (true, seat);
        }
    }
}
