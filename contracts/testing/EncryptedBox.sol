// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FHE, ebool, euint8, externalEbool, externalEuint8} from "@fhevm/solidity/lib/FHE.sol";
import {ZamaEthereumConfig} from "@fhevm/solidity/config/ZamaConfig.sol";

/// @notice A small contract that exercises inputs, permissions and both kinds of decryption.
contract EncryptedBox is ZamaEthereumConfig {
    euint8 public total;
    ebool public flag;
    euint8 public halfAllowed;
    uint8 public opened;
    bool public openedFlag;

    event Added(address indexed sender, euint8 total);
    event Opened(uint8 total, bool flag);

    /// @notice Add an encrypted number and keep an encrypted flag; the sender may read both.
    function add(externalEuint8 number, externalEbool mark, bytes calldata proof) external {
        total = FHE.add(total, FHE.fromExternal(number, proof));
        flag = FHE.fromExternal(mark, proof);
        FHE.allowThis(total);
        FHE.allow(total, msg.sender);
        FHE.allowThis(flag);
        FHE.allow(flag, msg.sender);
        emit Added(msg.sender, total);
    }

    /// @notice Keep a value that the contract may use but the sender may not read, or the other way round.
    function keepHalfAllowed(uint8 number, bool forSender) external {
        halfAllowed = FHE.asEuint8(number);
        if (forSender) FHE.allow(halfAllowed, msg.sender);
        else FHE.allowThis(halfAllowed);
    }

    /// @notice Let everybody decrypt the total and the flag.
    function publish() external {
        FHE.makePubliclyDecryptable(total);
        FHE.makePubliclyDecryptable(flag);
    }

    /// @notice Take the decrypted values, with the proof of the KMS.
    function open(uint8 number, bool mark, bytes calldata proof) external {
        bytes32[] memory handles = new bytes32[](2);
        handles[0] = euint8.unwrap(total);
        handles[1] = ebool.unwrap(flag);
        FHE.checkSignatures(handles, abi.encode(number, mark), proof);
        opened = number;
        openedFlag = mark;
        emit Opened(number, mark);
    }
}
