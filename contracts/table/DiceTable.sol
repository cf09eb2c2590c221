// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BlockHashes} from "./BlockHashes.sol";
import {Table} from "./Table.sol";

/// @title A table for games with dice
/// @notice A move asks for a roll; the next block's hash decides it, so neither the player nor the
///         producer of the move's block sees it before. One roll at a time; the roller stays on turn and
///         their clock starts anew. Anyone may resolve the roll from the block after next, for as long
///         as the chain knows the hash; later anyone may cast it anew.
///
///         While a roll is pending nobody loses on time: not before it can be resolved, for the roller
///         can do nothing; not once it can be, for whoever would claim can resolve it; and not once its
///         hash is out of reach, for then it must be cast anew, which starts a full clock.
///
///         Warning: whoever dislikes a roll may hope that nobody resolves it until its hash is out of
///         reach. Whoever likes it resolves it in time (a keeper does it for both).
abstract contract DiceTable is Table {
    mapping(uint256 id => uint256 target) private _rollTargets;

    event RollAsked(uint256 indexed id, uint8 seat, uint256 target);
    event RollRescheduled(uint256 indexed id, uint256 target);

    error DiceTable_RollPending(uint256 id, uint256 target);
    error DiceTable_NoRollPending(uint256 id);
    error DiceTable_RollNotYet(uint256 id, uint256 target);

    /// @notice Resolve a roll, or cast it anew where its block's hash is out of reach. Open to anyone.
    ///         Reverts: Table_WrongPhase, DiceTable_NoRollPending, DiceTable_RollNotYet.
    function resolveRoll(uint256 id) external {
        Turn memory turn = _games[id].turn;
        _requirePhase(id, turn, Phase.Playing);
        uint256 target = _rollTargets[id];
        require(target != 0, DiceTable_NoRollPending(id));
        require(block.number > target, DiceTable_RollNotYet(id, target));
        bytes32 hash = BlockHashes.read(target);
        if (hash != 0) return _applyRoll(id, turn, hash);
        _castRoll(id, turn);
        emit RollRescheduled(id, _rollTargets[id]);
    }

    /// @notice The block whose hash decides the pending roll, or zero.
    function rollTargetOf(uint256 id) external view returns (uint256) {
        return _games[id].turn.phase == Phase.Playing ? _rollTargets[id] : 0;
    }

    /// @notice Apply a roll: must end with `_advance` or an ending. `word` has 256 random bits.
    function _onRolled(uint256 id, Turn memory turn, uint256 word) internal virtual;

    /// @notice End a move by asking for a roll.
    function _roll(uint256 id, Turn memory turn) internal {
        _requireNoRoll(id);
        _castRoll(id, turn);
        emit RollAsked(id, turn.onTurn, _rollTargets[id]);
    }

    /// @notice Guard of moves that ask for no roll. Reverts: DiceTable_RollPending.
    function _requireNoRoll(uint256 id) internal view {
        uint256 target = _rollTargets[id];
        require(target == 0, DiceTable_RollPending(id, target));
    }

    function _requireClaimable(uint256 id) internal view override {
        if (_games[id].turn.phase == Phase.Playing) _requireNoRoll(id);
    }

    function _resolveDue(uint256 id) internal override {
        Turn memory turn = _games[id].turn;
        uint256 target = _rollTargets[id];
        if (turn.phase != Phase.Playing || target == 0) return;
        bytes32 hash = BlockHashes.read(target);
        if (hash != 0) _applyRoll(id, turn, hash);
    }

    function _castRoll(uint256 id, Turn memory turn) private {
        _rollTargets[id] = block.number + 1;
        _advance(id, turn, turn.onTurn);
    }

    function _applyRoll(uint256 id, Turn memory turn, bytes32 hash) private {
        delete _rollTargets[id];
        _onRolled(id, turn, uint256(keccak256(abi.encode(hash, id, turn.moveNumber))));
    }
}
