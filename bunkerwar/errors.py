"""Every error of this package that is not in `fogbound.errors` or `fhevm.errors`.

RuleError                    (bunkerwar.rules) what the rules refuse
├── MalformedText            not the text form of a move, a board or a position
├── IllegalBoard             lanes or depth out of range
├── IllegalMove              a move that the position does not allow
│   ├── GameFinished
│   ├── OutOfRange
│   ├── CellOccupied
│   ├── CellUnsupported
│   └── MissileNotArmed
├── HiddenInformation        the answer depends on cells that a view does not show
└── ImpossibleStop           a missile cannot have stopped there

fogbound.errors.ContractError
├── NoMissileInFlight        the game waits for the result, not for a missile
└── NotCounting              the game waits for a missile, not for the result

fogbound.errors.RecordInvalid  an exported record does not hold what it claims
"""

from fogbound.errors import ContractError


class NoMissileInFlight(ContractError, solidity="BunkerWar_NoMissileInFlight"):
    """The game waits for the result, not for a missile."""


class NotCounting(ContractError, solidity="BunkerWar_NotCounting"):
    """The game waits for a missile, not for the result."""
