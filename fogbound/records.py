"""Exported records: one game's public events and decryption proofs in one JSON file.

A record is checked without a chain. Here is the part that all games share; a game adds the check of
its own transitions. Whoever exported a record signs all of it, so that nobody else can change it; whether
the events really were on a chain, only that chain can say (`compare_with_chain`).
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from eth_account import Account
from eth_account.messages import SignableMessage, encode_defunct
from eth_account.signers.local import LocalAccount

from fhevm.client import verify_public_decryption
from fhevm.eip712 import Domains
from fhevm.errors import FhevmError
from fogbound.errors import RecordInvalid
from fogbound.history import Event, History
from fogbound.reasons import RecordReason
from fogbound.replay import Replayed, replay

FORMAT = "fogbound-record-1"


@dataclass(frozen=True)
class Proof:
    """One public decryption: the values that the KMS signed for handles (0x…), and its proof."""

    handles: tuple[str, ...]
    cleartexts: tuple[int, ...]
    proof: bytes


@dataclass(frozen=True)
class Record:
    """One game as the public saw it. `signers` are the KMS's addresses whose word the proofs are;
    `evidence` is what the game itself proves its events with, as JSON values.
    """

    game: str
    chain_id: int
    contract: str
    game_id: int
    events: tuple[Event, ...]
    signers: tuple[str, ...] = ()
    proofs: tuple[Proof, ...] = ()
    evidence: tuple[Mapping[str, Any], ...] = ()
    exporter: str | None = None
    signature: bytes = b""

    def signed(self, account: LocalAccount) -> Self:
        """This record, exported by `account`."""
        unsigned = replace(self, exporter=account.address, signature=b"")
        signature = bytes(account.sign_message(unsigned._statement()).signature)
        return replace(unsigned, signature=signature)

    def check_signature(self) -> None:
        """Raise RecordInvalid unless all of it is as the exporter has signed it."""
        try:
            found = Account.recover_message(self._statement(), signature=self.signature)
        except Exception as error:  # noqa: BLE001 - the libraries below raise each their own
            raise RecordInvalid(
                RecordReason.SIGNATURE_MALFORMED, error=type(error).__name__
            ) from None
        if found != self.exporter:
            raise RecordInvalid(RecordReason.SIGNATURE_WRONG)

    def _statement(self) -> SignableMessage:
        content = _to_text(replace(self, signature=b""), sort_keys=True)
        return encode_defunct(text=f"{FORMAT} {hashlib.sha256(content.encode()).hexdigest()}")

    def check(self, domains: Domains | None = None) -> Replayed:
        """Check order, transitions, money, and every proof; the table's part of the final state.

        `domains` are those of the record's chain and gateway, needed where there are proofs.
        Raises RecordInvalid, naming what is wrong.
        """
        _check_order(self.events, self.game_id)
        if self.proofs and not self.signers:
            raise RecordInvalid(RecordReason.SIGNERS_MISSING)
        for position, proof in enumerate(self.proofs):
            _check_proof(position, proof, self.signers, domains or Domains(chain_id=self.chain_id))
        return replay((event.name, event.arguments) for event in self.events)

    def compare_with_chain(self, history: History) -> None:
        """Raise RecordInvalid unless the chain holds exactly these events for the game."""
        last = self.events[-1].block if self.events else 0
        if tuple(history.of_game(self.game_id, last)) != self.events:
            raise RecordInvalid(RecordReason.EVENTS_NOT_ON_CHAIN)


def write_record(record: Record, file: Path) -> None:
    """Write a record as JSON; bytes in hexadecimal."""
    file.write_text(format_record(record))


def read_record(file: Path) -> Record:
    """The inverse of `write_record`. Raises RecordInvalid where it is no record."""
    try:
        return parse_record(file.read_text())
    except (OSError, ValueError, RecordInvalid) as error:
        raise RecordInvalid(RecordReason.UNREADABLE_FILE, file=file.name, detail=error) from None


def format_record(record: Record) -> str:
    """A record as JSON, as files hold it; bytes in hexadecimal."""
    return _to_text(record, indent=1)


def parse_record(text: str | bytes) -> Record:
    """The inverse of `format_record`. Raises RecordInvalid where it is no record.

    What would be written otherwise (a list as another empty thing, bytes in other letters) is none either.
    """
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise RecordInvalid(RecordReason.OTHER_FORMAT, format=FORMAT)
        record = _from_json({name: content[name] for name in content if name != "format"})
        if json.loads(_to_text(record)) != content:
            raise RecordInvalid(RecordReason.NOT_CANONICAL)
        return record
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise RecordInvalid(
            RecordReason.MALFORMED, error=type(error).__name__, detail=error
        ) from None


def _from_json(content: dict[str, Any]) -> Record:
    events = tuple(
        Event(**{**event, "arguments": _arguments(event["arguments"])})
        for event in content.pop("events")
    )
    proofs = tuple(
        Proof(tuple(each["handles"]), tuple(each["cleartexts"]), _bytes(each["proof"]))
        for each in content.pop("proofs")
    )
    content["signature"] = _bytes(content["signature"])
    content["evidence"] = tuple(content["evidence"])
    return Record(**{**content, "events": events, "proofs": proofs, "signers": _signers(content)})


def _to_text(record: Record, **layout: Any) -> str:
    return json.dumps({"format": FORMAT, **asdict(record)}, default=_to_json, **layout)


def _signers(content: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(signer) for signer in content["signers"])


def _arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _from_text(value) for name, value in arguments.items()}


def _from_text(value: Any) -> Any:
    return _bytes(value) if isinstance(value, dict) else value


def _to_json(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    raise TypeError(f"{type(value).__name__} in a record")


def _bytes(value: Mapping[str, str]) -> bytes:
    return bytes.fromhex(value["hex"])


def _check_order(events: Sequence[Event], game_id: int) -> None:
    places = [(event.block, event.index) for event in events]
    if places != sorted(set(places)):
        raise RecordInvalid(RecordReason.EVENTS_UNORDERED)
    if any(event.game_id != game_id for event in events):
        raise RecordInvalid(RecordReason.EVENT_OF_OTHER_GAME, game_id=game_id)


def _check_proof(position: int, proof: Proof, signers: Iterable[str], domains: Domains) -> None:
    try:
        verify_public_decryption(
            proof.handles, proof.cleartexts, proof.proof, list(signers), domains
        )
    except FhevmError as error:
        raise RecordInvalid(RecordReason.PROOF_REFUSED, position=position, detail=error) from None
