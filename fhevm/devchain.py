"""The accounts that every local chain has."""

from functools import cache

from eth_account import Account
from eth_account.signers.local import LocalAccount

DEV_MNEMONIC = "test test test test test test test test test test test junk"
DEV_PATH = "m/44'/60'/0'/0"


@cache
def dev_accounts(count: int = 10) -> tuple[LocalAccount, ...]:
    """The funded accounts of every local chain (their mnemonic is public)."""
    Account.enable_unaudited_hdwallet_features()
    return tuple(
        Account.from_mnemonic(DEV_MNEMONIC, account_path=f"{DEV_PATH}/{index}")
        for index in range(count)
    )
