"""Why a record of Battleship is refused, beside what may be wrong with any record."""

from fogbound.reasons import Reason


class BattleshipReason(Reason):
    """What may be wrong with the shooting, the openings or the proofs."""

    NOT_BATTLESHIP = "not opened as a game of Battleship"
    UNKNOWN_SEAT = "there is no seat {seat}"
    COMMITTED_TWICE = "seat {seat} commits twice"
    COMMITMENT_MISSING = "a game begins without two commitments"

    FIRED_OUT_OF_TURN = "seat {seat} fires out of turn"
    NOTHING_TO_ANSWER = "seat {seat} answers what nobody asked"
    SHOOTING_OVER = "the shooting is over"
    NOT_ON_TIME = "seat {seat} loses on the other's time"
    DRAW_NOT_OFFERED = "a draw that not both have offered"

    NOTHING_TO_PROVE = "seat {seat} has nothing to prove"
    NO_PROOF_OWED = "seat {seat} owed no proof"
    NO_BOARD_TO_PROVE = "seat {seat} has no board to prove"
    PAID_BEFORE_PROOF = "paid before anything was proved"
    WRONG_ENDING = "the game did not end as its proofs say"

    DECRYPTIONS_FOUND = "decryptions in a game that has none"
    OPENING_MALFORMED = "an opening that is none"
    OPENINGS_MISSING = "not as many openings as answers"
    OPENING_MISPLACED = "the opening of cell {cell} is of another cell or depth"
    OPENING_TRUE = "cell {cell} was opened truly and called false"
    OPENING_FALSE = "the opening of cell {cell} does not lead to the root"
    ANSWERED_ELSEWHERE = "transaction {transaction} answered through another contract"
    BOARD_NOT_COMMITTED = "what seat {seat} revealed is not what it committed"
    WRONG_JUDGEMENT = "seat {seat} was judged wrongly"
