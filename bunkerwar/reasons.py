"""Why a record of Bunker War Z is refused, beside what may be wrong with any record."""

from fogbound.reasons import Reason


class BunkerWarReason(Reason):
    """What may be wrong with the actions, the missiles' stops or the result."""

    PARAMETERS_MALFORMED = "not opened as a game of Bunker War Z"

    UNKNOWN_LANE = "{missile}: no such lane"
    NOT_ARMED = "{missile} of seat {seat}, which must build first"
    STOP_KNOWN = "{missile} needs no decryption"
    WRONG_STOP = "{missile} cannot stop at {stop} at once"
    OTHER_MISSILE = "{missile} resolved while {in_flight} is in flight"

    NOTHING_AWAITED = "{event}, and nothing is awaited"
    UNKNOWN_RESULT = "{result} is no result"

    OTHER_PROOFS = "the proofs are not those of the stops and the result"
    HANDLE_MALFORMED = "not a handle: {handle}"
    HANDLE_OF_OTHER_CHAIN = "a value of chain {found}, not of {expected}"
