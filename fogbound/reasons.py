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
    MALFORMED = "malformed: {detail}"
    TOO_LARGE = "longer than {limit} bytes"
    OTHER_FORMAT = "not a {format}"
    OLD_FORMAT = "a {found}, whose clocks count blocks: this version reads {format} only"
    UNKNOWN_GAME = "no game is named {game}"
    OTHER_GAME = "a record of {found}, not of {expected}"
    NO_RECORDS = "{game} has no records"
    EMPTY = "no events"

    SIGNATURE_WRONG = "it is not what its exporter has signed"
    SIGNERS_MISSING = "proofs, but no signer that they are checked against"
    PROOF_REFUSED = "proof {position}: {detail}"
    EVENTS_NOT_ON_CHAIN = "the chain holds other events for this game"


class TableReason(Reason):
    """What no table can have told so."""

    EVENTS_UNORDERED = "events out of order, or twice"
    TIME_UNORDERED = "{event} before what it follows"
    EVENT_OF_OTHER_GAME = "an event of another game than {game_id}"
    EVENT_UNKNOWN = "{event} is no event of this game"
    EVENT_MISSING = "{event} where {due} must follow"
    EVENT_UNCAUSED = "{event} without a cause"
    BROKEN_OFF = "it ends where {due} must follow"
    WRONG_PHASE = "{event} while the game is {phase}"
    RULES_BROKEN = "{event}: {error}: {detail}"

    WRONG_SEATS = "a game of {seats} seats"
    UNKNOWN_SEAT = "there is no seat {seat}"
    CONTROL_UNKNOWN = "there is no time control {control}"
    STAKE_TOO_LARGE = "a stake of {stake} wei"
    OPPONENT_REFUSED = "{opponent} cannot be the opponent"
    SEAT_REFUSED = "seat {seat} cannot be taken by {player}"
    SEAT_NOT_TAKEN = "seat {seat} cannot be left by {player}"
    CANCEL_REFUSED = "cancelled by nobody who may"

    WRONG_TARGET = "the draw is by block {target}, not by {expected}"
    DRAW_NOT_YET = "the first seat is drawn before block {target} is past"
    DRAW_NOT_MISSED = "the draw is set anew while block {target} is in reach"
    WRONG_FIRST_SEAT = "the first seat is not the one that the drawn word gives"

    NOT_ON_TURN = "{event} of seat {seat}, which is not on turn"
    WRONG_DEADLINE = "{event} says {given}, the clocks say {expected}"
    NO_KEEP_ALIVE = "seat {seat} has no keep-alive left"
    DEADLINE_NOT_PASSED = "{event} at {time}, before {deadline} has passed"
    STALE_OFFER = "a draw offered in position {given}, not in {current}"
    OFFERED_TWICE = "seat {seat} offers the same draw twice"
    PROOF_ASKED_TWICE = "seat {seat} is asked for its proof twice"
    PROOF_NOT_OWED = "seat {seat} owes no proof"
    VOID_TOO_EARLY = "{event} at {time}, before {first}"
    VOID_ANNOUNCED_TWICE = "the void is announced twice"
    VOID_NOT_ANNOUNCED = "voided without announcement"

    WRONG_ENDING = "ended as {given}, not as {expected}"
    WRONG_WINNERS = "other seats win than this ending says"
    WRONG_PAYMENT = "the pot was not paid as this ending says"
    POT_NOT_PAID = "what was paid, with the rake, is not the pot"
    WRONG_CREDIT = "{account} is credited {amount} wei, which was not to be paid then"
