"""How the kept chain grows: `python -m scripts.bench_chain [BLOCKS]`, a JSON line for each kind of block.

Empty blocks, then blocks of one transfer each; at the end the chain's files and memory, and how long it takes
to start again after a kill with a full journal, and in peace.
"""

import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from fhevm.devchain import dev_accounts
from fogbound.anvil import CHECKPOINT_BLOCKS, KeptAnvil

SENDER, RECEIVER = dev_accounts()[1:3]


def transfer(nonce: int) -> tuple[str, ...]:
    wanted = {"nonce": nonce, "to": RECEIVER.address, "value": 1, "gas": 21_000}
    signed = SENDER.sign_transaction({**wanted, "gasPrice": 2 * 10**9, "chainId": 31337})
    return ("0x" + signed.raw_transaction.hex(),)


def nothing(_: int) -> tuple[str, ...]:
    return ()


def seconds(work) -> float:
    begun = time.monotonic()
    work()
    return round(time.monotonic() - begun, 2)


def memory(pid: int) -> int:
    fields = Path(f"/proc/{pid}/status").read_text().split()
    return int(fields[fields.index("VmRSS:") + 1]) // 1024


def measure(kind, blocks: int, folder: Path) -> dict[str, object]:
    kept = KeptAnvil(folder / "chain", folder / "log")
    kept.start()
    pauses = []

    def mine() -> None:
        for number in range(blocks - 1):  # the last one short of a checkpoint
            begun = time.monotonic()
            kept.mine(kind(number))
            pauses.append(time.monotonic() - begun)

    whole = seconds(mine)
    pid = int((folder / "chain" / "anvil.pid").read_text())
    found = {
        "blocks": kind.__name__,
        "count": blocks,
        "seconds": whole,
        "ms a block, first / last 1000": [
            round(sum(x), 2) for x in (pauses[:1000], pauses[-1000:])
        ],
        "longest pause (a checkpoint), s": round(max(pauses), 2),
        "memory, MB": memory(pid),
        "state, MB": round((folder / "chain" / "state.json").stat().st_size / 1e6, 1),
        "journal, kB": round((folder / "chain" / "journal.jsonl").stat().st_size / 1e3),
    }
    os.kill(pid, signal.SIGKILL)
    while kept.is_alive():
        time.sleep(0.01)
    found["start after a kill, s"] = seconds(kept.start)
    found["peaceful end, s"] = seconds(kept.stop)
    found["start after that, s"] = seconds(kept.start)
    kept.stop()
    return found


def main() -> None:
    blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 50 * CHECKPOINT_BLOCKS
    for kind in (nothing, transfer):
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure(kind, blocks, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
