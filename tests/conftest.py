"""Common set-up: the pinned tools must be known before ape looks for a compiler or a chain."""

from fhevm.toolchain import export_environment

export_environment()
