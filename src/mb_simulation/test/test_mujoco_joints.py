"""Joints, coordinates and forces of every kind in MuJoCo, against the multibody simulation."""

from pathlib import Path

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_simulation.prototypes import ENGINES, make_prototype
from mb_simulation.prototypes.mujoco_prototype import MujocoPrototype
from mb_simulation.prototypes.unmodelled import UnmodelledSettings, require_loops

MACHINE = load_mechanism(str(Path(__file__).with_name('mechanisms') / 'machine.yaml'))
RUB = {'coordinate': 'shift', 'viscous': 2.0, 'coulomb': 3.0, 'static': 4.0}      # of its file
SMOOTH = MACHINE.replace(forces={'rub': {'coulomb': 0.0, 'static': 0.0}})
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
    """At the start nothing but rounding and MuJoCo's firmness of closures is between the two.

    The block slides slower than its transition velocity, so the dry friction is the static one.
    """
    state = make_prototype('mujoco', MACHINE, 1e-2, 1e-3).state
    assert state.q == pytest.approx(MACHINE.q0, abs=1e-9)
    assert state.zd == pytest.approx(MACHINE.zd0, abs=1e-9)
    rub = -RUB['static'] - RUB['viscous'] * MACHINE.zd0[MACHINE.independent.index('shift')]
    pushed = MACHINE.replace(forces={'rub': None}).replace(
        forces={'rub': {'kind': 'constant', 'coordinate': 'shift', 'force': float(rub)}})
    assert state.zdd == pytest.approx(
        pushed.forward_dynamics(MACHINE.z0, MACHINE.zd0), rel=2e-3, abs=2e-3)


@pytest.mark.parametrize('mechanism', [
    SMOOTH, *map(load_mechanism, (
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


@pytest.mark.parametrize(('stiffness', 'clearance'), [(1e4, 0.0), (1e5, 0.0), (1e5, 2e-3)])
def test_an_elastic_joint_gives_way_by_the_force_that_it_transmits(stiffness, clearance):
    """At rest, held by a spring on the crank: the force of the pin from moments of the weights."""
    held = load_mechanism('four_bar').replace(forces={'hold': {
        'kind': 'spring_damper', 'coordinate': 'theta', 'stiffness': 2000.0, 'rest': 'pi/3',
        'damping': 400.0}})
    prototype = MujocoPrototype(held, 1e-2, 5e-4, unmodelled=UnmodelledSettings(
        joint_stiffness=stiffness, joint_damping=2e3, joint_clearance=clearance))
    for _ in range(400):
        prototype.advance()
    # A pin without friction swings to and fro in its hole before it rests.
    assert np.abs(prototype.state.zd).max() < (1e-5 if clearance else 1e-9)
    (first, second), base = prototype.state.q[:4].reshape(2, 2), np.array([10.0, 0.0])
    coupler, rocker = second - first, second - base
    # (place x force) = weight times half the way across, on the coupler with F, the rocker with -F
    pin = np.linalg.solve([[-coupler[1], coupler[0]], [rocker[1], -rocker[0]]],
                          9.81 / 2.0 * np.array([8.0 * coupler[0], 5.0 * rocker[0]]))
    gap = prototype.loop_residual
    assert gap == pytest.approx(clearance + np.linalg.norm(pin) / stiffness, rel=5e-3)
    assert gap > 1e-4


def test_a_pin_is_free_within_its_clearance():
    """Nothing acts: a link that turns freely beside the pin keeps its rate until it touches."""
    free = load_mechanism('four_bar').replace(gravity=[0.0, 0.0])
    loose = make_prototype('mujoco', free, 1e-3, 1e-3, unmodelled=UnmodelledSettings(
        joint_stiffness=1e5, joint_clearance=0.5))
    loose.data.qvel[-1] += 0.1
    loose._accelerate()
    for _ in range(100):
        loose.advance()
    moved = loose.data.qvel.copy()
    assert 1e-3 < loose.loop_residual < 0.5
    assert np.isfinite(moved).all()
    kinetic = loose.energy[0]
    for _ in range(100):
        loose.advance()
    assert loose.energy[0] == pytest.approx(kinetic, rel=1e-9)


def test_steps_are_as_short_as_a_joint_asks_for():
    """A stiff joint in steps that are too long for it moves as a rigid one."""
    stiff, rigid = (make_prototype('mujoco', load_mechanism('three_rrr'), 5e-3, 5e-3,
                                   unmodelled=UnmodelledSettings(joint_stiffness=stiffness))
                    for stiffness in (1e8, 0.0))
    for _ in range(20):
        for prototype in (stiff, rigid):
            prototype.set_drive_torques(np.array([1.0, 0.0, 0.0]))
            prototype.advance()
    assert np.abs(rigid.state.zd).max() > 0.1
    np.testing.assert_allclose(stiff.state.z, rigid.state.z, atol=1e-5)
    assert stiff.loop_residual < 1e-6


@pytest.mark.parametrize(('mechanism', 'settings', 'objection'), [
    ('pendulum', {'joint_stiffness': 1e5}, 'joint_stiffness: 100000 must be 0: no joint closes'),
    ('delta', {'joint_stiffness': 1e5}, 'must be 0: only for mechanisms in the plane'),
    ('four_bar', {'joint_stiffness': 1e5, 'elastic_body': 'coupler'}, 'must be 0: not beside'),
    ('four_bar', {'joint_clearance': 1e-3}, 'joint_clearance: 0.001 must be 0 without a')])
def test_joints_that_cannot_give_way_are_reported(mechanism, settings, objection):
    with pytest.raises(ValueError, match=objection):
        require_loops(load_mechanism(mechanism), UnmodelledSettings(**settings))
