"""The noise of evaluation keys: normal, of the variance asked for, a function of the seed."""

import numpy as np

from fhevm.backends.concrete.noise import gaussian

COUNT = 200_001
VARIANCE = 2.0**-40
DEVIATION = 2.0**44


def test_moments_and_tails_are_normal():
    samples = gaussian(b"seed", COUNT, VARIANCE).astype(np.int64) / DEVIATION
    assert samples.size == COUNT
    assert abs(samples.mean()) < 0.01
    assert abs(samples.std() - 1) < 0.01
    for sigmas, share in ((1, 0.3173), (2, 0.0455), (3, 0.0027)):
        assert abs((np.abs(samples) > sigmas).mean() / share - 1) < 0.15
    assert abs(np.corrcoef(samples[: COUNT // 2], samples[-(COUNT // 2) :])[0, 1]) < 0.01


def test_seeds_decide():
    first, again, other = (gaussian(seed, 9, VARIANCE).tolist() for seed in (b"a", b"a", b"b"))
    assert first == again != other
