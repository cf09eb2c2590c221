"""Every balance, added up from all blocks and events, against what the chain says."""

from collections import defaultdict
from typing import Any

from fhevm.devchain import dev_accounts
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.game import NOBODY
from fogbound.history import Event
from fogbound.table import TableClient
from scripts.soaking.report import Report

GENESIS_WEI = 10_000 * 10**18  # of each development account
BURNT = "burnt"


class Ledger:
    """What each account must have, in wei; `BURNT`: the base fees."""

    def __init__(self) -> None:
        self.balances: defaultdict[str, int] = defaultdict(int)
        for account in dev_accounts():
            self.balances[account.address] = GENESIS_WEI

    def move(self, payer: str, receiver: str, wei: int) -> None:
        self.balances[payer] -= wei
        self.balances[receiver] += wei

    # ── what transactions move ──

    def read_blocks(self, chain: Chain) -> None:
        """All transactions of all blocks: what they bring, and what they cost."""
        for number in range(1, chain.block_number + 1):
            block = chain.web3.eth.get_block(number, full_transactions=True)
            for transaction in block["transactions"]:
                receipt = chain.web3.eth.get_transaction_receipt(transaction["hash"])
                self._read(block, transaction, receipt)

    def _read(self, block: Any, transaction: Any, receipt: Any) -> None:
        sender, used = transaction["from"], int(receipt["gasUsed"])
        if receipt["status"]:
            receiver = receipt["contractAddress"] or transaction["to"]
            self.move(sender, receiver, int(transaction["value"]))
        base = int(block["baseFeePerGas"])
        self.move(sender, BURNT, used * base)
        self.move(sender, block["miner"], used * (int(receipt["effectiveGasPrice"]) - base))

    # ── what the games' contracts pay ──

    def read_events(self, table: TableClient) -> None:
        """All that a contract has paid back and out."""
        payments = Payments(self, table.contract.address)
        for event in table.history.events():
            payments.read(event)


class Payments:
    """Follows one contract's events."""

    def __init__(self, ledger: Ledger, contract: str) -> None:
        self._ledger, self._contract = ledger, contract
        self._seats: defaultdict[int, dict[int, str]] = defaultdict(dict)
        self._stakes: dict[int, int] = {}

    def read(self, event: Event) -> None:
        """One event; those that pay nobody are passed over."""
        follow = getattr(self, f"_{event.name}", None)
        if follow:
            follow(event.game_id, event.arguments)

    def _pay(self, receiver: str, wei: int) -> None:
        self._ledger.move(self._contract, receiver, wei)

    def _GameOpened(self, game_id: int, told: Any) -> None:  # noqa: N802 - Solidity's name
        self._seats[game_id][0], self._stakes[game_id] = told["creator"], told["stake"]

    def _SeatTaken(self, game_id: int, told: Any) -> None:  # noqa: N802
        self._seats[game_id][told["seat"]] = told["player"]

    def _SeatLeft(self, game_id: int, told: Any) -> None:  # noqa: N802
        self._pay(self._seats[game_id].pop(told["seat"]), self._stakes[game_id])

    def _GameCancelled(self, game_id: int, _told: Any) -> None:  # noqa: N802
        for player in self._seats[game_id].values():
            self._pay(player, self._stakes[game_id])

    def _GameEnded(self, game_id: int, told: Any) -> None:  # noqa: N802
        for seat, wei in enumerate(told["amounts"]):
            self._pay(self._seats[game_id][seat], wei)

    def _PaymentCredited(self, _game_id: int, told: Any) -> None:  # noqa: N802
        self._ledger.move(told["account"], self._contract, told["amount"])

    def _Withdrawn(self, _game_id: Any, told: Any) -> None:  # noqa: N802
        self._pay(told["to"], told["amount"])

    _PoolWithdrawn = _Withdrawn

    def _SessionAuthorized(self, _game_id: Any, told: Any) -> None:  # noqa: N802
        self._pay(told["key"], told["value"])


def check_money(connection: Connection, tables: list[TableClient], report: Report) -> None:
    """Account by account, all together, and what the contracts owe. The chain must stand still."""
    ledger = Ledger()
    ledger.read_blocks(connection.chain)
    for table in tables:
        ledger.read_events(table)
    found = {who: connection.chain.balance(who) for who in ledger.balances if who != BURNT}
    for who, balance in found.items():
        report.expect(balance, ledger.balances[who], f"balance of {who}")
    there = sum(found.values()) + ledger.balances[BURNT]
    report.expect(there, len(dev_accounts()) * GENESIS_WEI, "accounts + contracts + gas")
    for table in tables:
        owed = _owed(table)
        report.expect(
            found.get(table.contract.address, 0), owed, f"stakes of {table.contract.address}"
        )
    report.count("balances", len(found))


def _owed(table: TableClient) -> int:
    """The stakes of games that are not over, credits, and the pool."""
    games = [table.game(number) for number in range(1, table.game_count() + 1)]
    stakes = sum(
        game.stake * sum(player not in (None, NOBODY) for player in game.players)
        for game in games
        if not game.phase.final
    )
    credited = {
        event.arguments["account"]
        for event in table.history.events()
        if event.name == "PaymentCredited"
    }
    read = table.contract.functions
    credits = sum(int(read.creditOf(who).call()) for who in credited)
    return stakes + credits + int(read.pool().call())
