"""Every error that this package raises of its own.

BattleshipError
├── RuleError                what the rules refuse; nothing has changed
│   ├── MalformedText        not the text form of a ship, an attack, a shot or a position
│   ├── IllegalSize          no board of that size
│   ├── IllegalFleet
│   │   ├── ShipOffBoard     a part of the ship is not on the board
│   │   ├── ShipsOverlap     two ships share a cell
│   │   └── WrongFleet       not the ships of this size of board: some missing, or too many
│   ├── IllegalAttack
│   │   ├── GameFinished     the shooting is over
│   │   ├── OutOfRange       no such cell on this board
│   │   └── AlreadyFired     that cell was shot at before
│   ├── AnswerNeeded         the board shot at is hidden: its owner must answer
│   └── ImpossibleAnswer     contradicts the fleet, or says sunk without a hit
├── CommitmentError
│   ├── MalformedPlacement   not the packed form of a fleet
│   ├── PlacementLost        a sealed placement that these board keys do not open
│   └── BoardKeysMissing     a session key without its player's board keys
└── NothingToAnswer          no shot at the own board waits for an answer
"""


class BattleshipError(Exception):
    """Root of this package's errors."""


class RuleError(BattleshipError):
    """What the rules refuse; nothing has changed."""


class MalformedText(RuleError):
    """Not the text form of a ship, an attack, a shot or a position."""


class IllegalSize(RuleError):
    """No board of that size."""


class IllegalFleet(RuleError):
    """Root of what is wrong with ships."""


class ShipOffBoard(IllegalFleet):
    """A part of the ship is not on the board."""


class ShipsOverlap(IllegalFleet):
    """Two ships share a cell."""


class WrongFleet(IllegalFleet):
    """Not the ships of this size of board: some missing, or too many."""


class IllegalAttack(RuleError):
    """Root of the attacks that a state does not allow."""


class GameFinished(IllegalAttack):
    """The shooting is over."""


class OutOfRange(IllegalAttack):
    """No such cell on this board."""


class AlreadyFired(IllegalAttack):
    """That cell was shot at before."""


class AnswerNeeded(RuleError):
    """The board shot at is hidden: its owner must answer."""


class ImpossibleAnswer(RuleError):
    """Contradicts the fleet, or says sunk without a hit."""


class CommitmentError(BattleshipError):
    """Root of what is wrong with commitments."""


class MalformedPlacement(CommitmentError):
    """Not the packed form of a fleet."""


class PlacementLost(CommitmentError):
    """A sealed placement that these board keys do not open."""


class BoardKeysMissing(CommitmentError):
    """A session key without its player's board keys."""


class NothingToAnswer(BattleshipError):
    """No shot at the own board waits for an answer."""
