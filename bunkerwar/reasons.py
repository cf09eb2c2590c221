"""Why a record of Bunker War Z is refused, beside what may be wrong with any record."""

from fogbound.reasons import Reason


class BunkerWarReason(Reason):
    """What may be wrong with the actions, the missiles' stops or the result."""

    PARAMETERS_MALFORMED = "parameters: {detail}"
    NOT_OPENED = "a first seat, but no game was opened"

    NOT_ON_TURN = "{move} by seat {seat}, which is not on turn"
    BUILT_IN_FLIGHT = "a build while a missile is in flight"
    SENT_IN_FLIGHT = "a missile while another is in flight"
    UNKNOWN_LANE = "{missile}: no such lane"
    STOP_KNOWN = "{missile} needs no decryption"
    WRONG_STOP = "{missile} cannot stop at {stop} at once"
    OTHER_MISSILE = "{missile} resolved while {in_flight} is in flight"

    COUNTED_EARLY = "counting before the last action"
    SETTLED_EARLY = "a result before the last action"
    UNKNOWN_RESULT = "{result} is no result"
    WON_WITHOUT_RESULT = "won without a result"
    WRONG_ENDING = "the game did not end as its result says"

    NOTHING_AWAITED = "nothing is awaited"
    OTHER_PROOFS = "the proofs are not those of the stops and the result"
    HANDLE_MALFORMED = "not a handle: {handle}"
    HANDLE_OF_OTHER_CHAIN = "a value of chain {found}, not of {expected}"
