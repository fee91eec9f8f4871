"""The crane and its shipped work cycle show what the paper's crane shows."""

from pathlib import Path

import numpy as np
import pytest

from mb_model import HydraulicStepper, WorkCycle, load_mechanism, simulate_hydraulics
from mb_model.mechanism.analysis import oil_frequencies

CYCLE = Path(__file__).parents[1] / 'work_cycles' / 'crane.csv'


@pytest.mark.parametrize('load', [0.0, 50.0, 200.0])
def test_the_crane_over_its_work_cycle(load):
    mechanism = load_mechanism('crane').replace(parameters={'load': load})
    circuit = mechanism.circuit
    run = simulate_hydraulics(mechanism, 23.5, 2e-3, WorkCycle.load(CYCLE, mechanism))
    assert run.p.min() > 1e6
    assert run.p.max() < 15e6
    assert 0.07 < np.abs(run.sd).max() < 0.1
    assert run.s.min() > 0.70      # never at an end of the stroke
    assert run.s.max() < 1.15
    assert not run.stop_force.any()
    # Friction and weight against inertia, seen at the piston, while it moves.
    rows = np.flatnonzero(np.abs(run.sd[:, 0]) > circuit.transition_velocity[0])[::20]
    assert len(rows) > 0.6 * len(run.t) / 20
    friction = [abs(circuit.friction(run.p[k], run.sd[k])[0]) for k in rows]
    weight = np.array([mechanism.inverse_dynamics(run.z[k], [0.0], [0.0])[0] for k in rows])
    needed = np.array([mechanism.inverse_dynamics(run.z[k], run.zd[k], run.zdd[k])[0]
                       for k in rows])
    inertia = np.abs(needed - weight).mean()
    assert np.mean(friction) > 3.0 * inertia
    assert weight.mean() > 10.0 * inertia


@pytest.mark.parametrize('s', [0.8, 0.925, 1.05])
def test_the_load_swings_on_the_oil_at_about_ten_hertz(s):
    stepper = HydraulicStepper(load_mechanism('crane'))
    mechanism = stepper.mechanism
    holding = mechanism.inverse_dynamics([s], [0.0], [0.0])[0]
    area = stepper.circuit.area
    p1 = (holding + 3e6 * area[1] + 101325.0 * (area[0] - area[1])) / area[0]
    stepper.reset([s], [0.05], p=[p1, 3e6])
    rates = []
    for _ in range(300):
        stepper.step(1e-3)
        rates.append(stepper.sd[0])
    turns = np.flatnonzero(np.diff(np.sign(rates)) != 0)
    assert len(turns) >= 3
    frequency = 0.5e3 / np.diff(turns[:3]).mean()
    assert frequency == pytest.approx(10.0, abs=2.0)
    assert oil_frequencies(mechanism, [s], [p1, 3e6])[0] == pytest.approx(frequency, rel=0.05)
