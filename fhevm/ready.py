"""Operations that could start, by the account that asked for them: the urgent first, then the oldest."""

from collections.abc import Iterable

from fhevm.handles import Handle
from fhevm.tasks import Task


class Ready:
    """Two queues for each account. A task is small: its operands are loaded when it starts."""

    def __init__(self) -> None:
        self._urgent: dict[str, dict[Handle, Task]] = {}
        self._others: dict[str, dict[Handle, Task]] = {}

    def add(self, task: Task, *, urgent: bool) -> None:
        """Put `task` at the end of a queue of its account."""
        queues = self._urgent if urgent else self._others
        queues.setdefault(task.account, {})[task.result] = task

    def hasten(self, task: Task) -> None:
        """A public decryption waits for `task` from now on; nothing happens where it is not here."""
        if _remove(self._others, task.account, task.result):
            self.add(task, urgent=True)

    def accounts(self) -> Iterable[str]:
        """Each account that has something to start."""
        return self._urgent.keys() | self._others.keys()

    def is_urgent(self, account: str) -> bool:
        """Whether something urgent of `account` could start."""
        return account in self._urgent

    def take(self, account: str) -> Task:
        """The next task of `account`, one of `accounts()`."""
        queues = self._urgent if account in self._urgent else self._others
        task = next(iter(queues[account].values()))
        _remove(queues, account, task.result)
        return task


def _remove(queues: dict[str, dict[Handle, Task]], account: str, handle: Handle) -> bool:
    queue = queues.get(account, {})
    found = queue.pop(handle, None) is not None
    if found and not queue:
        del queues[account]
    return found
