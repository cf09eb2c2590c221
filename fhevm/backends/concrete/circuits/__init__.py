"""Circuits, a file for each family of operators; each takes and returns lists of blocks."""
