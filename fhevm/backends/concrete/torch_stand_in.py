"""Import concrete-python without torch.

concrete-python touches `torch` at import time for two neural-network extensions that nothing here uses, and
torch is 5 GB. Where it is absent, a module whose every attribute is an empty class stands in for it, only
while concrete-python is imported: code that asks for torch later finds that there is none.
"""

import importlib
import importlib.util
import sys
import warnings
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NAME = "torch"


class _StandIn(ModuleType):
    """Has a class for every name that an extension may mention in an annotation or a base class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def import_fhe() -> Any:
    """The module `concrete.fhe`."""
    if torch_present():
        return _import()
    stand_in = _StandIn(NAME)
    stand_in.__spec__ = ModuleSpec(NAME, None)
    sys.modules[NAME] = stand_in
    try:
        return _import()
    finally:
        del sys.modules[NAME]


def _import() -> Any:
    with (
        warnings.catch_warnings()
    ):  # concrete-python's use of pkg_resources is not our users' matter
        warnings.simplefilter("ignore")
        return importlib.import_module("concrete.fhe")


def torch_present() -> bool:
    """Whether torch is loaded or could be."""
    return NAME in sys.modules or importlib.util.find_spec(NAME) is not None
