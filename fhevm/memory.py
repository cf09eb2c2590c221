"""Giving memory back to the system."""

import ctypes
import gc
import sys

M_MMAP_THRESHOLD = -3  # as malloc.h has it
LARGE_BYTES = 1 << 20


def trim_memory() -> None:
    """After a start that needed much for a short time. Only glibc is asked; elsewhere nothing happens."""
    gc.collect()
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)


def give_back_large_memory() -> None:
    """From now on, what is large goes back once it is free: glibc would keep it, in ever more pieces."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
