"""Exporting and checking games' records, by each game's own means."""

from eth_utils.address import to_checksum_address

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.eip712 import Domains
from fogbound.errors import RecordInvalid
from fogbound.events import to_json
from fogbound.game import NOBODY
from fogbound.history import Event, History
from fogbound.keeping import kept_account
from fogbound.reasons import RecordReason
from fogbound.records import Record, parse_record
from frontend.app.connector import reaching
from frontend.app.errors import Conflict
from frontend.app.index import queries
from frontend.app.index.schema import EventRow
from frontend.app.services import Services


def export(services: Services, kind: str, game_id: int) -> Record:
    """The record of a game, signed by the key that this server keeps for that.

    Raises NotFound, UpstreamFailed; Conflict where the game cannot be told by a record.
    """
    spec = services.spec(kind)
    with services.database.reading() as session:
        game = queries.game(session, kind, game_id)
    exporter = kept_account(services.settings.folder / "exporter.key")
    with reaching():
        connection = services.connector.connection()
        client = connection.client(spec, exporter)
        client.history = History(connection.chain, client.contract, game.opened_block)
        try:
            return spec.export(client, game_id, exporter)
        except RecordInvalid as error:
            raise Conflict(f"no record can be made: {error}") from error


def check(services: Services, text: bytes) -> bool | None:
    """Whether this chain holds what a record tells; None where it is of another chain or contract.

    Raises RecordInvalid, also where this chain holds something else; UpstreamFailed.
    """
    known = {name: spec.events for name, spec in services.specs.items()}
    record = parse_record(text, known)
    spec = services.specs[record.game]
    spec.verify(record, _domains(services, record) if spec.encrypted else None)
    return _compare(services, record)


def _domains(services: Services, record: Record) -> Domains | None:
    """Those of this chain's gateway, where it is not the local one, whose are known."""
    if record.chain_id == LOCAL_CHAIN_ID:
        return None
    with reaching():
        connection = services.connector.connection()
    if connection.fhevm is None or connection.chain.chain_id != record.chain_id:
        return None
    return connection.fhevm.domains


def _compare(services: Services, record: Record) -> bool | None:
    cursor = services.database.cursor()
    if cursor is None or cursor.chain_id != record.chain_id:
        return None
    if cursor.genesis != record.genesis:
        return None
    if to_checksum_address(cursor.contracts.get(record.game, NOBODY)) != record.contract:
        return None
    with services.database.reading() as session:
        rows = queries.events(session, record.game, record.game_id)
    last = record.events[-1].block
    if [_as_told(event) for event in record.events] != [
        _as_kept(r) for r in rows if r.block <= last
    ]:
        raise RecordInvalid(RecordReason.EVENTS_NOT_ON_CHAIN)
    return True


def _as_told(event: Event) -> tuple[object, ...]:
    place = event.block, event.index, event.transaction, event.time
    return (event.name, to_json(event.arguments), *place)


def _as_kept(row: EventRow) -> tuple[object, ...]:
    return (row.name, row.arguments, row.block, row.index, row.transaction, row.time)
