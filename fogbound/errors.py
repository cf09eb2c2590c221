"""Every error that this package raises.

FogboundError
├── SettingsInvalid          a preset or an environment variable is missing or malformed
├── ChainError
│   ├── ChainUnreachable     nothing answers at the RPC address
│   ├── ChainRefused         the node refused a request (no funds, nonce, limits)
│   │   └── TransactionRefused   the local chain's node did not take a transaction
│   ├── WrongChain           another chain answers than the one expected
│   ├── ChainReset           the chain is not the one that contracts were deployed on
│   ├── TransactionFailed    a transaction was mined and reverted without saying why
│   └── TransactionLost      a transaction was sent but not mined in time
├── ContractError            a contract reverted; `name` and `arguments` are the Solidity error's
│   ├── UnknownGame          no game of that id
│   ├── WrongPhase           not in this phase of the game
│   ├── NotOnTurn            another seat is on turn
│   ├── NotSeated            for players of the game only
│   ├── AlreadySeated        nobody takes two seats
│   ├── NotInvited           the seat is kept for somebody else
│   ├── WrongStake           every seat pays the same
│   ├── DrawNotYet           the block that draws the first seat is still to come
│   ├── DrawMissed           that block is out of reach: reschedule
│   ├── DeadlineNotPassed    the clock still runs
│   └── SessionEnded         the session key no longer acts for its player
├── UnknownContract          no artifact of that name
├── NotDeployed              no deployment of that contract on that chain
├── DeploymentOutdated       the deployment is of an older version that counts clocks in blocks
├── UnknownGame              no installed game of that name
├── WaitTimeout              what was waited for did not happen in time
├── RecordInvalid            an exported record does not hold what it claims
├── StackError
│   ├── StackNotRunning      no stack runs on this data folder
│   ├── StackRunning         a stack runs on this data folder
│   └── ProcessFailed        a process of the stack ends again and again
"""

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from fogbound.reasons import Reason


class FogboundError(Exception):
    """Root of this package's errors."""


class SettingsInvalid(FogboundError):
    """A preset or an environment variable is missing or malformed."""


class ChainError(FogboundError):
    """Something between us and the chain."""


class ChainUnreachable(ChainError):
    """Nothing answers at the RPC address; of it only scheme, host and port are told."""

    def __init__(self, url: str) -> None:
        super().__init__(f"no chain answers at {_without_key(url)}")


def _without_key(url: str) -> str:
    """The path, the query or the user of a node's URL often is an access key."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}" if host else url


class ChainRefused(ChainError):
    """The node refused a request; the message holds its words."""


class TransactionRefused(ChainRefused):
    """The local chain's node did not take a transaction; `answer` is its JSON-RPC error."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(str(answer.get("message")))
        self.answer = answer


class WrongChain(ChainError):
    """Another chain answers than the one expected."""

    def __init__(self, expected: int, found: int) -> None:
        super().__init__(f"chain {found} answers where {expected} is expected")


class ChainReset(ChainError):
    """The chain is not the one that the contracts were deployed on."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the chain was reset: {what}; deploy again, or `fogbound reset`")


class TransactionFailed(ChainError):
    """A transaction was mined and reverted without saying why."""

    def __init__(self, transaction: str) -> None:
        super().__init__(f"transaction {transaction} failed and gave no reason")


class TransactionLost(ChainError):
    """A transaction was sent but not mined in time; it may still be."""

    def __init__(self, transaction: str, seconds: float) -> None:
        super().__init__(f"transaction {transaction} was not mined within {seconds:g} s")


class ContractError(FogboundError):
    """A contract reverted with a custom error.

    `name` and `arguments` (by parameter name) are the Solidity error's. A subclass declares with
    `solidity=…` which errors it stands for; `of` picks it.
    """

    _by_name: ClassVar[dict[str, type["ContractError"]]] = {}

    def __init_subclass__(cls, solidity: str | tuple[str, ...] = (), **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for name in (solidity,) if isinstance(solidity, str) else solidity:
            ContractError._by_name[name] = cls

    def __init__(self, name: str, arguments: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.arguments = dict(arguments or {})
        shown = ", ".join(f"{key}={value}" for key, value in self.arguments.items())
        super().__init__(f"{name}({shown})")

    @classmethod
    def of(cls, name: str, arguments: Mapping[str, Any]) -> "ContractError":
        """The error as the most specific class known for it."""
        return cls._by_name.get(name, ContractError)(name, arguments)


class UnknownGame(ContractError, solidity="Table_UnknownGame"):
    """No game of that id."""


class WrongPhase(ContractError, solidity="Table_WrongPhase"):
    """Not in this phase of the game (id, current, expected)."""


class NotOnTurn(ContractError, solidity="Table_NotOnTurn"):
    """Another seat is on turn."""


class NotSeated(ContractError, solidity="Table_NotSeated"):
    """For players of the game only."""


class AlreadySeated(ContractError, solidity="Table_AlreadySeated"):
    """Nobody takes two seats."""


class NotInvited(ContractError, solidity="Table_NotInvited"):
    """The seat is kept for somebody else."""


class WrongStake(ContractError, solidity="Table_WrongStake"):
    """Every seat pays the same stake."""


class DrawNotYet(ContractError, solidity="Table_DrawNotYet"):
    """The block that draws the first seat is still to come."""


class DrawMissed(ContractError, solidity="Table_DrawMissed"):
    """The block that draws the first seat is out of reach: reschedule."""


class DeadlineNotPassed(ContractError, solidity="Table_DeadlineNotPassed"):
    """The clock still runs."""


class SessionEnded(ContractError, solidity="Table_SessionEnded"):
    """The session key no longer acts for its player."""


class UnknownContract(FogboundError):
    """No artifact of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no contract named {name}")


class NotDeployed(FogboundError):
    """No deployment of that contract is known on that chain."""

    def __init__(self, name: str, chain_id: int) -> None:
        super().__init__(f"{name} is not deployed on chain {chain_id} (see `fogbound deploy`)")


class DeploymentOutdated(FogboundError):
    """A deployment is of an older version, whose clocks count blocks."""

    def __init__(self, contract: str, address: str, chain_id: int) -> None:
        super().__init__(
            f"{contract} at {address} on chain {chain_id} was deployed by an older version, which counts "
            "clocks in blocks: deploy it anew (`fogbound deploy`; a local stack does it by itself when "
            "it starts), and finish old games with the version that began them"
        )
        self.contract = contract
        self.address = address
        self.chain_id = chain_id


class GameNotInstalled(FogboundError):
    """No installed game of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no game named {name} is installed")


class WaitTimeout(FogboundError):
    """What was waited for did not happen in time."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"waited {seconds:g} s in vain for {what}")


class RecordInvalid(FogboundError):
    """An exported record does not hold what it claims: `reason`, and what fills it in, as text."""

    def __init__(self, reason: Reason, **parameters: object) -> None:
        super().__init__(reason.format(**parameters))
        self.reason = reason
        self.parameters = {name: str(value) for name, value in parameters.items()}


class StackError(FogboundError):
    """Something about the processes of the local stack."""


class StackNotRunning(StackError):
    """No stack runs on this data folder."""

    def __init__(self, folder: object) -> None:
        super().__init__(f"no stack runs on {folder} (`fogbound up` starts one)")


class StackRunning(StackError):
    """A stack runs on this data folder, so it can be neither started nor wiped."""

    def __init__(self, folder: object) -> None:
        super().__init__(f"a stack runs on {folder}")


class ProcessFailed(StackError):
    """A process of the stack did not start, or ends again and again."""
