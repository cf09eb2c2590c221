// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FHE, ebool, euint8} from "@fhevm/solidity/lib/FHE.sol";
import {ZamaEthereumConfig} from "@fhevm/solidity/config/ZamaConfig.sol";

/// @notice Asks the coprocessor for operations, some that nobody will ever need.
contract Operators is ZamaEthereumConfig {
    /// @notice What the last call made and allowed.
    bytes32[] public results;

    function count() external view returns (uint256) {
        return results.length;
    }

    /// @notice Every binary operator of euint8, on encrypted operands and with an encrypted left one alone.
    function binary(uint8 a, uint8 b) external {
        delete results;
        (euint8 x, euint8 y) = (FHE.asEuint8(a), FHE.asEuint8(b));
        _keep(FHE.add(x, y));
        _keep(FHE.sub(x, y));
        _keep(FHE.mul(x, y));
        _keep(FHE.and(x, y));
        _keep(FHE.or(x, y));
        _keep(FHE.xor(x, y));
        _keep(FHE.min(x, y));
        _keep(FHE.max(x, y));
        _keep(FHE.shl(x, y));
        _keep(FHE.rotr(x, y));
        _keep(FHE.eq(x, y));
        _keep(FHE.ge(x, y));
        _keep(FHE.lt(x, y));
        _keep(FHE.add(x, b));
        _keep(FHE.sub(x, b));
        _keep(FHE.div(x, b));
        _keep(FHE.rem(x, b));
        _keep(FHE.ne(x, b));
    }

    /// @notice Operators of one or three operands, casts, and randomness.
    function others(uint8 a, uint8 b) external {
        delete results;
        (euint8 x, euint8 y) = (FHE.asEuint8(a), FHE.asEuint8(b));
        _keep(FHE.neg(x));
        _keep(FHE.not(x));
        _keep(FHE.select(FHE.gt(x, y), x, y));
        _keep(FHE.asEuint8(FHE.mul(FHE.asEuint16(x), uint16(b))));
        _keep(FHE.randEuint8());
        _keep(FHE.randEuint8(16));
    }

    /// @notice Make (a + b) * 3, and let the sender read it if asked to.
    function product(uint8 a, uint8 b, bool allowed) external {
        delete results;
        euint8 made = FHE.mul(FHE.add(FHE.asEuint8(a), b), 3);
        if (allowed) _keep(made);
        else results.push(euint8.unwrap(made));
    }

    /// @notice Count up from a value: `steps` operations, each on the result of the one before.
    function chain(uint8 a, uint8 steps) external {
        delete results;
        euint8 made = FHE.asEuint8(a);
        for (uint8 i = 0; i < steps; i++) made = FHE.add(made, 1);
        _keep(made);
    }

    /// @notice Let everybody read what the last call made.
    function publish() external {
        for (uint256 i = 0; i < results.length; i++) {
            FHE.makePubliclyDecryptable(euint8.wrap(results[i]));
        }
    }

    function _keep(euint8 made) private {
        FHE.allowThis(made);
        FHE.allow(made, msg.sender);
        results.push(euint8.unwrap(made));
    }

    function _keep(ebool made) private {
        FHE.allowThis(made);
        FHE.allow(made, msg.sender);
        results.push(ebool.unwrap(made));
    }
}
