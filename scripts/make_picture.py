"""Draw docs/bunkerwar.svg: a position from the middle of a game, as the first seat's terminal shows it."""

import io
import re
from pathlib import Path

from rich.console import Console

from bunkerwar.board import draw_state
from bunkerwar.rules import State

PICTURE = Path(__file__).parent.parent / "docs" / "bunkerwar.svg"
POSITION = "hhB./h.b./..../.h.b ??.?/?.?./..../..?B 0 18 0 -"
NOTE = "opponent: missile at lane a, a bunker at depth 3 stopped it"


def main() -> None:
    """Write the picture, without the fonts that Rich would load from elsewhere."""
    console = Console(record=True, width=88, file=io.StringIO(), force_terminal=True)
    console.print(draw_state(State.parse(POSITION), ("you", "opponent"), NOTE))
    svg = console.export_svg(title="bunkerwar play")
    PICTURE.write_text(re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL))


if __name__ == "__main__":
    main()
