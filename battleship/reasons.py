"""Why a record of Battleship is refused, beside what may be wrong with any record."""

from fogbound.reasons import Reason


class BattleshipReason(Reason):
    """What may be wrong with the shooting, the openings or the proofs."""

    NOT_BATTLESHIP = "not opened as a game of Battleship"

    ANSWER_DUE = "seat {seat} fires before it has answered"
    NOTHING_TO_ANSWER = "seat {seat} answers what nobody asked"
    NO_BOARD_TO_PROVE = "seat {seat} has no board to prove"
    REVEALED_TWICE = "seat {seat} has revealed its board already"
    REVEALED_LATE = "seat {seat} reveals its board when it is too late"

    DECRYPTIONS_FOUND = "decryptions in a game that has none"
    OPENING_MALFORMED = "an opening that is none"
    OPENINGS_MISSING = "not as many openings as answers"
    OPENING_MISPLACED = "the opening of cell {cell} is of another cell or depth"
    OPENING_TRUE = "cell {cell} was opened truly and called false"
    OPENING_FALSE = "the opening of cell {cell} does not lead to the root"
    ANSWERED_ELSEWHERE = "transaction {transaction} answered through another contract"
    BOARD_NOT_COMMITTED = "what seat {seat} revealed is not what it committed"
    WRONG_JUDGEMENT = "seat {seat} was judged wrongly"
