"""What a deployment decides for all its games."""

from collections.abc import Sequence
from dataclasses import dataclass

from fogbound.clocks import Clocks, TimeControl


@dataclass(frozen=True)
class Terms:
    """The clocks and the time controls of one deployment; a game's `control` counts the latter."""

    clocks: Clocks
    controls: Sequence[TimeControl]
