"""A run of the three-simulation method with known errors."""

import numpy as np
import pytest

from mb_bringup.accuracy.run import ThreeSimulationRun
from mb_bringup.heard.run import Counters
from mb_model import load_mechanism
from mb_sensors import sensors_of

START = 1_000_000_000       # [ns]


@pytest.fixture
def filled_run():
    """Return a function that makes such a run."""
    return fill


def fill(observer_error=0.01, skip=(), duration=3.0):
    """Return a run with a model 1 rad off; the observer misses the states numbered in skip."""
    mechanism = load_mechanism('four_bar')
    run = ThreeSimulationRun(START, duration, 100.0, sensors_of(mechanism, 'crank_encoder'))
    for k, stamp in enumerate(run.expected.tolist()):
        run.counters = Counters(stamp, used=k + 1)
        t = 0.01 * k
        z, zd, zdd = np.array([np.sin(3 * t), 3 * np.cos(3 * t), -9 * np.sin(3 * t)])[:, None]
        run.add_state('prototype', t, stamp, ['theta'], z, zd, zdd, np.empty((0, 0)))
        run.add_state('model', t, stamp, ['theta'], z + 1.0, zd, zdd, np.empty((0, 0)))
        if k and k not in skip:
            run.add_state('observer', t + 0.001, stamp, ['theta'], z + observer_error, zd,
                          zdd, np.diag([1e-4, 1e-2]))
            run.add_innovation(stamp, ['crank_encoder'], [0.01 * (-1) ** k], [1e-4], 1.0, 2e-5)
    return run
