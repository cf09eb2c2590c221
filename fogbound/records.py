"""Exported records: one game's public events, and what proves them, in one JSON file.

A record is checked without a chain: that its events are those of one game by the rules, and that its
exporter has signed all of it, so that nobody else can change it. Whether the events really were on a chain,
only that chain can say (`compare_with_chain`): whoever exports can invent a game that was never played.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from eth_account import Account
from eth_account.messages import SignableMessage, encode_defunct
from eth_account.signers.local import LocalAccount
from pydantic import ValidationError

from fhevm.client import verify_public_decryption
from fhevm.eip712 import Domains
from fhevm.errors import FhevmError
from fogbound import fold
from fogbound.clocks import Clocks, TimeControl
from fogbound.errors import RecordInvalid
from fogbound.events import Event, EventTypes, parse_arguments, to_json
from fogbound.history import History
from fogbound.reasons import RecordReason, TableReason
from fogbound.recordfile import (
    FORMAT,
    MOST_BYTES,
    ClocksModel,
    ControlModel,
    EventModel,
    ProofModel,
    RecordModel,
)
from fogbound.replay import Replayed, Rules, replay
from fogbound.terms import Terms

G = TypeVar("G")


@dataclass(frozen=True)
class Proof:
    """One public decryption: the values that the KMS signed for handles (0x…), and its proof."""

    handles: tuple[str, ...]
    cleartexts: tuple[int, ...]
    proof: bytes


@dataclass(frozen=True)
class Record:
    """One game as the public saw it. `genesis`: the hash of the chain's first block; `terms`: what the
    contract was deployed with; `signers`: the KMS's addresses whose word the proofs are; `evidence`: what
    the game itself proves its events with, as JSON values.
    """

    game: str
    chain_id: int
    genesis: str
    contract: str
    game_id: int
    terms: Terms
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
        except Exception:  # noqa: BLE001 - the libraries below raise each their own
            found = None
        if found is None or found != self.exporter:
            raise RecordInvalid(RecordReason.SIGNATURE_WRONG)

    def _statement(self) -> SignableMessage:
        content = _to_model(replace(self, signature=b"")).canonical()
        return encode_defunct(text=f"{FORMAT} {hashlib.sha256(content).hexdigest()}")

    def replay(self, rules: Rules[G]) -> Replayed[G]:
        """The game that its events tell. Raises RecordInvalid where no contract could have told it so."""
        if not self.events:
            raise RecordInvalid(RecordReason.EMPTY)
        if self.events[0].game_id != self.game_id:
            raise RecordInvalid(TableReason.EVENT_OF_OTHER_GAME, game_id=self.game_id)
        return replay(self.events, rules, self.terms)

    def check_proofs(self, domains: Domains | None = None) -> None:
        """Raise RecordInvalid unless the signers have signed each proof.

        `domains` are those of the record's chain and gateway, needed where there are proofs.
        """
        if self.proofs and not self.signers:
            raise RecordInvalid(RecordReason.SIGNERS_MISSING)
        for position, proof in enumerate(self.proofs):
            _check_proof(position, proof, self.signers, domains or Domains(chain_id=self.chain_id))

    def compare_with_chain(self, history: History) -> None:
        """Raise RecordInvalid unless the chain holds exactly these events for the game."""
        last = self.events[-1].block if self.events else 0
        if tuple(history.of_game(self.game_id, last)) != self.events:
            raise RecordInvalid(RecordReason.EVENTS_NOT_ON_CHAIN)


def write_record(record: Record, file: Path) -> None:
    """Write a record as JSON."""
    file.write_text(format_record(record))


def read_record(file: Path, known: Mapping[str, EventTypes]) -> Record:
    """The inverse of `write_record`. Raises RecordInvalid, also where there is no such file."""
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1)
        return parse_record(text, known)
    except OSError as error:
        detail = error.strerror or type(error).__name__
        raise RecordInvalid(RecordReason.UNREADABLE_FILE, file=file.name, detail=detail) from None
    except RecordInvalid as error:
        raise RecordInvalid(RecordReason.UNREADABLE_FILE, file=file.name, detail=error) from None


def format_record(record: Record) -> str:
    """A record as JSON, as files hold it."""
    return _to_model(record).model_dump_json(indent=1)


def parse_record(text: str | bytes, known: Mapping[str, EventTypes]) -> Record:
    """The inverse of `format_record`. `known`: the events of each game that may be read, by its name.

    Addresses and bytes may be written in lower case. Raises RecordInvalid where it is no record.
    """
    content = text.encode(errors="replace") if isinstance(text, str) else text
    if len(content) > MOST_BYTES:
        raise RecordInvalid(RecordReason.TOO_LARGE, limit=MOST_BYTES)
    try:
        found = RecordModel.parse(content)
        if found.game not in known:
            raise RecordInvalid(RecordReason.UNKNOWN_GAME, game=found.game)
        return _from_model(found, {**fold.EVENTS, **known[found.game]})
    except ValidationError as error:
        raise RecordInvalid(RecordReason.MALFORMED, detail=_in_words(error)) from None


def _in_words(error: ValidationError) -> str:
    """The first fault, without what was given."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(map(str, fault["loc"]))
    return f"{place}: {fault['msg']}" if place else str(fault["msg"])


def _from_model(found: RecordModel, types: EventTypes) -> Record:
    clocks = Clocks(found.clocks.wait, found.clocks.notice, found.clocks.proof)
    controls = tuple(TimeControl(each.move, each.keep_alives) for each in found.controls)
    return Record(
        game=found.game,
        chain_id=found.chain_id,
        genesis=found.genesis,
        contract=found.contract,
        game_id=found.game_id,
        terms=Terms(clocks, controls),
        events=tuple(_event(each, types) for each in found.events),
        signers=tuple(found.signers),
        proofs=tuple(
            Proof(tuple(p.handles), tuple(map(int, p.cleartexts)), bytes.fromhex(p.proof[2:]))
            for p in found.proofs
        ),
        evidence=tuple(found.evidence),
        exporter=found.exporter,
        signature=bytes.fromhex(found.signature[2:]),
    )


def _event(found: EventModel, types: EventTypes) -> Event:
    if found.name not in types:
        raise RecordInvalid(TableReason.EVENT_UNKNOWN, event=found.name)
    return Event(
        name=found.name,
        arguments=parse_arguments(types[found.name], found.arguments),
        block=found.block,
        index=found.index,
        transaction=found.transaction,
        time=found.time,
    )


def _to_model(record: Record) -> RecordModel:
    """Made by us, so not checked again."""
    return RecordModel.model_construct(
        format=FORMAT,
        game=record.game,
        chain_id=record.chain_id,
        genesis=record.genesis,
        contract=record.contract,
        game_id=record.game_id,
        clocks=ClocksModel.model_construct(**asdict(record.terms.clocks)),
        controls=[ControlModel.model_construct(**asdict(each)) for each in record.terms.controls],
        events=[_event_model(event) for event in record.events],
        signers=list(record.signers),
        proofs=[
            ProofModel.model_construct(
                handles=list(each.handles),
                cleartexts=[str(value) for value in each.cleartexts],
                proof="0x" + each.proof.hex(),
            )
            for each in record.proofs
        ],
        evidence=[dict(each) for each in record.evidence],
        exporter=record.exporter,
        signature="0x" + record.signature.hex(),
    )


def _event_model(event: Event) -> EventModel:
    return EventModel.model_construct(
        name=event.name,
        arguments=to_json(event.arguments),
        block=event.block,
        index=event.index,
        transaction=event.transaction,
        time=event.time,
    )


def _check_proof(position: int, proof: Proof, signers: Iterable[str], domains: Domains) -> None:
    try:
        verify_public_decryption(
            proof.handles, proof.cleartexts, proof.proof, list(signers), domains
        )
    except FhevmError as error:
        raise RecordInvalid(RecordReason.PROOF_REFUSED, position=position, detail=error) from None
