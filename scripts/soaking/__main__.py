"""`scripts/soak`: hours of play on a real stack whose processes are killed, and then every difference."""

import argparse
import secrets
import sys
import time

from scripts.soaking.soak import PAIRS, Options, soak
from scripts.soaking.stack import StackFailed


def main() -> None:
    begun = time.strftime("%H:%M:%S")
    try:
        ok = soak(_options(), lambda line: print(f"{time.strftime('%H:%M:%S')} {line}", flush=True))
    except StackFailed as error:
        sys.exit(str(error))
    sys.exit(0 if ok else f"begun at {begun}: there were differences")


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long to play (default: 5)")
    parser.add_argument("--backend", choices=("concrete", "clear"), default="concrete")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="of a run before")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of players at the same time")
    parser.add_argument("--calm", action="store_true", help="without kills and reorganisations")
    return Options(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
