// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Table} from "../table/Table.sol";
import {BoardTree} from "./BoardTree.sol";
import {HitLog} from "./HitLog.sol";
import {IBattleship} from "./IBattleship.sol";
import {Placement} from "./Placement.sol";
import {ShootingState, ShootingLibrary} from "./Shooting.sol";

/// @title Battleship by commitments and Merkle proofs; the manual is IBattleship
contract Battleship is IBattleship, Table {
    using HitLog for HitLog.Log;
    using Placement for Placement.Layout;

    /// @dev `fired`: bit `cell` of the two words is set where this board was shot at.
    struct Board {
        bytes32 root;
        HitLog.Log log;
        uint256[2] fired;
    }

    bytes32 public immutable deploymentId;
    mapping(address player => uint256) public nextNonce;
    mapping(uint256 id => Board[2]) private _boards;

    constructor(
        address poolOwner_,
        Clocks memory clocks_,
        TimeControl[] memory controls,
        bytes32 deploymentId_
    ) Table(poolOwner_, clocks_, controls) {
        deploymentId = deploymentId_;
    }

    // ── Opening ──

    function open(
        uint256 size,
        Commitment calldata commitment,
        uint8 control,
        address opponent
    ) external payable {
        _begin(_open(_parameters(size), 2, control, opponent), size, commitment);
    }

    function join(uint256 id, Commitment calldata commitment) external payable {
        _commit(id, _join(id), commitment);
    }

    function quickMatch(uint256 size, Commitment calldata commitment, uint8 control) external payable {
        (uint256 id, uint8 seat) = _quickMatch(_parameters(size), 2, control);
        if (seat == 0) _begin(id, size, commitment);
        else _commit(id, seat, commitment);
    }

    function _parameters(uint256 size) private pure returns (bytes memory) {
        require(Placement.fleetOf(size) != 0, Battleship_SizeUnknown(size));
        return abi.encode(size);
    }

    function _begin(uint256 id, uint256 size, Commitment calldata commitment) private {
        _games[id].turn.data = ShootingState.unwrap(ShootingLibrary.begin(size));
        _commit(id, 0, commitment);
    }

    function _commit(uint256 id, uint8 seat, Commitment calldata commitment) private {
        address player = _playerOf(id, seat);
        uint256 nonce = nextNonce[player];
        require(commitment.nonce == nonce, Battleship_WrongNonce(player, commitment.nonce, nonce));
        nextNonce[player] = nonce + 1;
        Board storage board = _boards[id][seat];
        (board.root, board.log.nonce) = (commitment.root, uint40(nonce));
        emit BoardCommitted(id, seat, nonce, commitment.root, commitment.sealedPlacement);
    }

    // ── Shooting ──

    function fire(uint256 id, uint256 cell) external {
        Turn memory turn = _games[id].turn;
        _onTurn(id, turn);
        ShootingState shooting = ShootingState.wrap(turn.data);
        require(!shooting.answerDue(), Battleship_AnswerDue(id, shooting.target()));
        _fire(id, turn, cell);
    }

    function answer(
        uint256 id,
        uint256 cell,
        bool isShip,
        bytes32 salt,
        bytes32[] calldata proof,
        Kind sunk
    ) external {
        Turn memory turn = _games[id].turn;
        address player = _onTurn(id, turn);
        if (_answer(id, turn, player, cell, isShip, salt, proof, sunk)) {
            _advance(id, turn, turn.onTurn);
        }
    }

    function answerAndFire(
        uint256 id,
        uint256 cell,
        bool isShip,
        bytes32 salt,
        bytes32[] calldata proof,
        Kind sunk,
        uint256 next
    ) external {
        Turn memory turn = _games[id].turn;
        address player = _onTurn(id, turn);
        if (_answer(id, turn, player, cell, isShip, salt, proof, sunk)) _fire(id, turn, next);
    }

    function _fire(uint256 id, Turn memory turn, uint256 cell) private {
        ShootingState shooting = ShootingState.wrap(turn.data);
        uint256 size = shooting.size();
        require(cell < size * size, Battleship_CellOutOfRange(cell, size * size));
        (uint8 seat, uint8 other) = (turn.onTurn, _nextSeat(turn));
        uint256[2] storage fired = _boards[id][other].fired;
        (uint256 word, uint256 bit) = (fired[cell >> 8], 1 << (cell & 255));
        require(word & bit == 0, Battleship_AlreadyFired(id, cell));
        fired[cell >> 8] = word | bit;
        turn.data = ShootingState.unwrap(shooting.withShot(cell));
        _advance(id, turn, other);
        emit ShotFired(id, seat, cell);
    }

    /// @return on Whether the shooting goes on; then `turn` is still to be stored.
    function _answer(
        uint256 id,
        Turn memory turn,
        address player,
        uint256 cell,
        bool isShip,
        bytes32 salt,
        bytes32[] calldata proof,
        Kind sunk
    ) private returns (bool on) {
        ShootingState shooting = _checkAnswer(id, turn, cell, proof.length);
        require(isShip || sunk == Kind.None, Battleship_SunkWithoutHit(id, sunk));
        uint8 seat = turn.onTurn;
        Board storage board = _boards[id][seat];
        bytes32 key = BoardTree.gameKey(player, board.log.nonce, shooting.size());
        if (BoardTree.rootFrom(key, cell, isShip, salt, proof) != board.root) {
            emit OpeningFalse(id, seat, cell);
            _endShooting(id, turn, 1 - seat, Outcome.Won, true);
            return false;
        }
        if (isShip) {
            board.log.append(shooting.hits(seat), cell, uint8(sunk));
            shooting = shooting.withHit(seat);
        }
        turn.data = ShootingState.unwrap(shooting.withAnswer());
        emit ShotAnswered(id, seat, cell, isShip, sunk);
        if (!_isBeaten(shooting, seat)) return true;
        _endShooting(id, turn, 1 - seat, Outcome.Won, false);
    }

    function _checkAnswer(
        uint256 id,
        Turn memory turn,
        uint256 cell,
        uint256 proofLength
    ) private pure returns (ShootingState shooting) {
        shooting = ShootingState.wrap(turn.data);
        require(shooting.answerDue(), Battleship_NoAnswerDue(id));
        require(cell == shooting.target(), Battleship_WrongCell(id, cell, shooting.target()));
        uint256 depth = BoardTree.depthOf(shooting.size() * shooting.size());
        require(proofLength == depth, Battleship_WrongProofLength(proofLength, depth));
    }

    /// @dev Shots alternate, so half of them, the latest included, are at the board just answered for.
    function _isBeaten(ShootingState shooting, uint8 seat) private pure returns (bool) {
        uint256 size = shooting.size();
        return shooting.hits(seat) == Placement.fleetCells(size) || (shooting.shots() + 1) / 2 == size * size;
    }

    // ── Proving ──

    function reveal(uint256 id, bytes16 placement, bytes32 seed) external {
        if (_games[id].turn.phase == Phase.Ended) return _revealLate(id, placement, seed);
        Turn memory turn = _games[id].turn;
        uint8 seat = _onProof(id, turn);
        if (_prove(id, turn, seat, placement, seed)) _endProven(id, turn, seat);
        else _failProof(id, turn, seat);
    }

    /// @dev Paid is paid; this only shows whether the loser was honest.
    function _revealLate(uint256 id, bytes16 placement, bytes32 seed) private {
        Turn memory turn = _games[id].turn;
        uint8 seat = _actorSeat(id, turn);
        require(
            _boards[id][seat].log.honesty == uint8(Honesty.Unknown),
            Battleship_AlreadyRevealed(id, seat)
        );
        require(
            _verdict(turn) == Verdict.Fair && block.timestamp <= turn.deadline,
            Battleship_RevealClosed(id, seat)
        );
        _prove(id, turn, seat, placement, seed);
    }

    function _prove(
        uint256 id,
        Turn memory turn,
        uint8 seat,
        bytes16 placement,
        bytes32 seed
    ) private returns (bool honest) {
        ShootingState shooting = ShootingState.wrap(turn.data);
        Board storage board = _boards[id][seat];
        Placement.Layout memory layout = Placement.layOut(placement, shooting.size());
        bytes32 key = BoardTree.gameKey(_playerOf(id, seat), board.log.nonce, shooting.size());
        bytes32 boardKey = keccak256(abi.encodePacked(seed, placement));
        require(BoardTree.rootOf(key, boardKey, layout.owners) == board.root, Battleship_WrongRoot(id, seat));
        honest = layout.legal && layout.bearsOut(board.log.first, board.log.rest, shooting.hits(seat));
        board.log.honesty = uint8(honest ? Honesty.Honest : Honesty.Dishonest);
        emit BoardRevealed(id, seat, placement, seed, honest);
    }

    function _endShooting(
        uint256 id,
        Turn memory turn,
        uint8 beneficiary,
        Outcome how,
        bool cheated
    ) private {
        ShootingState shooting = ShootingState.wrap(turn.data);
        turn.data = ShootingState.unwrap(shooting.withEnd(beneficiary, cheated, uint8(how)));
        _askProof(id, turn, beneficiary);
    }

    function _endProven(uint256 id, Turn memory turn, uint8 seat) private {
        ShootingState shooting = ShootingState.wrap(turn.data);
        Outcome outcome = Outcome.Won;
        if (seat == shooting.beneficiary()) {
            outcome = Outcome(shooting.outcome());
            _setVerdict(turn, Verdict.Fair);
            _reach(turn, _proofClock); // for the other's reveal
        } else {
            _setVerdict(turn, Verdict.FailedToProvideProof);
        }
        _endWon(id, turn, outcome, uint8(1 << seat));
    }

    /// @dev The other is asked, unless that was just the one, or they are out since they opened falsely.
    function _failProof(uint256 id, Turn memory turn, uint8 seat) private {
        ShootingState shooting = ShootingState.wrap(turn.data);
        if (seat == shooting.beneficiary() && !shooting.cheated()) return _askProof(id, turn, 1 - seat);
        _setVerdict(turn, Verdict.Null);
        _endNull(id, turn);
    }

    function _onResigned(uint256 id, Turn memory turn, uint8 seat) internal override {
        _endShooting(id, turn, 1 - seat, Outcome.Resigned, false);
    }

    function _onTimedOut(uint256 id, Turn memory turn, uint8 seat) internal override {
        _endShooting(id, turn, 1 - seat, Outcome.TimedOut, false);
    }

    function _onProofMissed(uint256 id, Turn memory turn, uint8 seat) internal override {
        _failProof(id, turn, seat);
    }

    function _setVerdict(Turn memory turn, Verdict verdict) private pure {
        turn.data = ShootingState.unwrap(ShootingState.wrap(turn.data).withVerdict(uint8(verdict)));
    }

    function _verdict(Turn memory turn) private pure returns (Verdict) {
        return Verdict(ShootingState.wrap(turn.data).verdict());
    }

    // ── Views ──

    function shootingOf(uint256 id) external view returns (Shooting memory) {
        ShootingState shooting = ShootingState.wrap(_games[id].turn.data);
        return
            Shooting({
                size: shooting.size(),
                shots: shooting.shots(),
                hits: [shooting.hits(0), shooting.hits(1)],
                answerDue: shooting.answerDue(),
                target: shooting.target()
            });
    }

    function boardOf(
        uint256 id,
        uint8 seat
    ) external view returns (bytes32 root, uint256 nonce, Honesty honesty) {
        Board storage board = _boards[id][seat];
        return (board.root, board.log.nonce, Honesty(board.log.honesty));
    }

    function firedAt(uint256 id, uint8 seat) external view returns (uint256[2] memory) {
        return _boards[id][seat].fired;
    }

    function verdictOf(uint256 id) external view returns (Verdict) {
        return _verdict(_games[id].turn);
    }
}
