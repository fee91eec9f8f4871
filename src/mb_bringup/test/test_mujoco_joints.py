"""Joints, coordinates and forces of every kind in MuJoCo, against the multibody simulation."""

import numpy as np
import pytest

from mb_bringup.prototypes import ENGINES, make_prototype
from mb_model import load_mechanism
from mb_model.mechanism import Mechanism

# A boom with a hanger that slides and swings on it, a block that only slides, a flag welded to the
# block, and a platform on the hanger that keeps the boom's angle.
MACHINE = {
    'name': 'machine', 'gravity': [1.0, -9.0],
    'points': {'O': {'fixed': [0.0, 0.5]}, 'E': {'fixed': [2.0, 1.0]}, 'A': {'start': [2.0, 0.8]},
               'S': {'start': [1.2, 0.7]}, 'T': {'start': [1.3, -0.2]}, 'U': {'start': [0.3, 0.5]},
               'V': {'start': [0.5, 0.6]}, 'W': {'start': [0.4, 0.9]}, 'L': {'start': [1.7, -0.1]}},
    'bodies': {
        'boom': {'points': ['O', 'A'], 'length': 2.0, 'mass': 2.0},
        'hanger': {'points': {'T': [0, 0], 'S': [0.9, 0]}, 'mass': 0.8,
                   'centre_of_gravity': [0.3, 0.1], 'inertia': 0.2},
        'block': {'points': ['U', 'V'], 'length': 0.2, 'mass': 0.6},
        'flag': {'points': ['V', 'W'], 'length': 0.3, 'mass': 0.3},
        'platform': {'points': ['T', 'L'], 'length': 0.4, 'mass': 0.5}},
    'coordinates': {
        'theta': {'kind': 'angle', 'body': 'boom'},
        'swing': {'kind': 'relative_angle', 'bodies': ['boom', 'hanger']},
        'reach': {'kind': 'distance', 'points': ['E', 'L']},
        'place': {'kind': 'slider', 'point': 'S', 'along': ['O', 'A']},
        'shift': {'kind': 'slider', 'point': 'U', 'along': ['O', 'A']}},
    'constraints': {
        'slot': {'kind': 'slider', 'point': 'S', 'along': ['O', 'A']},
        'back': {'kind': 'slider', 'point': 'U', 'along': ['O', 'A']},
        'front': {'kind': 'slider', 'point': 'V', 'along': ['O', 'A']},
        'weld': {'kind': 'welded_angle', 'bodies': ['flag', 'block'], 'angle': -1.9},
        'level': {'kind': 'welded_angle', 'bodies': ['boom', 'platform'], 'angle': 0.1}},
    'forces': {
        'boom': {'kind': 'spring_damper', 'coordinate': 'theta', 'stiffness': 150.0, 'rest': 0.4,
                 'damping': 4.0},
        'motor': {'kind': 'constant', 'coordinate': 'swing', 'force': 3.0},
        'rope': {'kind': 'spring_damper', 'coordinate': 'reach', 'stiffness': 20.0, 'rest': 1.0},
        'stop': {'kind': 'spring_damper', 'coordinate': 'place', 'stiffness': 60.0, 'rest': 1.3},
        'rub': {'kind': 'friction', 'coordinate': 'shift', 'viscous': 2.0, 'coulomb': 3.0,
                'static': 4.0, 'transition_velocity': 0.5},
        'strut': {'kind': 'spring_damper', 'points': ['O', 'W'], 'stiffness': 40.0, 'rest': 0.5,
                  'damping': 1.0},
        'coil': {'kind': 'spring_damper', 'bodies': ['boom', 'hanger'], 'stiffness': 5.0,
                 'rest': 1.0},
        'push': {'kind': 'load', 'body': 'hanger', 'at': [0.3, 0.2], 'force': [3.0, -4.0],
                 'moment': 0.4},
        'jet': {'kind': 'load', 'body': 'boom', 'at': 'A', 'force': [2.0, 1.0], 'axes': 'body'}},
    'independent': ['theta', 'swing', 'place', 'shift'],
    'start': {'theta': 0.15, 'swing': 1.6, 'place': 1.2, 'shift': 0.3},
    'start_velocity': {'theta': 0.3, 'swing': -0.5, 'place': 0.2, 'shift': 0.4},
}

DRY_CRANE = load_mechanism('crane').replace(
    hydraulics=None, sensors={'pressure1': None, 'pressure2': None})


def states(engine, mechanism, step, count=100):
    """Return (count, 6, ...) z, zd, zdd, q, qd, qdd every 10 ms."""
    prototype = make_prototype(engine, mechanism, 1e-2, step)
    found = []
    for _ in range(count):
        prototype.advance()
        found.append(prototype.state)
        assert prototype.loop_residual < 1e-5
    return [np.array([getattr(state, key) for state in found])
            for key in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')]


def test_every_joint_coordinate_and_force_is_in_mujoco():
    """At the start nothing but rounding and MuJoCo's firmness of closures is between the two."""
    mechanism = Mechanism(MACHINE, 'machine.yaml')
    state = make_prototype('mujoco', mechanism, 1e-2, 1e-3).state
    assert state.q == pytest.approx(mechanism.q0, abs=1e-9)
    assert state.zd == pytest.approx(mechanism.zd0, abs=1e-9)
    assert state.zdd == pytest.approx(
        mechanism.forward_dynamics(mechanism.z0, mechanism.zd0), rel=2e-3, abs=2e-3)


@pytest.mark.parametrize('mechanism', [
    Mechanism(MACHINE, 'machine.yaml'), *map(load_mechanism, (
        'inverted_slider_crank', 'slider_crank', 'four_bar_spring_damper')), DRY_CRANE],
    ids=lambda mechanism: mechanism.name)
def test_both_simulators_come_closer_with_the_step(mechanism):
    """Each has errors of its own; with half the step their motions differ by a quarter.

    Accelerations also differ by the share that MuJoCo's closures give way, at any step.
    """
    coarse, fine = (
        [np.abs(a - b).max() for a, b in zip(
            *(states(engine, mechanism, step) for engine in ENGINES), strict=True)]
        for step in (1e-3, 5e-4))
    for k, bound in enumerate((5e-4, 2e-3, 5e-2, 5e-4, 2e-3, 5e-2)):
        assert coarse[k] < bound
    for k in (0, 1, 3, 4):
        assert fine[k] < 0.4 * coarse[k]


def test_two_engines_with_a_stiff_spring():
    """The spring of the split coupler swings at 160 Hz."""
    mechanism = load_mechanism('four_bar_split')
    (z, *_), (expected, *_) = (states(engine, mechanism, 1e-4, 30) for engine in ENGINES)
    assert np.abs(z - expected).max() < 2e-3
