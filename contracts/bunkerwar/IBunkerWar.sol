// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ebool, externalEbool} from "encrypted-types/EncryptedTypes.sol";

import {ITable} from "../table/ITable.sol";

/// @title Bunker War Z: two players, two boards, one encrypted bit a building
/// @notice Each player builds on their own board of `lanes` x `depth` cells; depth 0 is the base end, the
///         last depth faces the enemy. Seat, lane and depth count from 0.
///
///         An action is a build, or a missile at a lane of the opponent's board. A house that stands at
///         the end is one point. A bunker is none, is never destroyed, and protects what stands at a
///         smaller depth of its lane: a missile enters at the last depth, destroys every house that it
///         passes, and stops at the first bunker. A player needs one own build between two missiles. The
///         game ends when each player has acted `lanes * depth` times.
///
///         Everybody sees what is built where; what it is, is one encrypted bit (false: house, true:
///         bunker) that only its builder can decrypt. Two kinds of values are ever published: where a
///         missile stopped, and who won.
///
///         The table's phase Waiting means one of two things here: a missile is in flight, or, after the
///         last action, the bunkers are counted. Either ends when somebody brings the decryption
///         (`resolveMissile`, `settle`), which is open to anyone. A proof that the key management
///         service did not sign for that very value reverts in Zama's library or contracts
///         (KMSInvalidSigner, EmptyDecryptionProof, ...).
///
///         Warning: whoever makes the last action also pays for the counting: about 27,000 gas for each
///         building on either board.
interface IBunkerWar is ITable {
    /// @notice The public state of a game.
    /// @param built What stands on each seat's board: bit 8 * lane + depth.
    /// @param lanes 1-8. @param depth 2-8.
    /// @param stacked Whether a build must stand on depth 0 or on a building.
    /// @param left Actions of both players that are still to come.
    /// @param spent Mask of the seats whose last action was a missile.
    /// @param target While a missile is in flight: its lane.
    struct Position {
        uint64[2] built;
        uint8 lanes;
        uint8 depth;
        bool stacked;
        uint8 left;
        uint8 spent;
        uint8 target;
    }

    event BuildingPlaced(uint256 indexed id, uint8 seat, uint8 lane, uint8 depth);
    /// @param seat Who sent it. @param stop The handle of where it stops, now publicly decryptable.
    event MissileSent(uint256 indexed id, uint8 seat, uint8 lane, bytes32 stop);
    /// @notice Every building of the lane at depth `stop` and beyond is destroyed (they were houses).
    /// @param seat Who sent it. @param stop 0: it flew through. d + 1: a bunker at depth d stopped it.
    event MissileResolved(uint256 indexed id, uint8 seat, uint8 lane, uint8 stop);
    /// @param result The handle of the result, now publicly decryptable.
    event CountingStarted(uint256 indexed id, bytes32 result);
    /// @param result The winning seat, or 2 for a tie.
    event ResultSettled(uint256 indexed id, uint8 result);

    error BunkerWar_SizeOutOfRange(uint8 lanes, uint8 depth);
    error BunkerWar_SeatOutOfRange(uint8 seat);
    error BunkerWar_LaneOutOfRange(uint256 id, uint8 lane, uint8 lanes);
    error BunkerWar_DepthOutOfRange(uint256 id, uint8 depth, uint8 limit);
    error BunkerWar_CellOccupied(uint256 id, uint8 lane, uint8 depth);
    /// @notice Stacked: nothing stands below.
    error BunkerWar_CellUnsupported(uint256 id, uint8 lane, uint8 depth);
    error BunkerWar_MissileNotArmed(uint256 id, uint8 seat);
    /// @notice A bit is taken with its attestation only, also one that the sender may read already.
    error BunkerWar_EmptyInputProof(uint256 id);
    /// @notice An accepted build has used this handle. Equal handles would show equal buildings.
    error BunkerWar_InputUsed(uint256 id, bytes32 input);
    /// @notice The game waits for the result, not for a missile.
    error BunkerWar_NoMissileInFlight(uint256 id);
    /// @notice The game waits for a missile, not for the result.
    error BunkerWar_NotCounting(uint256 id);

    // -- Seats --

    /// @notice Open a game with the value as stake, in wei; the actor sits on seat 0.
    /// @param control Which of `timeControls()` the game is played with, from 0.
    /// @param opponent Who alone may join, or zero.
    ///        Reverts: BunkerWar_SizeOutOfRange, and as ITable says of opening.
    function open(
        uint8 lanes,
        uint8 depth,
        bool stacked,
        uint8 control,
        address opponent
    ) external payable returns (uint256 id);

    /// @notice Take the other seat with the same stake; the first seat is drawn two blocks later.
    ///         Reverts: Table_WrongPhase, Table_WrongStake, Table_NotInvited, Table_AlreadySeated.
    function join(uint256 id) external payable;

    /// @notice Join the game that waits longest with these parameters, this time control and the value
    ///         as stake, else open one. Reverts as `open`.
    function quickMatch(
        uint8 lanes,
        uint8 depth,
        bool stacked,
        uint8 control
    ) external payable returns (uint256 id, uint8 seat);

    // -- Actions, for the player on turn or their session key --

    /// @notice Build in an empty cell of the own board. The player, not their key, can decrypt the bit.
    /// @param isBunker An encrypted bit, made for this contract and the transaction's sender.
    /// @param proof Its attestation, not empty.
    ///        Warning: encrypt anew for each attempt. A failed transaction has shown the ciphertext, and
    ///        using it again, here or in another game, shows that the two are equal.
    ///        Reverts: as every move of ITable; BunkerWar_LaneOutOfRange, BunkerWar_DepthOutOfRange,
    ///        BunkerWar_CellOccupied, BunkerWar_CellUnsupported, BunkerWar_EmptyInputProof,
    ///        BunkerWar_InputUsed; Zama's InvalidSigner and others for a wrong proof.
    function build(
        uint256 id,
        uint8 lane,
        uint8 depth,
        externalEbool isBunker,
        bytes calldata proof
    ) external;

    /// @notice Send a missile at a lane of the opponent's board. Where the lane is empty, or its outermost
    ///         building is a bunker that a missile has stopped at, the stop is known at once; else it is
    ///         made publicly decryptable, and the game waits.
    ///         Reverts: as every move of ITable; BunkerWar_LaneOutOfRange, BunkerWar_MissileNotArmed.
    function sendMissile(uint256 id, uint8 lane) external;

    // -- Decryptions, open to anyone --

    /// @notice Say where the missile in flight stops.
    /// @param proof The key management service's signatures.
    ///        Reverts: Table_WrongPhase, BunkerWar_NoMissileInFlight; Zama's for a wrong proof.
    function resolveMissile(uint256 id, uint8 stop, bytes calldata proof) external;

    /// @notice Say who won: the seat, or 2 for a tie. Ends the game and pays.
    ///         Reverts: Table_WrongPhase, BunkerWar_NotCounting; Zama's for a wrong proof.
    function settle(uint256 id, uint8 result, bytes calldata proof) external;

    // -- Views (all zero for a game that does not exist) --

    function positionOf(uint256 id) external view returns (Position memory);

    /// @notice The handles of a seat's buildings, `cells[lane][depth]`; zero where nothing stands.
    ///         Reverts: BunkerWar_SeatOutOfRange.
    function boardOf(uint256 id, uint8 seat) external view returns (ebool[][] memory cells);

    /// @notice The handle that a Waiting game waits for: of the missile's stop, or of the result.
    ///         Reverts: Table_WrongPhase.
    function awaitedOf(uint256 id) external view returns (bytes32 handle);
}
