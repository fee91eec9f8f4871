"""Friction from a motion whose states are known exactly."""

import numpy as np
import pytest

from mb_contact.friction.law import friction_force
from mb_contact.friction.of_cylinders import friction_samples
from mb_model import load_mechanism, simulate_hydraulics
from mb_model.record.hydraulics import AIR_PRESSURE


@pytest.fixture(scope='module')
def crane():
    return load_mechanism('crane').replace(parameters={'load': 30.0})


def test_law_is_that_of_the_circuit(crane):
    circuit, random = crane.circuit, np.random.default_rng(1)
    parameters = crane.raw['hydraulics']['cylinders']['lift']['friction']
    pressures = random.uniform(1e5, 12e6, (50, 2))
    velocity = 0.1 * random.uniform(-1.0, 1.0, 50) ** 3
    ours = friction_force(parameters, velocity, *(pressures - AIR_PRESSURE).T)
    theirs = [circuit.friction(p, [v])[0] for p, v in zip(pressures, velocity, strict=True)]
    assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-9)


def test_exact_motion_gives_exact_friction(crane):
    run = simulate_hydraulics(crane, 0.6, 1e-3, U0=[0.4])      # the valve closes by itself
    circuit, taken = crane.circuit, slice(1, None, 10)
    count = len(run.t[taken])
    covariance = np.broadcast_to(np.diag([0.0, 1e-8, 4e-4, 1e8, 1e8, 0.0]), (count, 6, 6))
    samples = friction_samples(crane, run.t[taken], (run.z[taken], run.zd[taken], run.zdd[taken]),
                               run.p[taken], covariance)['lift']
    true = [circuit.friction(p, sd)[0] for p, sd in zip(run.p[taken], run.zd[taken], strict=True)]
    assert np.abs(samples.velocity).max() > 0.03
    assert samples.force == pytest.approx(true, abs=0.5)       # of up to 500 N
    assert samples.velocity_deviation == pytest.approx(1e-4)
    mass = (crane.inverse_dynamics(crane.z0, [0.0], [1.0])
            - crane.inverse_dynamics(crane.z0, [0.0], [0.0]))[0]
    by_hand = np.sqrt((0.02 * mass) ** 2 + (1e4 * circuit.area[0]) ** 2
                      + (1e4 * circuit.area[1]) ** 2)
    assert samples.force_deviation[0] == pytest.approx(by_hand, rel=1e-3)


def test_too_few_cylinders_are_reported():
    with pytest.raises(ValueError, match=r'four_bar\.yaml: friction can be found only where'):
        friction_samples(load_mechanism('four_bar'), [], ([], [], []), [], [])
