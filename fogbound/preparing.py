"""The process that prepares a stack, and tells how it gets on as lines of JSON on stdout."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eth_account import Account

from fhevm.backends import get_backend
from fhevm.errors import FhevmError, KeysDamaged
from fhevm.host import HostSigners, deploy_host
from fhevm.keyfiles import ensure_keys, load_host
from fhevm.keys import PublicKeys
from fogbound.accounts import DEPLOYER
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.errors import FogboundError
from fogbound.games import TableTerms, installed_games
from fogbound.keeping import keeper_account
from fogbound.preparation import Prepared, Wanted
from fogbound.progress import Progress

KEEPER_WEI = 10**18
DEFAULT_BACKEND = "concrete"


def prepare(wanted: Wanted, progress: Progress) -> Prepared:
    """Make what is not there yet. Raises FogboundError, FhevmError."""
    data = Path(wanted.data)
    backend = wanted.backend or _backend_of(data)
    connection = Connection(Chain.connect(wanted.rpc), Registry(data / "deployments.json"))
    progress(f"checking the {backend} keys and the host contracts")
    public = _ensure_host(connection.chain, data, backend)
    progress("deploying the games")
    terms = TableTerms(DEPLOYER.address, wanted.clocks, wanted.controls)
    connection.deploy_missing(installed_games().values(), DEPLOYER, terms)
    connection.fund(keeper_account(data).address, KEEPER_WEI)
    return Prepared(public.backend, public.fingerprint, connection.chain.chain_id)


def _backend_of(data: Path) -> str:
    try:
        return load_host(data).public.backend
    except KeysDamaged:  # none yet; if they are damaged, ensure_keys says so
        return DEFAULT_BACKEND


def _ensure_host(chain: Chain, data: Path, backend: str) -> PublicKeys:
    """Host contracts that accept the signatures of this folder's keys."""
    public = ensure_keys(data, get_backend(backend))
    signers = HostSigners(public.kms_signer, public.attestation_signer)
    deploy_host(chain.web3, Account.from_key(load_host(data).owner), signers)
    return public


def _tell(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


def main() -> None:
    """`python -m fogbound.preparing WANTED`: WANTED as JSON."""
    try:
        done = prepare(Wanted.parse(sys.argv[1]), lambda step: _tell({"step": step}))
        _tell({"prepared": asdict(done)})
    except (FogboundError, FhevmError, OSError) as error:
        words = str(error).strip() or type(error).__name__
        _tell({"failed": words.splitlines()[0]})


if __name__ == "__main__":
    main()
