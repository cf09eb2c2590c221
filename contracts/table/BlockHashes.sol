// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Hashes of past blocks, as far back as the chain can tell
library BlockHashes {
    /// @dev EIP-2935: serves the last 8,191 block hashes; no code where a chain has not adopted it.
    address private constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
    uint256 private constant OPCODE_WINDOW = 256;

    /// @notice The hash of block `number`; zero if that block is not yet past, or out of reach.
    function read(uint256 number) internal view returns (bytes32 hash) {
        if (number >= block.number) return 0;
        if (block.number - number <= OPCODE_WINDOW) return blockhash(number);
        (bool success, bytes memory answer) = HISTORY.staticcall(abi.encode(number));
        if (success && answer.length == 32) hash = bytes32(answer);
    }
}
