// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Table} from "../table/Table.sol";

/// @title Two players, each with a committed secret: who gains from an ending must first open their own
contract Secrets is Table {
    error Secrets_WrongSecret(uint256 id, uint8 seat);

    mapping(uint256 id => mapping(uint8 seat => bytes32)) private _commitments;

    constructor(
        address poolOwner_,
        Clocks memory clocks_,
        TimeControl[] memory controls
    ) Table(poolOwner_, clocks_, controls) {}

    function open(bytes32 commitment, uint8 control) external payable {
        _commitments[_open("", 2, control, address(0))][0] = commitment;
    }

    function join(uint256 id, bytes32 commitment) external payable {
        _commitments[id][_join(id)] = commitment;
    }

    function reveal(uint256 id, bytes32 secret) external {
        Turn memory turn = _games[id].turn;
        uint8 seat = _onProof(id, turn);
        require(keccak256(abi.encode(secret)) == _commitments[id][seat], Secrets_WrongSecret(id, seat));
        _endWon(id, turn, Outcome(turn.data), uint8(1 << seat));
    }

    function _onResigned(uint256 id, Turn memory turn, uint8 seat) internal override {
        turn.data = uint8(Outcome.Resigned);
        _askProof(id, turn, 1 - seat);
    }

    function _onTimedOut(uint256 id, Turn memory turn, uint8 seat) internal override {
        turn.data = uint8(Outcome.TimedOut);
        _askProof(id, turn, 1 - seat);
    }

    /// @dev The beneficiary was silent: the other is asked; silent too: nobody wins.
    function _onProofMissed(uint256 id, Turn memory turn, uint8 seat) internal override {
        uint8 other = 1 - seat;
        if (_games[id].proofClocks.deadlineOf(other) == 0) _askProof(id, turn, other);
        else _endNull(id, turn);
    }
}
