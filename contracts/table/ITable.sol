// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The table: seats, stakes, first move, clock, payout
/// @notice What every game shares. A game adds `open`, `join` and `quickMatch` (they take its own
///         parameters) and its moves; all else is said here.
///
///         Units: times are seconds since 1970 (of `block.timestamp`), durations are seconds, money is
///         wei. Only a draw's target is a block number. Seats count from 0; a mask has bit `s` set for
///         seat `s`. A deadline is the last second in which its player cannot lose on time.
///
///         Every seat pays the same stake; their sum is the pot. Whoever acts is the sender, or the
///         player whose session key the sender is ("the actor"). Money goes to players only.
///
///         Warning: a block's producer can bias the draw of the first seat by withholding a
///         block, and can date a block some seconds later than it is.
/// @dev Numbered invariants; tests/contracts/table/test_invariants.py holds the contract to them.
///      1. Ether held >= pots of unfinished games + credits + pool; equal unless ether was forced in.
///      2. Paid out + rake (or held back) of a finished game = its pot.
///      3. Ended and Cancelled are final; nobody plays before the draw; Proving can only end.
///      4. Only the player on turn moves; only a seated player claims; others change nothing, except
///         by the calls that are open to anyone (settleDraw, settleDraws, rescheduleDraw, announceVoid,
///         voidGame, closeProof, and what a game itself opens).
///      5. The deadline never moves back. It moves by the draw, an accepted move (a roll cast anew
///         included), a keep-alive, a resolved wait, the start of a proof clock, and an ending that
///         leaves the loser time for a proof. No proof clock ends after it.
///      6. A sender acts for one identity for ever: their own, or the player's whose key it is.
///      7. A game's time control never changes, and a quick match joins games of the same one only.
///      8. `outcome` is None until the game ends.
interface ITable {
    /// @notice Where a game stands. Only transactions change it, never time alone.
    enum Phase {
        None, // no such game
        Open, // seats are missing; anyone seated may leave
        Drawing, // all seats taken; the first seat is to be drawn; no clock
        Playing, // the clock of the player on turn runs
        Waiting, // for a value from outside (a decryption); no clock
        Proving, // the game asked for proofs; a clock for each player asked
        Ended, // paid out
        Cancelled // ended before it began; stakes went back
    }

    /// @notice How a game ended. `None` until then.
    enum Outcome {
        None,
        Won, // pot less rake to the winners
        Drawn, // stakes back, no rake
        Resigned, // pot less rake to the other seats
        TimedOut, // pot less rake to the other seats
        Null, // nobody proved: stakes back less 1 %
        Voided // a wait was never resolved: stakes back, no rake
    }

    /// @notice Durations in seconds, fixed at deployment for all its games.
    /// @param wait How long a game waits before a void may be announced (86,400); at least 1.
    /// @param notice From the announcement to the void (3,600); at least 1.
    /// @param proof For a proof (3,600); at least 30.
    struct Clocks {
        uint32 wait;
        uint32 notice;
        uint32 proof;
    }

    /// @notice How fast a game is played. A deployment has 1-4 of them, and a game is opened with one.
    /// @param move Seconds for a move, and what a keep-alive adds; at least 30.
    /// @param keepAlives How many each player may send in a game; at most 3.
    struct TimeControl {
        uint32 move;
        uint8 keepAlives;
    }

    /// @notice All that changes while a game is played: one storage slot.
    /// @param seats How many seats the game has, 2–4.
    /// @param taken Mask of the seats taken.
    /// @param onTurn The seat on turn; while Waiting, the seat whose move led there.
    /// @param consents Mask of the seats that offer a draw in this very position.
    /// @param keepAlives How many each seat has sent, two bits a seat, seat 0 lowest.
    /// @param winners Mask of the seats that were paid as winners (Won, Resigned, TimedOut).
    /// @param voidAnnounced Whether a void of this wait was announced.
    /// @param control The game's time control, an index into `timeControls()`.
    /// @param moveNumber Names a position: grows with each accepted move and each resolved wait.
    /// @param deadline Last second in which the player on turn cannot lose on time: the move clock ahead
    ///        of the draw or the last move, or later where keep-alives have bought more; while Proving,
    ///        no proof clock ends after it. Never moves back.
    /// @param mark Drawing: the block whose hash draws the first seat. Waiting: the second in which the
    ///        wait began or, once announced, in which the void was announced.
    /// @param data Free for the game.
    struct Turn {
        Phase phase;
        Outcome outcome;
        uint8 seats;
        uint8 taken;
        uint8 onTurn;
        uint8 consents;
        uint8 keepAlives;
        uint8 winners;
        bool voidAnnounced;
        uint8 control;
        uint24 moveNumber;
        uint40 deadline;
        uint40 mark;
        uint72 data;
    }

    // ── Events: one for each transition. Resigned, TimedOut and GameVoided say why a game stopped,
    //    GameEnded what was paid. ──

    /// @notice `creator` sits on seat 0. `opponent` is zero when anyone may join.
    event GameOpened(
        uint256 indexed id,
        address indexed creator,
        address indexed opponent,
        uint8 seats,
        uint8 control,
        uint256 stake,
        bytes parameters
    );
    /// @param target Zero, or, when this was the last seat, the block whose hash draws the first seat.
    event SeatTaken(uint256 indexed id, address indexed player, uint8 seat, uint256 target);
    event SeatLeft(uint256 indexed id, address indexed player, uint8 seat);
    /// @notice Every stake that was in the game went back.
    event GameCancelled(uint256 indexed id);
    /// @param word keccak256(abi.encode(blockhash(target), id)); `seat` = word mod seats.
    event FirstSeatDrawn(uint256 indexed id, uint8 seat, uint256 word, uint256 deadline);
    event DrawRescheduled(uint256 indexed id, uint256 target);
    event ClockExtended(uint256 indexed id, uint8 seat, uint256 deadline);
    event DrawOffered(uint256 indexed id, uint8 seat, uint256 moveNumber);
    event Resigned(uint256 indexed id, uint8 seat);
    event TimedOut(uint256 indexed id, uint8 seat);
    event ProofAsked(uint256 indexed id, uint8 seat, uint256 deadline);
    event ProofMissed(uint256 indexed id, uint8 seat);
    /// @param voidTime First second in which the game can be voided.
    event VoidAnnounced(uint256 indexed id, uint256 voidTime);
    event GameVoided(uint256 indexed id);
    /// @param amounts What each seat gets, seat 0 first. @param rake What went to the pool.
    event GameEnded(uint256 indexed id, Outcome outcome, uint8 winners, uint256[] amounts, uint256 rake);
    /// @notice The receiver refused `amount`; `withdraw` pays it.
    event PaymentCredited(uint256 indexed id, address indexed account, uint256 amount);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);
    event PoolWithdrawn(address indexed to, uint256 amount);
    event SessionAuthorized(address indexed player, address indexed key, uint256 until, uint256 value);
    event SessionRevoked(address indexed player, address indexed key);

    // ── Errors ──

    error Table_UnknownGame(uint256 id);
    /// @param expected The phase that the call needs, or the usual one of several.
    error Table_WrongPhase(uint256 id, Phase current, Phase expected);
    /// @notice At deployment: a clock is shorter than Clocks allows.
    error Table_ClocksOutOfRange();
    /// @notice At deployment: not 1-4 time controls, or one of them is not as TimeControl allows.
    error Table_ControlsOutOfRange();
    /// @notice There are `count` time controls, numbered from 0.
    error Table_ControlOutOfRange(uint8 control, uint8 count);
    /// @notice 2–4 seats, and exactly 2 where an opponent is named.
    error Table_SeatsOutOfRange(uint256 seats);
    error Table_StakeTooLarge(uint256 stake, uint256 limit);
    error Table_WrongStake(uint256 id, uint256 given, uint256 expected);
    error Table_OpponentIsSelf(address account);
    error Table_NotInvited(uint256 id, address account, address invited);
    error Table_AlreadySeated(uint256 id, address account);
    error Table_NotSeated(uint256 id, address account);
    error Table_NotCreator(uint256 id, address account);
    /// @notice The target block's hash is not known before block `target` + 1.
    error Table_DrawNotYet(uint256 id, uint256 target);
    /// @notice The target block's hash is out of reach: reschedule.
    error Table_DrawMissed(uint256 id, uint256 target);
    error Table_DrawNotMissed(uint256 id, uint256 target);
    error Table_NotOnTurn(uint256 id, address account, uint8 onTurn);
    error Table_NoKeepAliveLeft(uint256 id, uint8 seat);
    error Table_DeadlineNotPassed(uint256 id, uint256 deadline);
    error Table_OwnTimeout(uint256 id, uint8 seat);
    error Table_StaleOffer(uint256 id, uint256 given, uint256 current);
    error Table_AlreadyOffered(uint256 id, uint8 seat);
    error Table_ProofNotAsked(uint256 id, uint8 seat);
    /// @notice Each player asked has one clock only.
    error Table_ProofAlreadyAsked(uint256 id, uint8 seat);
    error Table_VoidTooEarly(uint256 id, uint256 first);
    error Table_VoidAlreadyAnnounced(uint256 id);
    error Table_VoidNotAnnounced(uint256 id);
    error Table_SessionOutOfRange(uint256 until);
    error Table_SessionEnded(address key, uint256 until);
    /// @notice `consent` is not the key's signature over (player, chain, contract, until).
    error Table_ConsentInvalid(address key, address player);
    error Table_KeyIsPlayer(address key);
    error Table_KeyServesOther(address key, address player);
    error Table_SenderIsKey(address key);
    error Table_NotOwnKey(address key, address account);
    error Table_NothingToWithdraw(address account);
    error Table_PaymentRefused(address to, uint256 amount);
    error Table_NotPoolOwner(address account, address owner);

    // ── Before the game ──

    /// @notice Leave an Open game and take the stake back. The seat is free for another player; when
    ///         the only player leaves, the game is cancelled.
    ///         Reverts: Table_WrongPhase, Table_NotSeated.
    function leaveSeat(uint256 id) external;

    /// @notice Cancel an Open game: every stake goes back. For the creator, or whoever took seat 0
    ///         after they left. Reverts: Table_WrongPhase, Table_NotCreator.
    function cancel(uint256 id) external;

    /// @notice Draw the first seat and start the clock. Open to anyone, from block target + 1 for as
    ///         long as the chain knows the hash (256 blocks; 8,191 with EIP-2935). The first move
    ///         does it by itself. Reverts: Table_WrongPhase, Table_DrawNotYet, Table_DrawMissed.
    function settleDraw(uint256 id) external;

    /// @notice Settle each of these draws that is due, or reschedule it where its hash is out of reach;
    ///         pass over what is not Drawing or not due, unknown ids included. Open to anyone.
    function settleDraws(uint256[] calldata ids) external;

    /// @notice Set a new target (now + 2) when the hash is out of reach. Open to anyone.
    ///         Reverts: Table_WrongPhase, Table_DrawNotMissed.
    function rescheduleDraw(uint256 id) external;

    // ── During the game ──

    /// @notice Instead of a move: deadline = max(deadline, now) + the move clock, as often in a game as
    ///         its time control allows. Reverts: Table_WrongPhase, Table_NotOnTurn, Table_NoKeepAliveLeft.
    function keepAlive(uint256 id) external;

    /// @notice Offer a draw in the position `moveNumber`. When all seats offer it in one position,
    ///         the game is drawn. While Playing or Waiting.
    ///         Reverts: Table_WrongPhase, Table_NotSeated, Table_StaleOffer, Table_AlreadyOffered.
    function offerDraw(uint256 id, uint256 moveNumber) external;

    /// @notice Give the game to the other seats: while Drawing, Playing or Waiting.
    ///         Reverts: Table_WrongPhase, Table_NotSeated.
    function resign(uint256 id) external;

    /// @notice End the game against the player on turn, from second deadline + 1 on. For the others.
    ///         Reverts: Table_WrongPhase, Table_NotSeated, Table_OwnTimeout, Table_DeadlineNotPassed; with
    ///         dice DiceTable_RollPending.
    function claimTimeout(uint256 id) external;

    /// @notice Say that a proof did not come within its clock (`clocks().proof` from when it was asked
    ///         for); the game's rule decides what follows.
    ///         Open to anyone. Reverts: Table_WrongPhase, Table_ProofNotAsked, Table_DeadlineNotPassed.
    function closeProof(uint256 id, uint8 seat) external;

    /// @notice Announce the void of a game that waits too long. Open to anyone.
    ///         Reverts: Table_WrongPhase, Table_VoidAlreadyAnnounced, Table_VoidTooEarly.
    function announceVoid(uint256 id) external;

    /// @notice Void an announced game that still waits: stakes back. Open to anyone.
    ///         Reverts: Table_WrongPhase, Table_VoidNotAnnounced, Table_VoidTooEarly.
    function voidGame(uint256 id) external;

    // ── Session keys ──

    /// @notice Let `key` act for the sender up to and including second `until`, and send it the value as
    ///         gas money. Again for the same key: a new end.
    /// @param consent The key's EIP-712 signature of SessionConsent(address player,uint256 until)
    ///        under the domain (name "Fogbound Table", version "1", chain id, this contract).
    ///        Reverts: Table_SessionOutOfRange, Table_SenderIsKey, Table_KeyIsPlayer,
    ///        Table_KeyServesOther, Table_ConsentInvalid, Table_PaymentRefused.
    function authorize(address key, uint256 until, bytes calldata consent) external payable;

    /// @notice End a key of the sender's now. Reverts: Table_NotOwnKey, Table_SessionEnded.
    function revoke(address key) external;

    // ── Money ──

    /// @notice Pay the sender's own credit to `to`. Reverts: Table_NothingToWithdraw,
    ///         Table_PaymentRefused.
    function withdraw(address to) external;

    /// @notice Pay the pool to `to`; for the pool's owner.
    ///         Reverts: Table_NotPoolOwner, Table_NothingToWithdraw, Table_PaymentRefused.
    function withdrawPool(address to) external;

    // ── Views ──

    /// @notice Number of games ever opened; ids count from 1.
    function gameCount() external view returns (uint256);

    /// @notice The state of a game (all zero if there is none).
    function turnOf(uint256 id) external view returns (Turn memory);

    /// @notice Who sits where, zero for an empty seat; what each seat pays; and, while a challenge is
    ///         Open, who may join it.
    function seatsOf(
        uint256 id
    ) external view returns (address[] memory players, uint256 stake, address opponent);

    /// @notice Last second of `seat`'s proof clock (0 = never asked), and whether a proof is still owed.
    function proofClockOf(uint256 id, uint8 seat) external view returns (uint256 deadline, bool owed);

    /// @notice Whom `key` may act for, and up to which second (0 once revoked). Zero if it is no key.
    function sessionOf(address key) external view returns (address player, uint256 until);

    function clocks() external view returns (Clocks memory);

    function timeControls() external view returns (TimeControl[] memory);

    function creditOf(address account) external view returns (uint256);

    function pool() external view returns (uint256);

    function poolOwner() external view returns (address);
}
