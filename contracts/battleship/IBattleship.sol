// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ITable} from "../table/ITable.sol";

/// @title Battleship: boards that stay private, answers that cannot be false
/// @notice Two players. Seats, stakes, first move, clock, payout: ITable.
///
///         A board has size x size cells (size 6, 8, 10, 12, 14 or 20); cell = y * size + x, x the column
///         and y the row, both from 0 at the top left. Each player commits a Merkle root of
///         their cells when they open or join:
///
///             boardKey = keccak256(seed, placement)        salt_i = keccak256(boardKey, uint256 i)
///             gameKey  = keccak256(abi.encode(keccak256("Fogbound Battleship"), chain id, this contract,
///                                             player, nonce, size))
///             leaf_i   = keccak256(abi.encode(gameKey, i, isShip, salt_i))
///
///         Leaves are padded with zero words to 2^depth (depth 6, 6, 7, 8, 8, 9); a node is
///         keccak256(left, right); bit k of the index says on which side sibling k of a proof stands.
///
///         A placement is bytes16, two bytes a ship, zeros after the last one: from the highest bit 0,
///         kind (3 bits), 0, vertical (1), y (5), x (5); x, y is the ship's top-left cell.
///
///         In a turn a player first answers the shot at their own board, then fires. Who has hit every
///         fleet cell, or fired at every cell, has won the shooting. However the shooting ends, whoever
///         gains from it must prove their own board before they are paid (the first ProofAsked names them).
///
///         Warning: after a reveal everybody can read that board. A seed must never be used again.
interface IBattleship is ITable {
    /// @notice In the order of the contract's numbers; lengths 2, 3, 3, 4, 5, 6.
    enum Kind {
        None,
        Destroyer,
        Cruiser,
        Submarine,
        Battleship,
        Carrier,
        SuperCarrier
    }

    /// @notice How the proving came out.
    enum Verdict {
        None, // not decided, or the game ended without proving (a draw)
        Fair, // whoever gained from the shooting proved their board
        FailedToProvideProof, // they did not, and the other did
        Null // neither did
    }

    /// @notice What a reveal has shown of a board.
    enum Honesty {
        Unknown,
        Honest,
        Dishonest // an illegal fleet, or a sunk claim that was false or left out
    }

    /// @notice What a player commits when they take their seat.
    /// @param nonce How many commitments they made here before: `nextNonce(player)`.
    /// @param root Merkle root of their board.
    /// @param sealedPlacement Not looked at, only published: what they alone can open again.
    struct Commitment {
        uint256 nonce;
        bytes32 root;
        bytes32 sealedPlacement;
    }

    /// @notice The public state of the shooting.
    /// @param size Columns, and rows, of each board.
    /// @param shots Shots fired by both together.
    /// @param hits Hits at the board of each seat.
    /// @param answerDue Whether the seat on turn owes an answer, to a shot at `target`.
    struct Shooting {
        uint256 size;
        uint256 shots;
        uint256[2] hits;
        bool answerDue;
        uint256 target;
    }

    event BoardCommitted(
        uint256 indexed id,
        uint8 seat,
        uint256 nonce,
        bytes32 root,
        bytes32 sealedPlacement
    );
    /// @param seat Who fired, at the other's board.
    event ShotFired(uint256 indexed id, uint8 seat, uint256 cell);
    /// @param seat Who answered, for their own board. @param sunk The ship that they say it sank.
    event ShotAnswered(uint256 indexed id, uint8 seat, uint256 cell, bool hit, Kind sunk);
    /// @notice `seat` opened a cell with what is not in their board, and is out.
    event OpeningFalse(uint256 indexed id, uint8 seat, uint256 cell);
    event BoardRevealed(uint256 indexed id, uint8 seat, bytes16 placement, bytes32 seed, bool honest);

    error Battleship_SizeUnknown(uint256 size);
    error Battleship_WrongNonce(address player, uint256 given, uint256 expected);
    error Battleship_CellOutOfRange(uint256 cell, uint256 cells);
    error Battleship_AlreadyFired(uint256 id, uint256 cell);
    /// @notice The shot at `cell` of the own board must be answered first.
    error Battleship_AnswerDue(uint256 id, uint256 cell);
    error Battleship_NoAnswerDue(uint256 id);
    error Battleship_WrongCell(uint256 id, uint256 given, uint256 target);
    error Battleship_WrongProofLength(uint256 given, uint256 expected);
    error Battleship_SunkWithoutHit(uint256 id, Kind sunk);
    error Battleship_WrongRoot(uint256 id, uint8 seat);
    error Battleship_AlreadyRevealed(uint256 id, uint8 seat);
    /// @notice Nothing to prove: no proving was asked for, or the time for it is over.
    error Battleship_RevealClosed(uint256 id, uint8 seat);

    /// @notice Open a game with the value as stake, to be played with that one of `timeControls()`.
    ///         `opponent` alone may join, or zero: anyone.
    ///         Reverts: Battleship_SizeUnknown, Battleship_WrongNonce, Table_ControlOutOfRange,
    ///         Table_StakeTooLarge, Table_OpponentIsSelf, Table_SessionEnded.
    function open(
        uint256 size,
        Commitment calldata commitment,
        uint8 control,
        address opponent
    ) external payable;

    /// @notice Take the free seat with the same stake.
    ///         Reverts: Battleship_WrongNonce, Table_WrongPhase, Table_WrongStake, Table_NotInvited,
    ///         Table_AlreadySeated.
    function join(uint256 id, Commitment calldata commitment) external payable;

    /// @notice Join the game of this size, time control and stake that waits longest, or open one. As
    ///         `open`.
    function quickMatch(uint256 size, Commitment calldata commitment, uint8 control) external payable;

    /// @notice Fire at `cell` of the other's board; then the other is on turn.
    ///         Reverts: Table_NotOnTurn, Table_WrongPhase, Battleship_AnswerDue,
    ///         Battleship_CellOutOfRange, Battleship_AlreadyFired.
    function fire(uint256 id, uint256 cell) external;

    /// @notice Answer the shot at the own board by opening its leaf; the same player stays on turn, to
    ///         fire. `sunk` names the ship that this hit completes, or None. An opening that does not
    ///         lead to the root is a verdict: the sender is out, and the other must prove theirs.
    ///         Reverts: Table_NotOnTurn, Table_WrongPhase, Battleship_NoAnswerDue,
    ///         Battleship_WrongCell, Battleship_WrongProofLength, Battleship_SunkWithoutHit.
    function answer(
        uint256 id,
        uint256 cell,
        bool isShip,
        bytes32 salt,
        bytes32[] calldata proof,
        Kind sunk
    ) external;

    /// @notice `answer`, then `fire` at `next`: a whole turn. When the answer ends the shooting, `next`
    ///         is ignored. Reverts: as both.
    function answerAndFire(
        uint256 id,
        uint256 cell,
        bool isShip,
        bytes32 salt,
        bytes32[] calldata proof,
        Kind sunk,
        uint256 next
    ) external;

    /// @notice Prove the own board, once. Asked for while Proving, also after the own clock as long as
    ///         nobody has closed it. The loser of a Fair game may reveal too, until the turn's
    ///         deadline (a full proof clock from the end, or more): that shows whether they were honest,
    ///         and moves no money.
    ///         A placement or seed that is not the committed one reverts; a committed board with an
    ///         illegal fleet, or a sunk claim that it does not bear out, is dishonest.
    ///         Reverts: Table_NotSeated, Table_ProofNotAsked, Battleship_WrongRoot,
    ///         Battleship_AlreadyRevealed, Battleship_RevealClosed.
    function reveal(uint256 id, bytes16 placement, bytes32 seed) external;

    /// @notice A random word, chosen at deployment: tells this contract from one at the same address on
    ///         a chain that was reset.
    function deploymentId() external view returns (bytes32);

    /// @notice The nonce that `player`'s next commitment must carry.
    function nextNonce(address player) external view returns (uint256);

    /// @notice The shooting in a game (all zero if there is none).
    function shootingOf(uint256 id) external view returns (Shooting memory);

    /// @notice What a seat committed, and what its reveal has shown.
    function boardOf(
        uint256 id,
        uint8 seat
    ) external view returns (bytes32 root, uint256 nonce, Honesty honesty);

    /// @notice Bit `cell` is set where the board of `seat` was shot at.
    function firedAt(uint256 id, uint8 seat) external view returns (uint256[2] memory);

    function verdictOf(uint256 id) external view returns (Verdict);
}
