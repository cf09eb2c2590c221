"""Exported games: events, openings and reveals in one file, checked again without a chain."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from eth_account.signers.local import LocalAccount
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from web3 import Web3

from battleship.client import BattleshipClient
from battleship.commitment import Commitment, GameKey, Opening, depth_of, unpack_fleet
from battleship.errors import MalformedPlacement
from battleship.reasons import BattleshipReason
from battleship.replay import RULES, Replay
from battleship.rules import Shot, truthful
from fogbound.errors import RecordInvalid
from fogbound.fold import Table
from fogbound.history import Event
from fogbound.reasons import RecordReason
from fogbound.recordfile import Word
from fogbound.records import Record

GAME = "battleship"
ANSWERS = ("ShotAnswered", "OpeningFalse")


class OpeningModel(BaseModel):
    """An opening as the evidence of a record holds it."""

    model_config = ConfigDict(strict=True, extra="forbid")

    cell: Annotated[int, Field(ge=0, lt=1 << 9)]
    is_ship: bool
    salt: Word
    proof: Annotated[list[Word], Field(max_length=9)]

    def opening(self) -> Opening:
        """As a value."""
        salt, *proof = (bytes.fromhex(word[2:]) for word in (self.salt, *self.proof))
        return Opening(self.cell, self.is_ship, salt, tuple(proof))


@dataclass(frozen=True)
class Verified:
    """What a record was found to hold: the table's part, and the shooting with its proofs."""

    table: Table
    game: Replay


def export(client: BattleshipClient, game_id: int, exporter: LocalAccount) -> Record:
    """The public record of a game, as far as it has come, signed by `exporter`.

    Openings are read from the transactions that answered. Raises RecordInvalid where such a transaction
    was not sent to the game's contract itself.
    """
    events = tuple(client.history.of_game(game_id))
    openings = [_read_opening(client, event) for event in events if event.name in ANSWERS]
    return Record(
        game=GAME,
        chain_id=client.chain.chain_id,
        genesis=client.chain.block_hash(0) or "",
        contract=client.contract.address,
        game_id=game_id,
        terms=client.terms,
        events=events,
        evidence=tuple(_to_json(opening) for opening in openings),
    ).signed(exporter)


def verify(record: Record) -> Verified:
    """Replay the game by the rules, and check each opening, reveal and payment, offline.

    Raises RecordInvalid with the first reason found.
    """
    if record.game != GAME:
        raise RecordInvalid(RecordReason.OTHER_GAME, found=record.game, expected=GAME)
    if record.proofs or record.signers:
        raise RecordInvalid(BattleshipReason.DECRYPTIONS_FOUND)
    record.check_signature()
    played = record.replay(RULES)
    _check_openings(record, played.game)
    for seat in played.game.revealed:
        _check_reveal(record, played.game, seat)
    return Verified(played.table, played.game)


def game_key(record: Record, game: Replay, seat: int) -> GameKey:
    """What the commitment of a seat is bound to."""
    nonce = game.committed[seat].nonce
    return GameKey(record.chain_id, record.contract, game.players[seat], nonce, game.size)


def _check_openings(record: Record, game: Replay) -> None:
    openings = [_from_json(content) for content in record.evidence]
    if len(openings) != len(game.openings):
        raise RecordInvalid(BattleshipReason.OPENINGS_MISSING)
    keys = {seat: game_key(record, game, seat).digest() for seat in game.committed}
    for opening, (seat, cell, hit) in zip(openings, game.openings, strict=True):
        if (opening.cell, len(opening.proof)) != (cell, depth_of(game.size)):
            raise RecordInvalid(BattleshipReason.OPENING_MISPLACED, cell=cell)
        leads_there = opening.root(keys[seat]) == game.committed[seat].root
        if hit is None and leads_there:
            raise RecordInvalid(BattleshipReason.OPENING_TRUE, cell=cell)
        if hit is not None and not (leads_there and opening.is_ship == hit):
            raise RecordInvalid(BattleshipReason.OPENING_FALSE, cell=cell)


def _check_reveal(record: Record, game: Replay, seat: int) -> None:
    shown = game.revealed[seat]
    commitment = Commitment(game_key(record, game, seat), shown.placement, shown.seed)
    if commitment.root != game.committed[seat].root:
        raise RecordInvalid(BattleshipReason.BOARD_NOT_COMMITTED, seat=seat)
    if shown.honest != is_honest(game, seat):
        raise RecordInvalid(BattleshipReason.WRONG_JUDGEMENT, seat=seat)


def is_honest(game: Replay, seat: int) -> bool:
    """Whether a revealed fleet is legal and bears out every answer."""
    try:
        fleet = unpack_fleet(game.revealed[seat].placement)
    except MalformedPlacement:
        return False
    shots: list[Shot] = [fired.shot for fired in game.fired if fired.seat != seat]
    return truthful(game.size, fleet, shots)


def _read_opening(client: BattleshipClient, event: Event) -> Opening:
    with client.chain.errors.translated():
        sent: Any = client.chain.web3.eth.get_transaction(event.transaction)  # type: ignore[arg-type]
    if sent["to"] != client.contract.address:
        raise RecordInvalid(BattleshipReason.ANSWERED_ELSEWHERE, transaction=event.transaction)
    _, call = client.contract.decode_function_input(sent["input"])
    return Opening(call["cell"], call["isShip"], bytes(call["salt"]), tuple(call["proof"]))


def _to_json(opening: Opening) -> dict[str, Any]:
    content = asdict(opening)
    content["salt"] = Web3.to_hex(opening.salt)
    content["proof"] = [Web3.to_hex(sibling) for sibling in opening.proof]
    return content


def _from_json(content: Mapping[str, Any]) -> Opening:
    try:
        return OpeningModel.model_validate(content).opening()
    except ValidationError:
        raise RecordInvalid(BattleshipReason.OPENING_MALFORMED) from None
