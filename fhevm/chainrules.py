"""The rules that every local chain goes by."""

from fhevm.addresses import LOCAL_CHAIN_ID

BLOCK_GAS = 60_000_000
# What one transaction may take (rawtransactions.MAX_GAS) is less than half of a block, so nobody can drive
# the fee, and at 7 wei it does not fall either.
BASE_FEE = 7
CHAIN_OPTIONS = [  # of anvil
    *("--chain-id", str(LOCAL_CHAIN_ID)),
    *("--order", "fifo"),
    *("--gas-limit", str(BLOCK_GAS), "--block-base-fee-per-gas", str(BASE_FEE)),
]
HARDFORK = (
    "cancun"  # what we compile for; from Prague on a block costs anvil up to 12 ms (EIP-2935)
)
