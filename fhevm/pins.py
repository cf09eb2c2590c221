"""Which public key a gateway is known by: a pinned fingerprint, or the first one seen at its URL.

A chain tells the signers that it accepts, but not the keys that encrypt: these are only pinned.
"""

import json
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter
from web3 import Web3

from fhevm.acl import chain_answers
from fhevm.eip712 import Domains
from fhevm.errors import HostForeign, KeyChanged, KeysDamaged
from fhevm.host import gateway_domain, host_addresses
from fhevm.host_contracts import host_contract
from fhevm.keys import PublicKeys
from fhevm.typed import read_json

_KNOWN: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str], config=ConfigDict(strict=True))


def check_pinned(public: PublicKeys, fingerprint: str | None) -> None:
    """Raises KeyChanged unless the key has this fingerprint (or none is pinned)."""
    if fingerprint is not None and public.fingerprint != fingerprint:
        raise KeyChanged(f"fingerprint {public.fingerprint}, not {fingerprint}")


def check_known(public: PublicKeys, url: str, known_keys: Path) -> None:
    """Compare with what `known_keys` remembers of `url`; remember it where it is new.

    The file is JSON, URL → fingerprint. Raises KeyChanged, KeysDamaged.
    """
    known = _remembered(known_keys) if known_keys.exists() else {}
    if url in known:
        check_pinned(public, known[url])
        return
    known_keys.parent.mkdir(parents=True, exist_ok=True)
    partial = known_keys.with_suffix(".partial")
    partial.write_text(json.dumps({**known, url: public.fingerprint}, indent=1))
    partial.replace(known_keys)


def _remembered(file: Path) -> dict[str, str]:
    try:
        return _KNOWN.validate_python(read_json(file.read_bytes()))
    except (OSError, ValueError):
        raise KeysDamaged(f"{file}: not a file of known keys") from None


def check_host(public: PublicKeys, domains: Domains, w3: Web3) -> None:
    """See that the chain's host contracts accept this gateway's signers, for these domains.

    Raises HostForeign, WrongChain, HostMissing, Unavailable.
    """
    with chain_answers():
        host = host_addresses(w3)
        found = Domains(w3.eth.chain_id, host.acl, gateway_domain(w3, host))
        kms = host_contract(w3, "KMSVerifier", host.kms_verifier).functions
        inputs = host_contract(w3, "InputVerifier", host.input_verifier).functions
        signers = kms.getKmsSigners().call(), inputs.getCoprocessorSigners().call()
    if found != domains:
        raise HostForeign("the gateway's domain", str(found), str(domains))
    for role, accepted, signer in zip(
        ("KMS", "attestation"),
        signers,
        (public.kms_signer, public.attestation_signer),
        strict=True,
    ):
        if signer not in accepted:
            raise HostForeign(f"the {role} signer", " ".join(accepted), signer)
