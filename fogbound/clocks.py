"""How long a table waits, in blocks; a deployment decides it once for all its games."""

from typing import Annotated

import typer

CLOCKS = (240, 7_200, 240)
"""For a move, for a decryption, and from a void's notice to the void."""

Clocks = Annotated[
    tuple[int, int, int],
    typer.Option(
        metavar="MOVE WAIT NOTICE",
        help="Blocks for a move, for a decryption, and from a void's notice to the void; "
        "for games that are not deployed in the folder yet.",
    ),
]
