"""Forces from outside by the momentum observer and the direct method, against known ones."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from spatial_machines import TORQUE_FREE

from mb_contact.arguments import ContactError
from mb_contact.external_force import (
    DirectMethod,
    DirectMethodSettings,
    DrivenMechanism,
    ExtendedStateObserver,
    ExtendedStateSettings,
    MomentumObserver,
    MomentumObserverSettings,
    SlidingModeObserver,
    SlidingModeSettings,
)
from mb_model import Mechanism, load_mechanism, make_stepper

DRIVES = {'three_rrr': ['drive1', 'drive2', 'drive3'], 'five_bar': ['theta1', 'theta2'],
          'crane': ['s'], 'double_pendulum': ['theta1'],
          'six_axis_arm': ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'], 'delta': ['phi1', 'phi2', 'phi3'],
          'stewart': ['length1', 'length2', 'length3', 'length4', 'length5', 'length6']}
MECHANISMS = {name: load_mechanism(name) for name in DRIVES}
MECHANISMS['afloat'] = Mechanism(TORQUE_FREE | {'gravity': [0.3, 0.0, -9.81]}, 'afloat.yaml')
DRIVES['afloat'] = ['at.z', 'turn.y']
DRIVEN = {name: DrivenMechanism(MECHANISMS[name], drives) for name, drives in DRIVES.items()}
NUMBERS = st.lists(st.floats(-1.0, 1.0), min_size=24, max_size=24)


def near_start(mechanism, numbers):
    """Return z, zd and forces (g) out of random numbers, near the start of the file."""
    g = mechanism.g
    return (mechanism.z0 + 0.03 * np.array(numbers[:g]), np.array(numbers[6:6 + g]),
            5.0 * np.array(numbers[12:12 + g]))


@pytest.mark.parametrize('name', DRIVES)
@settings(deadline=None, max_examples=25)
@given(numbers=NUMBERS)
def test_momentum_changes_by_its_rate_and_what_acts(name, numbers):
    mechanism, driven = MECHANISMS[name], DRIVEN[name]
    z, zd, outside = near_start(mechanism, numbers)
    zdd = mechanism.forward_dynamics(z, zd, outside)
    h = 1e-5
    before, after = (driven.momentum(z + k * zd + k * k / 2 * zdd, zd + k * zdd)[0]
                     for k in (-h, h))
    momentum, rate = driven.momentum(z, zd)
    kinetic, _ = mechanism.energy(z, zd)
    assert momentum @ zd / 2 == pytest.approx(kinetic, rel=1e-9, abs=1e-12)
    np.testing.assert_allclose((after - before) / (2 * h), rate + outside, rtol=1e-5, atol=1e-4)
    here = mechanism.operational_space(z, zd)
    np.testing.assert_allclose(
        rate, here.coriolis.T @ zd - here.gravity - here.friction - here.other, atol=1e-9)


@pytest.mark.parametrize('name', DRIVES)
@settings(deadline=None, max_examples=25)
@given(numbers=NUMBERS)
def test_direct_method_estimates_what_acts(name, numbers):
    mechanism = MECHANISMS[name]
    z, zd, outside = near_start(mechanism, numbers)
    torques = 3.0 * np.array(numbers[18:18 + len(DRIVES[name])])
    of_drives = dict(zip(DRIVES[name], torques, strict=True))
    zdd = mechanism.forward_dynamics(z, zd, of_drives) + mechanism.forward_dynamics(
        z, zd, outside) - mechanism.forward_dynamics(z, zd)      # linear in the forces
    found = DirectMethod(mechanism, DRIVES[name]).force(z, zd, zdd, torques)
    np.testing.assert_allclose(found, outside, rtol=1e-8, atol=1e-8)


def test_the_direct_method_knows_friction_by_load():
    """A push acts behind the drives, whose friction goes by their torques."""
    arm = load_mechanism('geared_double_pendulum').replace(forces={
        'shoulder_friction': {'kind': 'load_friction', 'load_share': 0.2},
        'elbow_friction': {'kind': 'load_friction', 'load_share': 0.3}})
    without = arm.replace(forces={name: {'kind': 'friction', 'load_share': None}
                                  for name in ('shoulder_friction', 'elbow_friction')})
    rng, direct = np.random.default_rng(6), DirectMethod(arm, arm.drives)
    for torques in ([2.0, -1.0], [0.0, 0.0]):
        zd, outside = rng.normal(size=2), rng.normal(size=2)
        z = arm.z0 + 0.1
        passed = without.inverse_dynamics(z, zd, arm.forward_dynamics(z, zd, torques))
        zdd = without.forward_dynamics(z, zd, passed + outside)
        np.testing.assert_allclose(direct.force(z, zd, zdd, torques), outside, atol=1e-9)


ROBOT = MECHANISMS['three_rrr'].replace(parameters={'drive_coulomb': 0.0})
STEP, OUTSIDE = 1e-3, np.array([8.0, -3.0, 0.4])


def followed(observer, forces):
    """Return the estimates (k, g) of forces (k, g), each over a step, on a moving robot.

    Without dry friction, whose jump within a step is not the mean of two instants.
    """
    torques, stepper = np.array([0.3, -0.2, 0.1]), make_stepper(ROBOT, 'matrix_r', 'rk4')
    for name, torque in zip(DRIVES['three_rrr'], torques, strict=True):
        stepper.coordinate_forces[ROBOT.coordinates.index(name)] = torque
    found = []
    for force in forces:
        stepper.forces[:] = force
        stepper.step(STEP)
        found.append(observer.update(STEP, stepper.z, stepper.zd, torques))
    return np.array(found)


@pytest.mark.parametrize('gain', [20.0, 500.0, 1e5])
def test_observers_follow_a_step_as_their_laws_say(gain):
    """Also where gain times step is 100, at which an explicit discretisation explodes."""
    steps = np.maximum(0, np.arange(150) - 49)
    forces, angle = np.where(steps > 0, 1.0, 0.0)[:, None] * OUTSIDE, gain * STEP * steps
    for observer, response in (
            (MomentumObserver(ROBOT, settings=MomentumObserverSettings((gain,))),
             -np.expm1(-angle)),
            (ExtendedStateObserver(ROBOT, settings=ExtendedStateSettings((gain,))),
             1.0 - (1.0 + angle) * np.exp(-angle))):
        np.testing.assert_allclose(followed(observer, forces), response[:, None] * OUTSIDE,
                                   atol=2e-3)


def test_a_sliding_mode_follows_forces_without_delay_unless_they_are_too_fast():
    rate, pace = np.array([300.0, 200.0, 20.0]), np.array([60.0, 50.0, 70.0])
    t = STEP * np.arange(150)
    slow = rate / pace * np.sin(pace * t[:, None])
    observer = SlidingModeObserver(ROBOT, settings=SlidingModeSettings(tuple(rate)))
    np.testing.assert_allclose(followed(observer, slow), slow, atol=5e-3)
    observer.reset(ROBOT.z0, ROBOT.zd0)
    jump = np.where(t < 0.05, 0.0, 1.0)[:, None] * OUTSIDE
    found = followed(observer, jump)
    assert (np.abs(np.diff(found, axis=0)) <= 1.1 * rate * STEP + 1e-3).all()
    np.testing.assert_allclose(found[t > 0.13], jump[t > 0.13], atol=5e-3)      # in finite time


@pytest.mark.parametrize('name', ['three_rrr', 'five_bar'])
def test_pose_and_velocity_may_come_from_the_encoders_of_the_drives(name):
    """An estimate whose pose and velocity have gone astray does no harm then."""
    mechanism, rng = MECHANISMS[name], np.random.default_rng(4)
    settings = DirectMethodSettings(motion='encoders')
    direct = DirectMethod(mechanism, DRIVES[name], settings)
    rows, q = mechanism.indices(DRIVES[name]), mechanism.q0
    for _ in range(5):
        z = mechanism.z0 + rng.uniform(-0.05, 0.05, mechanism.g)
        zd, zdd, torques = rng.normal(size=(3, mechanism.g))
        q = mechanism.assemble(z, near=q)
        expected = DirectMethod(mechanism, DRIVES[name]).force(z, zd, zdd, torques)
        found = direct.force(z + 0.01, zd - 0.1, zdd, torques, q[rows],
                             mechanism.velocity(q, zd)[rows])
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_encoders_that_do_not_give_the_motion_are_reported():
    settings, robot = DirectMethodSettings(motion='encoders'), MECHANISMS['three_rrr']
    with pytest.raises(ContactError, match='encoders: 1 drives, expected one for each of 3'):
        DirectMethod(robot, ['drive1'], settings)
    direct, still = DirectMethod(robot, settings=settings), np.zeros(3)
    with pytest.raises(ValueError, match=r'motion: encoders: angles and speeds .* are missing'):
        direct.force(robot.z0, still, still, still, still)
    with pytest.raises(ValueError, match=r'angles: shape \(2,\) must be \(3,\)'):
        direct.force(robot.z0, still, still, still, still[:2], still)


def test_wrong_set_up_is_reported():
    robot = MECHANISMS['three_rrr']
    with pytest.raises(ContactError, match='drives: motor: unknown coordinate, expected some of P'):
        MomentumObserver(robot, ['motor'])
    with pytest.raises(ContactError, match=r'gain: .* must be one number > 0, or 3'):
        MomentumObserver(robot, ['drive1'], MomentumObserverSettings((1.0, 2.0)))
    with pytest.raises(ContactError, match=r'gain: .* must be one number > 0, or 3'):
        SlidingModeObserver(robot, settings=SlidingModeSettings((0.0,)))
    observer = MomentumObserver(robot, ['drive1'])
    with pytest.raises(ValueError, match=r'dt: 0\.0 must be > 0'):
        observer.update(0.0, robot.z0, robot.zd0, [0.0])
