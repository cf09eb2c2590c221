// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Table} from "../table/Table.sol";

/// @title A game without rules, for 2–4 seats: each thing that the table offers is a move
contract Sandbox is Table {
    event Passed(uint256 indexed id, uint8 seat);
    event WaitBegun(uint256 indexed id);
    event WaitResolved(uint256 indexed id, uint8 seat);

    /// @notice The word of each game's draw, as the table handed it over.
    mapping(uint256 id => uint256) public wordOf;

    constructor(
        address poolOwner_,
        Clocks memory clocks_,
        TimeControl[] memory controls
    ) Table(poolOwner_, clocks_, controls) {}

    function open(bytes calldata parameters, uint8 seats, uint8 control, address opponent) external payable {
        _open(parameters, seats, control, opponent);
    }

    function join(uint256 id) external payable {
        _join(id);
    }

    function quickMatch(bytes calldata parameters, uint8 seats, uint8 control) external payable {
        _quickMatch(parameters, seats, control);
    }

    /// @notice A bare move: the next seat is on turn.
    function skip(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _advance(id, turn, _nextSeat(turn));
        emit Passed(id, turn.onTurn);
    }

    /// @notice A move after which `seat` is on turn.
    function hand(uint256 id, uint8 seat) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _advance(id, turn, seat);
        emit Passed(id, seat);
    }

    /// @notice A move that keeps something in the table's slot.
    function note(uint256 id, uint72 data) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        turn.data = data;
        _advance(id, turn, _nextSeat(turn));
        emit Passed(id, turn.onTurn);
    }

    function win(uint256 id, uint8 winners) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _endWon(id, turn, Outcome.Won, winners);
    }

    function tie(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _endDrawn(id, turn, Outcome.Drawn);
    }

    function nullify(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _endNull(id, turn);
    }

    /// @notice End with any amounts up to the pot.
    function share(uint256 id, uint256[] calldata amounts) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _end(id, turn, Outcome.Won, amounts);
    }

    function beginWait(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _wait(id, turn);
        emit WaitBegun(id);
    }

    /// @notice Open to anyone, as a checked decryption is.
    function resolveWait(uint256 id, uint8 seat) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Waiting);
        _advance(id, turn, seat);
        emit WaitResolved(id, seat);
    }

    /// @notice The last move: the seats of the mask must prove.
    function askProofs(uint256 id, uint8 seats) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        for (uint8 seat = 0; seat < turn.seats; seat++) {
            if ((seats >> seat) & 1 == 1) _askProof(id, turn, seat);
        }
    }

    /// @notice Whoever proves first wins.
    function prove(uint256 id) external {
        Turn memory turn = _games[id].turn;
        uint8 seat = _onProof(id, turn);
        _endWon(id, turn, Outcome.Won, uint8(1 << seat));
    }

    /// @dev A faulty game: writes a turn that it read before the game ended.
    function endTwice(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        _endDrawn(id, turn, Outcome.Drawn);
        _endDrawn(id, turn, Outcome.Drawn);
    }

    /// @dev A faulty game: starts a proof clock anew.
    function askAgain(uint256 id, uint8 seat) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Proving);
        _askProof(id, turn, seat);
    }

    /// @dev A faulty game: plays on while proving.
    function playWhileProving(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Proving);
        _advance(id, turn, 0);
    }

    function _onDrawn(uint256 id, Turn memory, uint256 word) internal override {
        wordOf[id] = word;
    }
}
