// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ZamaEthereumConfig} from "@fhevm/solidity/config/ZamaConfig.sol";
import {FHE, ebool, euint8, externalEbool} from "@fhevm/solidity/lib/FHE.sol";
import {FheType} from "@fhevm/solidity/lib/FheType.sol";
import {IFHEVMExecutor, Impl} from "@fhevm/solidity/lib/Impl.sol";

import {Table} from "../table/Table.sol";
import {IBunkerWar} from "./IBunkerWar.sol";
import {Progress, ProgressLibrary} from "./Progress.sol";

/// @title Bunker War Z (the manual is IBunkerWar)
/// @dev Permissions are permanent, so few are given: the contract and the builder on each building, the
///      contract on each lane's stop. What is counted at the end is the contract's for that transaction.
contract BunkerWar is IBunkerWar, Table, ZamaEthereumConfig {
    uint8 private constant MAX_LANES = 8;
    uint8 private constant MIN_DEPTH = 2;
    uint8 private constant MAX_DEPTH = 8;
    uint8 private constant TIE = 2;

    /// @dev One slot. `built` is written by builds only: what a missile destroyed since then is told by the
    ///      Progress in `turn.data` (`_strikeOff` takes it off). A build comes between any two missiles of
    ///      a player, so each board has at most one such strike, and missiles need not touch this slot.
    struct Ground {
        uint128 built;
        uint8 lanes;
        uint8 depth;
        bool stacked;
    }

    mapping(uint256 id => Ground) private _grounds;

    /// @dev By 64 * seat + 8 * lane + depth. A handle counts only where something stands; those of
    ///      destroyed houses stay, so that building there again is cheaper.
    mapping(uint256 id => ebool[128]) private _cells;

    /// @dev By 8 * seat + lane: depth + 1 of the outermost bunker, 0 if there is none. No handle: nothing
    ///      about it is hidden. The lane is empty, or its outermost building is a bunker that a missile
    ///      has stopped at.
    mapping(uint256 id => euint8[16]) private _stops;

    /// @dev The winning seat, or 2 for a tie; no handle before the last action.
    mapping(uint256 id => euint8) private _results;

    /// @dev The encrypted constants 0-8, made once: a constant costs more than reading one.
    euint8[9] private _constants;

    constructor(
        address poolOwner_,
        Clocks memory clocks_,
        TimeControl[] memory controls
    ) Table(poolOwner_, clocks_, controls) {
        for (uint8 value = 0; value <= MAX_DEPTH; value++) {
            _constants[value] = FHE.asEuint8(value);
            FHE.allowThis(_constants[value]);
        }
    }

    // -- Seats --

    function open(
        uint8 lanes,
        uint8 depth,
        bool stacked,
        uint8 control,
        address opponent
    ) external payable returns (uint256 id) {
        id = _open(_parameters(lanes, depth, stacked), 2, control, opponent);
        _begin(id, lanes, depth, stacked);
    }

    function join(uint256 id) external payable {
        _join(id);
    }

    function quickMatch(
        uint8 lanes,
        uint8 depth,
        bool stacked,
        uint8 control
    ) external payable returns (uint256 id, uint8 seat) {
        (id, seat) = _quickMatch(_parameters(lanes, depth, stacked), 2, control);
        if (seat == 0) _begin(id, lanes, depth, stacked);
    }

    function _begin(uint256 id, uint8 lanes, uint8 depth, bool stacked) private {
        Ground storage ground = _grounds[id];
        (ground.lanes, ground.depth, ground.stacked) = (lanes, depth, stacked);
    }

    function _parameters(uint8 lanes, uint8 depth, bool stacked) private pure returns (bytes memory) {
        require(
            lanes != 0 && lanes <= MAX_LANES && depth >= MIN_DEPTH && depth <= MAX_DEPTH,
            BunkerWar_SizeOutOfRange(lanes, depth)
        );
        return abi.encode(lanes, depth, stacked);
    }

    function _onDrawn(uint256 id, Turn memory turn, uint256) internal view override {
        Ground memory ground = _grounds[id];
        _write(turn, ProgressLibrary.start(2 * ground.lanes * ground.depth));
    }

    // -- Actions --

    function build(
        uint256 id,
        uint8 lane,
        uint8 depth,
        externalEbool isBunker,
        bytes calldata proof
    ) external {
        Turn memory turn = _games[id].turn;
        address player = _onTurn(id, turn);
        Ground memory ground = _grounds[id];
        _strikeOff(ground, turn);
        uint8 seat = turn.onTurn;
        _requireFree(id, ground, seat, lane, depth);
        ebool bunker = _takeInput(id, isBunker, proof);
        FHE.allowThis(bunker);
        FHE.allow(bunker, player);
        _cells[id][_cell(seat, lane, depth)] = bunker;
        _moveStop(_stops[id], _lane(seat, lane), _laneOf(ground, seat, lane), depth, bunker);
        ground.built |= _bit(seat, lane, depth);
        _grounds[id].built = ground.built;
        _write(turn, _progress(turn).arm(seat));
        emit BuildingPlaced(id, seat, lane, depth);
        _endAction(id, turn);
    }

    function sendMissile(uint256 id, uint8 lane) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        uint8 seat = turn.onTurn;
        require(!_progress(turn).isSpent(seat), BunkerWar_MissileNotArmed(id, seat));
        _write(turn, _progress(turn).spend(seat));
        if (lane < MAX_LANES) {
            // Only a lane that exists has a handle.
            euint8 stop = _stops[id][_lane(_other(seat), lane)];
            if (FHE.isInitialized(stop)) return _launch(id, turn, lane, stop);
        }
        Ground memory ground = _grounds[id];
        _strikeOff(ground, turn);
        require(lane < ground.lanes, BunkerWar_LaneOutOfRange(id, lane, ground.lanes));
        emit MissileResolved(id, seat, lane, _height(_laneOf(ground, _other(seat), lane)));
        _endAction(id, turn);
    }

    function _launch(uint256 id, Turn memory turn, uint8 lane, euint8 stop) private {
        _write(turn, _progress(turn).aim(lane));
        _wait(id, turn);
        emit MissileSent(id, turn.onTurn, lane, euint8.unwrap(stop));
        FHE.makePubliclyDecryptable(stop);
    }

    /// @dev The last action leads to the counting, every other one to the opponent's turn.
    function _endAction(uint256 id, Turn memory turn) private {
        Progress progress = _progress(turn).countAction();
        _write(turn, progress);
        if (progress.left() != 0) return _advance(id, turn, _other(turn.onTurn));
        _wait(id, turn);
        Ground memory ground = _grounds[id];
        _strikeOff(ground, turn);
        euint8 result = _compare(id, ground);
        _results[id] = result;
        emit CountingStarted(id, euint8.unwrap(result));
        FHE.makePubliclyDecryptable(result);
    }

    // -- Decryptions --

    function resolveMissile(uint256 id, uint8 stop, bytes calldata proof) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Waiting);
        Progress progress = _progress(turn);
        require(progress.left() != 0, BunkerWar_NoMissileInFlight(id));
        uint8 owner = _other(turn.onTurn);
        uint8 lane = progress.target();
        uint8 index = _lane(owner, lane);
        _checkDecryption(_stops[id][index], stop, proof);
        _stops[id][index] = euint8.wrap(0);
        _write(turn, progress.strike(owner, lane, stop));
        emit MissileResolved(id, turn.onTurn, lane, stop);
        _endAction(id, turn);
    }

    function settle(uint256 id, uint8 result, bytes calldata proof) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Waiting);
        require(_progress(turn).left() == 0, BunkerWar_NotCounting(id));
        _checkDecryption(_results[id], result, proof);
        emit ResultSettled(id, result);
        if (result == TIE) _endDrawn(id, turn, Outcome.Drawn);
        else _endWon(id, turn, Outcome.Won, uint8(1) << result);
    }

    /// @dev The handle comes from storage, so that a proof fits no other lane, missile or game.
    function _checkDecryption(euint8 value, uint8 cleartext, bytes calldata proof) private {
        bytes32[] memory handles = new bytes32[](1);
        handles[0] = euint8.unwrap(value);
        FHE.checkSignatures(handles, abi.encode(cleartext), proof);
    }

    // -- Views --

    function positionOf(uint256 id) external view returns (Position memory) {
        Turn memory turn = _games[id].turn;
        Ground memory ground = _grounds[id];
        _strikeOff(ground, turn);
        Progress progress = _progress(turn);
        return
            Position({
                built: [uint64(ground.built), uint64(ground.built >> 64)],
                lanes: ground.lanes,
                depth: ground.depth,
                stacked: ground.stacked,
                left: progress.left(),
                spent: progress.spent(),
                target: progress.target()
            });
    }

    function boardOf(uint256 id, uint8 seat) external view returns (ebool[][] memory cells) {
        require(seat < 2, BunkerWar_SeatOutOfRange(seat));
        Ground memory ground = _grounds[id];
        _strikeOff(ground, _games[id].turn);
        cells = new ebool[][](ground.lanes);
        for (uint8 lane = 0; lane < ground.lanes; lane++) {
            cells[lane] = new ebool[](ground.depth);
            for (uint8 depth = 0; depth < ground.depth; depth++) {
                if (ground.built & _bit(seat, lane, depth) == 0) continue;
                cells[lane][depth] = _cells[id][_cell(seat, lane, depth)];
            }
        }
    }

    function awaitedOf(uint256 id) external view returns (bytes32 handle) {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Waiting);
        Progress progress = _progress(turn);
        if (progress.left() == 0) return euint8.unwrap(_results[id]);
        return euint8.unwrap(_stops[id][_lane(_other(turn.onTurn), progress.target())]);
    }

    // -- Boards --

    /// @dev What was destroyed since the last build no longer stands.
    function _strikeOff(Ground memory ground, Turn memory turn) private pure {
        ground.built &= ~_progress(turn).destroyed();
    }

    function _requireFree(
        uint256 id,
        Ground memory ground,
        uint8 seat,
        uint8 lane,
        uint8 depth
    ) private pure {
        require(lane < ground.lanes, BunkerWar_LaneOutOfRange(id, lane, ground.lanes));
        require(depth < ground.depth, BunkerWar_DepthOutOfRange(id, depth, ground.depth));
        require(ground.built & _bit(seat, lane, depth) == 0, BunkerWar_CellOccupied(id, lane, depth));
        require(
            !ground.stacked || depth == 0 || ground.built & _bit(seat, lane, depth - 1) != 0,
            BunkerWar_CellUnsupported(id, lane, depth)
        );
    }

    function _other(uint8 seat) private pure returns (uint8) {
        return seat ^ 1;
    }

    function _lane(uint8 seat, uint8 lane) private pure returns (uint8) {
        return (seat << 3) | lane;
    }

    function _cell(uint8 seat, uint8 lane, uint8 depth) private pure returns (uint8) {
        return (seat << 6) | (lane << 3) | depth;
    }

    function _bit(uint8 seat, uint8 lane, uint8 depth) private pure returns (uint128) {
        return uint128(1) << _cell(seat, lane, depth);
    }

    /// @dev Bit d: something stands at depth d.
    function _laneOf(Ground memory ground, uint8 seat, uint8 lane) private pure returns (uint8) {
        return uint8(ground.built >> _cell(seat, lane, 0));
    }

    /// @dev Depth + 1 of the outermost building of a lane.
    function _height(uint8 lane) private pure returns (uint8 height) {
        for (; lane != 0; lane >>= 1) height++;
    }

    function _progress(Turn memory turn) private pure returns (Progress) {
        return Progress.wrap(turn.data);
    }

    function _write(Turn memory turn, Progress progress) private pure {
        turn.data = Progress.unwrap(progress);
    }

    // -- Encrypted values --

    /// @dev Asks the executor itself: the library's `fromExternal` would take an empty proof for handle 0 and
    ///      for any handle that the sender may read, and would let the sender use the bit in this transaction
    ///      too. That the contract may use a handle for good means that an earlier build brought it.
    function _takeInput(uint256 id, externalEbool input, bytes calldata proof) private returns (ebool) {
        require(proof.length != 0, BunkerWar_EmptyInputProof(id));
        bytes32 handle = externalEbool.unwrap(input);
        require(!Impl.persistAllowed(handle, address(this)), BunkerWar_InputUsed(id, handle));
        IFHEVMExecutor executor = IFHEVMExecutor(Impl.getCoprocessorConfig().CoprocessorAddress);
        return ebool.wrap(executor.verifyInput(handle, msg.sender, proof, FheType.Bool));
    }

    /// @dev A lane's stop after a build at `depth`; `lane` is what stood there before. A building outside
    ///      all others decides alone if it is a bunker; one below others counts only if no bunker is
    ///      further out.
    function _moveStop(euint8[16] storage stops, uint8 index, uint8 lane, uint8 depth, ebool bunker) private {
        euint8 stop = stops[index];
        bool outermost = lane >> depth == 0;
        if (!FHE.isInitialized(stop)) {
            if (!outermost) return; // below a bunker that everybody knows
            stop = _constants[_height(lane)];
        }
        euint8 moved = outermost ? _constants[depth + 1] : FHE.max(stop, depth + 1);
        stop = FHE.select(bunker, moved, stop);
        FHE.allowThis(stop);
        stops[index] = stop;
    }

    /// @dev Houses = standing - bunkers. Both sides have the bunkers of both boards added, so that nothing
    ///      is subtracted. 0: the first seat is ahead; 1: the second; 1 + 1: neither.
    function _compare(uint256 id, Ground memory ground) private returns (euint8) {
        euint8 first = FHE.add(_countBunkers(id, ground, 1), _countBuildings(ground, 0));
        euint8 second = FHE.add(_countBunkers(id, ground, 0), _countBuildings(ground, 1));
        return FHE.add(FHE.asEuint8(FHE.le(first, second)), FHE.asEuint8(FHE.eq(first, second)));
    }

    /// @dev Lane by lane: one chain of 63 additions would exceed the protocol's depth limit.
    function _countBunkers(uint256 id, Ground memory ground, uint8 seat) private returns (euint8 total) {
        for (uint8 lane = 0; lane < ground.lanes; lane++) {
            euint8 bunkers;
            for (uint8 depth = 0; depth < ground.depth; depth++) {
                if (ground.built & _bit(seat, lane, depth) == 0) continue;
                bunkers = _sum(bunkers, FHE.asEuint8(_cells[id][_cell(seat, lane, depth)]));
            }
            if (FHE.isInitialized(bunkers)) total = _sum(total, bunkers);
        }
        if (!FHE.isInitialized(total)) total = _constants[0];
    }

    /// @dev No handle stands for nothing to add to.
    function _sum(euint8 total, euint8 more) private returns (euint8) {
        return FHE.isInitialized(total) ? FHE.add(total, more) : more;
    }

    function _countBuildings(Ground memory ground, uint8 seat) private pure returns (uint8 buildings) {
        uint64 built = uint64(ground.built >> (64 * seat));
        for (; built != 0; built &= built - 1) buildings++;
    }
}
