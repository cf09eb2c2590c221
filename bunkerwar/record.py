"""Exported games: what the public saw, with the decryption proofs, checked again without a chain."""

from dataclasses import dataclass

from eth_account.signers.local import LocalAccount

from bunkerwar.client import BunkerWarClient
from bunkerwar.reasons import BunkerWarReason
from bunkerwar.replay import RULES, Decrypted, Replay, replay
from fhevm.eip712 import Domains
from fhevm.errors import MalformedHandle
from fhevm.handles import Handle
from fogbound.errors import RecordInvalid
from fogbound.fold import Table
from fogbound.reasons import RecordReason
from fogbound.records import Proof, Record

GAME = "bunkerwar"


@dataclass(frozen=True)
class Verified:
    """What a record was found to hold: the table's part, and the boards'."""

    table: Table
    game: Replay


def export(client: BunkerWarClient, game_id: int, exporter: LocalAccount) -> Record:
    """The public record of a game, as far as it has come, signed by `exporter`."""
    events = tuple(client.history.of_game(game_id))
    played = replay(events, client.terms).game
    brought = [each for each in played.decrypted if each.value is not None]
    return Record(
        game=GAME,
        chain_id=client.chain.chain_id,
        genesis=client.chain.block_hash(0) or "",
        contract=client.contract.address,
        game_id=game_id,
        terms=client.terms,
        events=events,
        signers=(client.fhevm.public.kms_signer,),
        proofs=tuple(_prove(client, each) for each in brought),
    ).signed(exporter)


def verify(record: Record, domains: Domains | None = None) -> Verified:
    """Replay the transitions through the rules and check every decryption proof, offline.

    `domains` are those of the record's chain and gateway (default: the local ones).
    Raises RecordInvalid with the first reason found.
    """
    if record.game != GAME:
        raise RecordInvalid(RecordReason.OTHER_GAME, found=record.game, expected=GAME)
    record.check_signature()
    played = record.replay(RULES)
    _check_decryptions(record, played.game)
    record.check_proofs(domains)
    return Verified(played.table, played.game)


def _prove(client: BunkerWarClient, decrypted: Decrypted) -> Proof:
    found = client.fhevm.public_decrypt([decrypted.handle])
    values = tuple(int(value) for value in found.cleartexts)
    return Proof((decrypted.handle,), values, found.proof)


def _check_decryptions(record: Record, game: Replay) -> None:
    """One proof for each value that was brought, in order, and no other."""
    brought = [each for each in game.decrypted if each.value is not None]
    claimed = [((each.handle,), (each.value,)) for each in brought]
    proven = [(proof.handles, proof.cleartexts) for proof in record.proofs]
    if claimed != proven:
        raise RecordInvalid(BunkerWarReason.OTHER_PROOFS)
    for each in game.decrypted:
        try:
            chain_id = Handle.parse(each.handle).chain_id
        except MalformedHandle:
            raise RecordInvalid(BunkerWarReason.HANDLE_MALFORMED, handle=each.handle) from None
        if chain_id != record.chain_id:
            raise RecordInvalid(
                BunkerWarReason.HANDLE_OF_OTHER_CHAIN, found=chain_id, expected=record.chain_id
            )
