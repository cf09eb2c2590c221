// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

import {Payments} from "./Payments.sol";

/// @title Who acts: a player himself, or his session key
abstract contract Sessions is Payments {
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant CONSENT_TYPE = keccak256("SessionConsent(address player,uint256 untilBlock)");

    /// @dev Either mark is for ever: a sender acts for one identity only.
    enum Role {
        Stranger,
        Player,
        Key
    }

    /// @dev `player` and `untilBlock` are a key's.
    struct Identity {
        address player;
        uint64 untilBlock;
        Role role;
    }

    mapping(address account => Identity) private _identities;

    function authorize(address key, uint256 untilBlock, bytes calldata consent) external payable {
        require(
            untilBlock >= block.number && untilBlock <= type(uint64).max,
            Table_SessionOutOfRange(untilBlock)
        );
        _markPlayer(msg.sender);
        Identity storage identity = _identities[key];
        require(identity.role != Role.Player, Table_KeyIsPlayer(key));
        require(
            identity.role == Role.Stranger || identity.player == msg.sender,
            Table_KeyServesOther(key, identity.player)
        );
        _checkConsent(key, untilBlock, consent);
        _identities[key] = Identity(msg.sender, uint64(untilBlock), Role.Key);
        emit SessionAuthorized(msg.sender, key, untilBlock, msg.value);
        if (msg.value != 0) {
            require(_send(key, msg.value, gasleft()), Table_PaymentRefused(key, msg.value));
        }
    }

    function revoke(address key) external {
        Identity storage identity = _identities[key];
        require(identity.player == msg.sender, Table_NotOwnKey(key, msg.sender));
        uint64 untilBlock = identity.untilBlock;
        require(untilBlock >= block.number, Table_SessionEnded(key, untilBlock));
        identity.untilBlock = 0;
        emit SessionRevoked(msg.sender, key);
    }

    function sessionOf(address key) external view returns (address player, uint256 untilBlock) {
        Identity storage identity = _identities[key];
        return (identity.player, identity.untilBlock);
    }

    /// @notice Whom the sender acts for. Reverts: Table_SessionEnded.
    function _actor() internal view returns (address) {
        Identity memory identity = _identities[msg.sender];
        if (identity.role != Role.Key) return msg.sender;
        require(identity.untilBlock >= block.number, Table_SessionEnded(msg.sender, identity.untilBlock));
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
    ///      next stake would seat him.
    function _checkConsent(address key, uint256 untilBlock, bytes calldata consent) private view {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPE, keccak256("Fogbound Table"), keccak256("1"), block.chainid, this)
        );
        bytes32 message = keccak256(abi.encode(CONSENT_TYPE, msg.sender, untilBlock));
        bytes32 digest = MessageHashUtils.toTypedDataHash(domain, message);
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecover(digest, consent);
        require(
            failure == ECDSA.RecoverError.NoError && signer == key,
            Table_ConsentInvalid(key, msg.sender)
        );
    }
}
