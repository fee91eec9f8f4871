"""First states far from the start of the file: forces and loads are of the right position."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_contact import ContactDetector, DetectionSettings, PayloadEstimator, PayloadSettings
from mb_contact.external_force import (
    DirectMethod,
    ExtendedStateObserver,
    MomentumObserver,
    SlidingModeObserver,
)
from mb_contact.isolation.hypothesis import IsolationSettings
from mb_contact.isolation.isolation import Isolation
from mb_model import load_mechanism

JOINTS = [f'q{k}' for k in range(1, 7)]
STRETCHED = load_mechanism('six_axis_arm').replace(start=dict.fromkeys(JOINTS, 0.0))
LOADED = STRETCHED.replace(
    parameters={'load': 5.0},
    bodies={'load': {'mass': 'load', 'centre_of_gravity': [0.0, 0.1, 0.0],
                     'inertia': [0.01, 0.01, 0.01]}},
    joints={'grip': {'kind': 'weld', 'bodies': ['wrist3', 'load'],
                     'at': [[0.0, 0.08, 0.0], [0.0, 0.0, 0.0]]}})
UNKNOWN = LOADED.replace(parameters={'load': 1.0})
MACHINES = {'six_axis_arm': (STRETCHED, JOINTS),
            'four_bar': (load_mechanism('four_bar'), ['theta'])}
OBSERVERS = (MomentumObserver, ExtendedStateObserver, SlidingModeObserver)
ANGLES = st.lists(st.floats(-2.9, 2.9), min_size=6, max_size=6)


@pytest.mark.parametrize('name', MACHINES)
@settings(deadline=None, max_examples=15)
@given(ANGLES)
def test_nothing_pushes_a_machine_that_is_held(name, numbers):
    machine, drives = MACHINES[name]
    z, still = np.array(numbers[:machine.g]), np.zeros(machine.g)
    held = machine.inverse_dynamics(z, still, still)
    scale = 1e-7 * (1.0 + np.abs(held).max())
    direct = DirectMethod(machine, drives).force(z, still, still, held)
    np.testing.assert_allclose(direct, 0.0, atol=scale)
    for observer in OBSERVERS:
        begun = observer(machine, drives)
        begun.reset(z, still)
        np.testing.assert_allclose(begun.update(1e-3, z, still, held), 0.0, atol=scale)


@pytest.mark.parametrize('elsewhere', [False, True])
@settings(deadline=None, max_examples=10)
@given(ANGLES)
def test_a_detector_needs_no_position_from_others(elsewhere, numbers):
    """Nor does it take one that is not at the state."""
    z, still = np.array(numbers), np.zeros((5, 6))
    stamps = (np.arange(5) + 100) * 10_000_000
    held = STRETCHED.inverse_dynamics(z, still[0], still[0])
    q = np.tile(STRETCHED.assemble(z + 0.5), (5, 1)) if elsewhere else None
    detector = ContactDetector(STRETCHED, settings=DetectionSettings(
        method='direct', direct_threshold=(20.0,), momentum_threshold=(20.0,)))
    judged = detector.run(stamps, np.tile(z, (5, 1)), still, still, None,
                          np.tile(held, (5, 1)), q)
    assert not judged.detected.any()
    assert not any(judged.reason[1:])
    np.testing.assert_allclose(judged.force['direct'][1:], 0.0, atol=1e-6)


@settings(deadline=None, max_examples=5)
@given(st.lists(st.floats(-0.8, 0.8), min_size=6, max_size=6))
def test_a_load_is_weighed(numbers):
    """The same with a position and without; near it, upper arm and forearm are level."""
    z, still = np.array([-0.4, -2.0, -1.7, -1.5, 1.0, 0.4]) + numbers, np.zeros(6)
    held = LOADED.inverse_dynamics(z, still, still)
    weighed = []
    for q in (None, LOADED.assemble(z)):
        estimator = PayloadEstimator(UNKNOWN, ['load'], PayloadSettings(), dt=0.01)
        for k in range(100):
            load = estimator.update((100 + k) * 10_000_000, z, still, still,
                                    covariance=1e-8 * np.eye(18), q=q, forces=held)
        weighed.append((load.mass[0], load.deviation[0]))
    np.testing.assert_allclose(*weighed, rtol=1e-6)
    assert abs(weighed[0][0] - 5.0) < 3.0 * weighed[0][1] + 0.01


@settings(deadline=None, max_examples=10)
@given(ANGLES)
def test_contacts_are_placed_at_the_state(numbers):
    z, force = np.array(numbers), np.array([5.0, -8.0, 3.0, 1.0, -1.0, 0.5])
    found = []
    for near in (None, STRETCHED.assemble(z)):
        isolation = Isolation(STRETCHED, IsolationSettings())
        isolation.update(1, np.full(6, 0.1), force, 0.1 * np.eye(6))
        found.append([(one.bodies, one.probability) for one in isolation.hypotheses(z, near)])
    (without, given_one) = (dict(one) for one in found)
    assert without == pytest.approx(given_one, abs=1e-6)
