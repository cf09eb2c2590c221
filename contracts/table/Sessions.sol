// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

import {Payments} from "./Payments.sol";

/// @title Who acts: a player in person, or their session key
abstract contract Sessions is Payments {
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant CONSENT_TYPE = keccak256("SessionConsent(address player,uint256 until)");

    /// @dev Either mark is for ever: a sender acts for one identity only.
    enum Role {
        Stranger,
        Player,
        Key
    }

    /// @dev `player` and `until` (seconds) are a key's.
    struct Identity {
        address player;
        uint64 until;
        Role role;
    }

    mapping(address account => Identity) private _identities;

    function authorize(address key, uint256 until, bytes calldata consent) external payable {
        require(until >= block.timestamp && until <= type(uint64).max, Table_SessionOutOfRange(until));
        _markPlayer(msg.sender);
        Identity storage identity = _identities[key];
        require(identity.role != Role.Player, Table_KeyIsPlayer(key));
        require(
            identity.role == Role.Stranger || identity.player == msg.sender,
            Table_KeyServesOther(key, identity.player)
        );
        _checkConsent(key, until, consent);
        _identities[key] = Identity(msg.sender, uint64(until), Role.Key);
        emit SessionAuthorized(msg.sender, key, until, msg.value);
        if (msg.value != 0) {
            require(_send(key, msg.value, gasleft()), Table_PaymentRefused(key, msg.value));
        }
    }

    function revoke(address key) external {
        Identity storage identity = _identities[key];
        require(identity.player == msg.sender, Table_NotOwnKey(key, msg.sender));
        uint64 until = identity.until;
        require(until >= block.timestamp, Table_SessionEnded(key, until));
        identity.until = 0;
        emit SessionRevoked(msg.sender, key);
    }

    function sessionOf(address key) external view returns (address player, uint256 until) {
        Identity storage identity = _identities[key];
        return (identity.player, identity.until);
    }

    /// @notice Whom the sender acts for. Reverts: Table_SessionEnded.
    function _actor() internal view returns (address) {
        Identity memory identity = _identities[msg.sender];
        if (identity.role != Role.Key) return msg.sender;
        require(identity.until >= block.timestamp, Table_SessionEnded(msg.sender, identity.until));
        return identity.player;
    }

    /// @notice The sender becomes a player (for ever), or acts for one already.
    function _actorAsPlayer() internal returns (address actor) {
        actor = _actor();
        if (actor == msg.sender) _markPlayer(actor);
    }

    function _markPlayer(address account) private {
        Role role = _identities[account].role;
        require(role != Role.Key, Table_SenderIsKey(account));
        if (role == Role.Stranger) _identities[account].role = Role.Player;
    }

    /// @dev Without the key's own word a player could name somebody else's wallet, and that wallet's
    ///      next stake would seat the first one.
    function _checkConsent(address key, uint256 until, bytes calldata consent) private view {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPE, keccak256("Fogbound Table"), keccak256("1"), block.chainid, this)
        );
        bytes32 message = keccak256(abi.encode(CONSENT_TYPE, msg.sender, until));
        bytes32 digest = MessageHashUtils.toTypedDataHash(domain, message);
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecover(digest, consent);
        require(
            failure == ECDSA.RecoverError.NoError && signer == key,
            Table_ConsentInvalid(key, msg.sender)
        );
    }
}
