// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DiceTable, Table} from "../table/DiceTable.sol";

/// @title A race for 2–4 seats: the die moves you forward, and whoever arrives has won
contract DiceRace is DiceTable {
    uint8 public constant GOAL = 8;

    event Rolled(uint256 indexed id, uint8 seat, uint8 die, uint8 place);
    event Rested(uint256 indexed id, uint8 seat);

    constructor(
        address poolOwner_,
        Clocks memory clocks_,
        TimeControl[] memory controls
    ) Table(poolOwner_, clocks_, controls) {}

    function open(uint8 seats, uint8 control) external payable {
        _open("", seats, control, address(0));
    }

    function join(uint256 id) external payable {
        _join(id);
    }

    function roll(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _roll(id, turn);
    }

    /// @notice Let the turn go by.
    function rest(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _requireNoRoll(id);
        emit Rested(id, turn.onTurn);
        _advance(id, turn, _nextSeat(turn));
    }

    function placeOf(uint256 id, uint8 seat) external view returns (uint8) {
        return uint8(_games[id].turn.data >> (8 * seat));
    }

    function _onRolled(uint256 id, Turn memory turn, uint256 word) internal override {
        uint8 die = uint8(word % 6) + 1;
        uint8 seat = turn.onTurn;
        turn.data += uint72(die) << (8 * seat);
        uint8 place = uint8(turn.data >> (8 * seat));
        emit Rolled(id, seat, die, place);
        if (place < GOAL) _advance(id, turn, _nextSeat(turn));
        else _endWon(id, turn, Outcome.Won, uint8(1 << seat));
    }
}
