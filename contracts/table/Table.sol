// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BlockHashes} from "./BlockHashes.sol";
import {Endings} from "./Endings.sol";
import {ProofClocks} from "./ProofClocks.sol";
import {Payments} from "./Payments.sol";
import {Seats} from "./Seats.sol";
import {Timing} from "./Timing.sol";

/// @title The table: what every game stands on
/// @notice For a game's author. A game offers its own `open`, `join`, `quickMatch` by `_open`, `_join`,
///         `_quickMatch`, and its moves so:
///
///             function place(uint256 id, …) external {
///                 Turn memory turn = _games[id].turn;
///                 address player = _onTurn(id, turn);                 // checks; draws if need be
///                 …                                                   // rules and effects
///                 _advance(id, turn, _nextSeat(turn));                // or _wait, _endWon, …
///                 emit Placed(id, …);
///             }
///
///         A guard (`_onTurn`, `_requirePhase`, `_onProof`) takes the turn that was read into memory, for
///         one that returned it would clear memory for it first. `_advance`, `_wait`, `_askProof` and the
///         endings write it back, `turn.data` (72 bits of the game's own) with it.
///         An ending pays, so it comes last: emit the move's event before it.
abstract contract Table is Seats, Endings {
    constructor(
        address poolOwner_,
        Clocks memory clocks_,
        TimeControl[] memory controls
    ) Payments(poolOwner_) Timing(clocks_, controls) {}

    // ── For games to override ──

    /// @notice Runs before a keep-alive, a resignation and an offer of a draw: resolve what is due by
    ///         now (a dice move). Works on storage, not on a turn in memory.
    function _resolveDue(uint256 id) internal virtual {}

    /// @notice Runs before a claim: revert while the player on turn waits for something that is not
    ///         theirs to bring (a roll), because then they cannot lose on time.
    function _requireClaimable(uint256 id) internal view virtual {}

    /// @notice The first seat was drawn; `word` has 256 random bits. May change `turn`.
    function _onDrawn(uint256 id, Turn memory turn, uint256 word) internal virtual {}

    /// @notice `seat` resigned. By default all others win.
    function _onResigned(uint256 id, Turn memory turn, uint8 seat) internal virtual {
        _endWon(id, turn, Outcome.Resigned, _others(turn, seat));
    }

    /// @notice `seat` lost on time. By default all others win.
    function _onTimedOut(uint256 id, Turn memory turn, uint8 seat) internal virtual {
        _endWon(id, turn, Outcome.TimedOut, _others(turn, seat));
    }

    /// @notice The proof of `seat` did not come in time. By default nobody wins.
    function _onProofMissed(uint256 id, Turn memory turn, uint8) internal virtual {
        _endNull(id, turn);
    }

    // ── The first seat ──

    function settleDraw(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Drawing);
        _draw(id, turn);
        _store(id, turn);
    }

    function settleDraws(uint256[] calldata ids) external {
        for (uint256 i = 0; i < ids.length; i++) {
            Turn memory turn = _games[ids[i]].turn;
            if (turn.phase == Phase.Drawing && block.number > turn.mark) _settleDue(ids[i], turn);
        }
    }

    function rescheduleDraw(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Drawing);
        require(
            block.number > turn.mark && BlockHashes.read(turn.mark) == 0,
            Table_DrawNotMissed(id, turn.mark)
        );
        _reschedule(id, turn);
    }

    function _settleDue(uint256 id, Turn memory turn) private {
        bytes32 hash = BlockHashes.read(turn.mark);
        if (hash == 0) return _reschedule(id, turn);
        _drawBy(hash, id, turn);
        _store(id, turn);
    }

    function _reschedule(uint256 id, Turn memory turn) private {
        turn.mark = uint40(block.number + DRAW_DELAY);
        _store(id, turn);
        emit DrawRescheduled(id, turn.mark);
    }

    function _draw(uint256 id, Turn memory turn) private {
        require(block.number > turn.mark, Table_DrawNotYet(id, turn.mark));
        bytes32 hash = BlockHashes.read(turn.mark);
        require(hash != 0, Table_DrawMissed(id, turn.mark));
        _drawBy(hash, id, turn);
    }

    function _drawBy(bytes32 hash, uint256 id, Turn memory turn) private {
        uint256 word = uint256(keccak256(abi.encode(hash, id)));
        turn.phase = Phase.Playing;
        turn.onTurn = uint8(word % turn.seats);
        _startClock(turn);
        emit FirstSeatDrawn(id, turn.onTurn, word, turn.deadline);
        _onDrawn(id, turn, word);
    }

    // ── Moves ──

    /// @notice Guard of every move: the actor must be on turn. Settles the draw if nobody has.
    /// @param turn To be changed and handed to `_advance`, `_wait` or an ending.
    /// @return player Who is on turn; the sender may be their session key.
    ///         Reverts: Table_WrongPhase, Table_DrawNotYet, Table_DrawMissed, Table_NotOnTurn,
    ///         Table_SessionEnded.
    function _onTurn(uint256 id, Turn memory turn) internal returns (address player) {
        if (turn.phase == Phase.Drawing) _draw(id, turn);
        _requirePhase(id, turn, Phase.Playing);
        player = _playerOf(id, turn.onTurn);
        // A player is never a key, so the common case needs no look-up.
        if (msg.sender == player) return player;
        address actor = _actor();
        require(actor == player, Table_NotOnTurn(id, actor, turn.onTurn));
    }

    /// @notice The move is accepted: `seat` (the same one is fine) is on turn with a full clock. Also
    ///         ends a wait, and counts for a dice redraw.
    function _advance(uint256 id, Turn memory turn, uint8 seat) internal {
        turn.phase = Phase.Playing;
        turn.onTurn = seat;
        turn.voidAnnounced = false;
        _newPosition(turn);
        _startClock(turn);
        _store(id, turn);
    }

    /// @notice The move is accepted and needs a value from outside: no clock runs until `_advance` or
    ///         an ending, or, when that never comes, a void.
    function _wait(uint256 id, Turn memory turn) internal {
        turn.phase = Phase.Waiting;
        turn.mark = uint40(block.timestamp);
        turn.voidAnnounced = false;
        _newPosition(turn);
        _store(id, turn);
    }

    function _nextSeat(Turn memory turn) internal pure returns (uint8) {
        return (turn.onTurn + 1) % turn.seats;
    }

    function _others(Turn memory turn, uint8 seat) internal pure returns (uint8) {
        return turn.taken & ~uint8(1 << seat);
    }

    function _newPosition(Turn memory turn) private pure {
        turn.moveNumber++;
        turn.consents = 0;
    }

    // ── The clock ──

    function keepAlive(uint256 id) external {
        _resolveDue(id);
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        uint8 shift = 2 * turn.onTurn;
        uint8 used = (turn.keepAlives >> shift) & 3;
        require(used < _controls.keepAlivesOf(turn.control), Table_NoKeepAliveLeft(id, turn.onTurn));
        turn.keepAlives += uint8(1 << shift);
        uint256 from = turn.deadline > block.timestamp ? turn.deadline : block.timestamp;
        turn.deadline = uint40(from + _controls.moveOf(turn.control));
        _store(id, turn);
        emit ClockExtended(id, turn.onTurn, turn.deadline);
    }

    function claimTimeout(uint256 id) external {
        _requireClaimable(id);
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Playing);
        uint8 seat = _actorSeat(id, turn);
        require(seat != turn.onTurn, Table_OwnTimeout(id, seat));
        require(block.timestamp > turn.deadline, Table_DeadlineNotPassed(id, turn.deadline));
        emit TimedOut(id, turn.onTurn);
        _onTimedOut(id, turn, turn.onTurn);
    }

    // ── Giving up, agreeing ──

    function resign(uint256 id) external {
        _resolveDue(id);
        Turn memory turn = _games[id].turn;
        if (turn.phase != Phase.Drawing) _requireUnderWay(id, turn);
        uint8 seat = _actorSeat(id, turn);
        emit Resigned(id, seat);
        _onResigned(id, turn, seat);
    }

    function offerDraw(uint256 id, uint256 moveNumber) external {
        _resolveDue(id);
        Turn memory turn = _games[id].turn;
        _requireUnderWay(id, turn);
        uint8 seat = _actorSeat(id, turn);
        require(moveNumber == turn.moveNumber, Table_StaleOffer(id, moveNumber, turn.moveNumber));
        require((turn.consents >> seat) & 1 == 0, Table_AlreadyOffered(id, seat));
        turn.consents |= uint8(1 << seat);
        emit DrawOffered(id, seat, moveNumber);
        if (turn.consents == turn.taken) _endDrawn(id, turn, Outcome.Drawn);
        else _store(id, turn);
    }

    function _requireUnderWay(uint256 id, Turn memory turn) private pure {
        if (turn.phase != Phase.Waiting) _requirePhase(id, turn, Phase.Playing);
    }

    // ── Proving ──

    /// @notice Start `seat`'s own proof clock; the first one brings the game into Proving, which only
    ///         an ending leaves. Reverts: Table_ProofAlreadyAsked.
    function _askProof(uint256 id, Turn memory turn, uint8 seat) internal {
        ProofClocks proofClocks = _games[id].proofClocks;
        require(proofClocks.deadlineOf(seat) == 0, Table_ProofAlreadyAsked(id, seat));
        turn.phase = Phase.Proving;
        uint40 deadline = _reach(turn, _proofClock);
        _store(id, turn);
        _games[id].proofClocks = proofClocks.ask(seat, deadline);
        emit ProofAsked(id, seat, deadline);
    }

    /// @notice Guard of a proof by the actor, which is then no longer owed; also after its clock, as
    ///         long as nobody has closed it.
    ///         Reverts: Table_WrongPhase, Table_NotSeated, Table_ProofNotAsked.
    function _onProof(uint256 id, Turn memory turn) internal returns (uint8 seat) {
        _requirePhase(id, turn, Phase.Proving);
        seat = _actorSeat(id, turn);
        _closeProof(id, seat);
    }

    function closeProof(uint256 id, uint8 seat) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Proving);
        uint40 deadline = _closeProof(id, seat);
        require(block.timestamp > deadline, Table_DeadlineNotPassed(id, deadline));
        emit ProofMissed(id, seat);
        _onProofMissed(id, turn, seat);
    }

    function _closeProof(uint256 id, uint8 seat) private returns (uint40 deadline) {
        ProofClocks proofClocks = _games[id].proofClocks;
        require(seat < 4 && proofClocks.owes(seat), Table_ProofNotAsked(id, seat));
        _games[id].proofClocks = proofClocks.close(seat);
        return proofClocks.deadlineOf(seat);
    }

    // ── Waiting too long ──

    function announceVoid(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Waiting);
        require(!turn.voidAnnounced, Table_VoidAlreadyAnnounced(id));
        uint256 first = uint256(turn.mark) + _waitClock;
        require(block.timestamp >= first, Table_VoidTooEarly(id, first));
        (turn.voidAnnounced, turn.mark) = (true, uint40(block.timestamp));
        _store(id, turn);
        emit VoidAnnounced(id, block.timestamp + _noticeClock);
    }

    function voidGame(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Waiting);
        require(turn.voidAnnounced, Table_VoidNotAnnounced(id));
        uint256 first = uint256(turn.mark) + _noticeClock;
        require(block.timestamp >= first, Table_VoidTooEarly(id, first));
        emit GameVoided(id);
        _endDrawn(id, turn, Outcome.Voided);
    }
}
