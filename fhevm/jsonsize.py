"""How much there is to build of a JSON text: what it costs goes by its values, not by its bytes."""

FEW_VALUES = 20_000
BYTES_A_VALUE = 8  # beyond these; a megabyte of empty lists takes half a second to build


def is_costly(text: bytes) -> bool:
    """Whether it has very many values for its size."""
    values = sum(map(text.count, (b"[", b"{", b",")))
    return values > FEW_VALUES + len(text) // BYTES_A_VALUE
