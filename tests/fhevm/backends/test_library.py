"""The binding and Concrete's optimizer: versions, torch present or not, the parameters."""

import importlib.metadata
import subprocess
import sys
import types

import pytest

from fhevm.backends.concrete import ConcreteBackend, library, torch_stand_in
from fhevm.backends.concrete.parameters import NOISE_BUDGET, optimize
from fhevm.errors import LibraryMismatch, ToolMissing, UnsupportedParameters


@pytest.fixture
def unloaded():
    library.library.cache_clear()
    yield
    library.library.cache_clear()


def test_another_version_is_refused(unloaded, monkeypatch):
    monkeypatch.setattr(library, "VERSION", "2.10.0")
    with pytest.raises(LibraryMismatch, match=r"2\.11\.0 is installed, but 2\.10\.0 is needed"):
        library.library()


def test_a_missing_package_is_named(unloaded, monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(library, "distribution", missing)
    with pytest.raises(ToolMissing, match="concrete-python"):
        library.library()


def test_a_package_without_the_library_is_named(unloaded, monkeypatch):
    monkeypatch.setattr(library, "_STEM", "libAbsent")
    with pytest.raises(ToolMissing, match="libAbsent"):
        library.library()


def test_memory_is_aligned():
    for alignment in (16, 64, 128):
        memory = library.aligned(100, alignment)
        assert memory.ctypes.data % alignment == 0
        assert memory.size == 100


PROGRAM = """
import sys, types
{setup}
from fhevm.backends.concrete.torch_stand_in import import_fhe
fhe = import_fhe()
assert fhe.LookupTable([1, 2])[0] == 1
print("torch" in sys.modules)
"""
FAKE = """
torch = types.ModuleType("torch")
torch.__getattr__ = lambda name: type(name, (), {})
torch.__spec__ = __import__("importlib.machinery").machinery.ModuleSpec("torch", None)
sys.modules["torch"] = torch
"""


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "left"), [("", "False"), (FAKE, "True")])
def test_concrete_loads_without_torch_and_with_it(setup, left):
    """Without, nothing of the stand-in is left behind; a real one is not replaced."""
    if not setup and importlib.util.find_spec("torch"):
        setup = "sys.meta_path.insert(0, type('No', (), {'find_spec': lambda *a: None}))"
    code = PROGRAM.format(setup=setup)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.strip()) == (0, left), run.stderr


def test_torch_is_found_where_it_is_loaded(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    assert torch_stand_in.torch_present()


@pytest.mark.slow
def test_the_optimizer_gives_what_the_circuits_rely_on():
    parameters = optimize()
    assert (parameters.polynomial_size, parameters.bootstrap_levels) == (2048, 1)
    assert parameters.p_error == 2.0**-64
    assert optimize(2.0**-40).lwe_dimension <= parameters.lwe_dimension
    assert NOISE_BUDGET == 338


@pytest.mark.slow
def test_failure_probabilities_out_of_reach_are_refused():
    with pytest.raises(UnsupportedParameters):
        ConcreteBackend(p_error=2.0**-128).generate_keys()
