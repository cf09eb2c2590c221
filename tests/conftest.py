"""Common set-up: the pinned tools must be known before ape looks for a compiler or a chain."""

from hypothesis import HealthCheck, settings

from fhevm.toolchain import export_environment

export_environment()

# How fast a machine is decides no test.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")
