// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Games} from "./Games.sol";
import {WaitingList} from "./WaitingList.sol";

/// @title Seats: opening, joining, quick match, leaving, cancelling
abstract contract Seats is Games {
    using WaitingList for WaitingList.Lists;

    /// @dev From the block that fills the last seat to the block whose hash draws the first: neither
    ///      its players nor its producer know that hash yet.
    uint256 internal constant DRAW_DELAY = 2;

    WaitingList.Lists private _waiting;

    function leaveSeat(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Open);
        uint8 seat = _actorSeat(id, turn);
        if (turn.taken == 1 << seat) return _cancel(id, turn);
        address player = _playerOf(id, seat);
        _games[id].seats[seat].player = address(0);
        turn.taken &= ~uint8(1 << seat);
        _store(id, turn);
        emit SeatLeft(id, player, seat);
        _pay(id, player, _stakeOf(id));
    }

    function cancel(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Open);
        address actor = _actor();
        require(_isTaken(turn, 0) && _playerOf(id, 0) == actor, Table_NotCreator(id, actor));
        _cancel(id, turn);
    }

    /// @notice Open a game with the value as stake; the actor sits on seat 0.
    /// @param parameters What makes two games alike, as the game encodes it; opaque to the table.
    /// @param control Which of the deployment's time controls the game is played with.
    /// @param opponent Who alone may join, or zero: then the game waits for quick matches too.
    ///        Reverts: Table_SeatsOutOfRange, Table_ControlOutOfRange, Table_StakeTooLarge,
    ///        Table_OpponentIsSelf.
    function _open(
        bytes memory parameters,
        uint8 seats,
        uint8 control,
        address opponent
    ) internal returns (uint256 id) {
        require(
            seats == 2 || (opponent == address(0) && seats > 2 && seats <= 4),
            Table_SeatsOutOfRange(seats)
        );
        // No require: that would count the controls each time.
        if (_controls.moveOf(control) == 0) revert Table_ControlOutOfRange(control, _controls.count());
        require(msg.value <= type(uint96).max, Table_StakeTooLarge(msg.value, type(uint96).max));
        address creator = _actorAsPlayer();
        require(creator != opponent, Table_OpponentIsSelf(opponent));
        id = ++gameCount;
        Turn memory turn;
        (turn.phase, turn.seats, turn.taken, turn.control) = (Phase.Open, seats, 1, control);
        _store(id, turn);
        _games[id].seats[0] = Seat(creator, uint96(msg.value));
        if (opponent != address(0)) _games[id].seats[1].player = opponent;
        else _waiting.append(WaitingList.keyOf(parameters, seats, control, msg.value), id);
        emit GameOpened(id, creator, opponent, seats, control, msg.value, parameters);
    }

    /// @notice Take the lowest free seat and pay the stake. With the last seat the draw begins.
    ///         Reverts: Table_WrongPhase, Table_WrongStake, Table_NotInvited, Table_AlreadySeated.
    function _join(uint256 id) internal returns (uint8 seat) {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Open);
        uint256 stake = _stakeOf(id);
        require(msg.value == stake, Table_WrongStake(id, msg.value, stake));
        address player = _actorAsPlayer();
        address invited = _invitedTo(id);
        require(invited == address(0) || invited == player, Table_NotInvited(id, player, invited));
        (bool seated, ) = _findSeat(id, turn, player);
        require(!seated, Table_AlreadySeated(id, player));
        while (_isTaken(turn, seat)) seat++;
        turn.taken |= uint8(1 << seat);
        _games[id].seats[seat] = Seat(player, uint96(stake));
        if (turn.taken + 1 == 1 << turn.seats) {
            turn.phase = Phase.Drawing;
            turn.mark = uint40(block.number + DRAW_DELAY);
            _waiting.remove(id);
        }
        _store(id, turn);
        emit SeatTaken(id, player, seat, turn.mark);
    }

    /// @notice Join the longest-waiting game with these parameters, seats, time control and the value
    ///         as stake in which the actor does not sit, else open one. Reverts as `_open`.
    function _quickMatch(
        bytes memory parameters,
        uint8 seats,
        uint8 control
    ) internal returns (uint256 id, uint8 seat) {
        address player = _actor();
        id = _waiting.first(WaitingList.keyOf(parameters, seats, control, msg.value));
        while (id != 0) {
            (bool seated, ) = _findSeat(id, _games[id].turn, player);
            if (!seated) return (id, _join(id));
            id = _waiting.next(id);
        }
        return (_open(parameters, seats, control, address(0)), 0);
    }

    function _cancel(uint256 id, Turn memory turn) private {
        turn.phase = Phase.Cancelled;
        _waiting.remove(id);
        _store(id, turn);
        emit GameCancelled(id);
        uint256 stake = _stakeOf(id);
        for (uint8 seat = 0; seat < turn.seats; seat++) {
            if (_isTaken(turn, seat)) _pay(id, _playerOf(id, seat), stake);
        }
    }
}
