"""The accounts that a local stack works with. They are development accounts: everybody knows the keys."""

from fhevm.devchain import dev_accounts

DEPLOYER, KEEPER = dev_accounts()[0], dev_accounts()[-1]
"""Who deploys what a stack offers and has the faucet's money, and who settles what nobody else does. A web
app takes nothing that the first has signed."""
