"""Why a record is refused: a code for programs, a sentence for people."""

from enum import StrEnum


class Reason(StrEnum):
    """What the check of a record finds wrong. The value says so in English, parameters in braces.

    Each game has its own beside those that all share; members are never renamed, as others know the codes.
    """

    @property
    def code(self) -> str:
        """The package and the name: "battleship.opening_false"."""
        return f"{type(self).__module__.partition('.')[0]}.{self.name.lower()}"


class RecordReason(Reason):
    """What may be wrong with a record of any game."""

    UNREADABLE_FILE = "{file}: {detail}"
    MALFORMED = "malformed: {error}: {detail}"
    UNCHECKABLE = "its check failed: {error}"
    OTHER_FORMAT = "not a {format}"
    NOT_CANONICAL = "not written as records are"
    UNKNOWN_GAME = "no game is named {game}"
    OTHER_GAME = "a record of {found}, not of {expected}"
    NO_RECORDS = "{game} has no records"

    SIGNATURE_MALFORMED = "signature: {error}"
    SIGNATURE_WRONG = "it is not what its exporter has signed"
    SIGNERS_MISSING = "proofs, but no signer that they are checked against"
    PROOF_REFUSED = "proof {position}: {detail}"

    EVENTS_UNORDERED = "events out of order, or twice"
    EVENT_OF_OTHER_GAME = "an event of another game than {game_id}"
    EVENTS_NOT_ON_CHAIN = "the chain holds other events for this game"
    RULES_BROKEN = "{event}: {error}: {detail}"
    WRONG_PHASE = "{event} while the game is {phase}"

    WRONG_SEATS = "a game of {seats} seats"
    SEAT_REFUSED = "seat {seat} cannot be taken by {player}"
    SEAT_NOT_TAKEN = "seat {seat} was not taken by {player}"
    WRONG_FIRST_SEAT = "the first seat is not the one that the drawn word gives"
    FIRST_SEAT_NOT_DRAWN = "the first seat is not drawn"

    NO_WINNER = "won by nobody"
    WRONG_PAYMENT = "the pot was not paid as this ending says"
    POT_NOT_PAID = "what was paid, with the rake, is not the pot"
