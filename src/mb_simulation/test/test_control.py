"""Control: torques against inverse dynamics, following, limits, and reactions to a contact."""

import numpy as np
import pytest
from spatial_machines import ROLLING

from mb_model import Mechanism, MechanismError, load_mechanism
from mb_simulation.control import (
    Controller,
    ControlLoop,
    ControlSettings,
    TrajectorySettings,
    plan,
)
from mb_simulation.control.computed_torque import ComputedTorque
from mb_simulation.control.control_loop import require_common_steps
from mb_simulation.control.motion import Following, Motion
from mb_simulation.control.polynomial_trajectory import rest, through
from mb_simulation.control.reactions import Braking, DetectedContacts, Retraction
from mb_simulation.prototypes import ENGINES, make_prototype

ROBOT = load_mechanism('three_rrr')
RECTANGLE = plan(ROBOT, TrajectorySettings(kind='rectangle'))
EXACT = {'encoder_sigma': 0.0, 'encoder_resolution': 0.0}
SMOOTH = ROBOT.replace(parameters={'drive_coulomb': 0.0, 'drive_viscous': 0.0})
FASTEST = max(np.linspace(0.0, RECTANGLE.duration, 5001),        # in the middle of a long side
              key=lambda t: np.linalg.norm(RECTANGLE.at(t).zd)).round(3)
DRIVES = [ROBOT.coordinates.index(name) for name in ROBOT.drives]


def controlled(trajectory, duration, contact=None, engine='mujoco', robot=ROBOT, **settings):
    """Let the robot follow; return the Controller, states and torques, every millisecond.

    contact: when one is reported to the controller [s].
    """
    controller = Controller(robot, trajectory, ControlSettings(**(EXACT | settings)))
    prototype = make_prototype(engine, robot, 1e-3, 1e-3)
    loop = ControlLoop(controller, prototype, robot)
    states, torques = [prototype.state], []
    for k in range(round(1e3 * duration)):
        if contact is not None and k == round(1e3 * contact):
            controller.react(1e-3 * k)
        prototype.advance(loop.act)
        states.append(prototype.state)
        torques.append(loop.newest[1])
    return controller, states, np.array(torques)


@pytest.mark.parametrize('formulation', ['lagrange', 'index3_al'])
def test_torques_are_those_of_inverse_dynamics(formulation):
    rng, robot = np.random.default_rng(1), ROBOT.replace(gravity=[0.0, -9.81])
    law = ComputedTorque(robot, ControlSettings(**EXACT))
    for _ in range(5):
        zd, zdd = rng.uniform(-1.0, 1.0, 3), rng.uniform(-10.0, 10.0, 3)
        law.reset()
        torques = law.torques(robot.q0[DRIVES], Motion(robot.z0, zd, zdd),
                              Motion(robot.z0, zd, zdd))
        middle = robot.z0 + 0.5e-3 * zd
        needed = robot.inverse_dynamics(middle, zd, zdd, formulation=formulation)
        J = robot.R(robot.assemble(middle))[DRIVES]
        np.testing.assert_allclose(J.T @ torques, needed, atol=1e-9)
        pushed = dict(zip(robot.drives, torques, strict=True))
        np.testing.assert_allclose(robot.forward_dynamics(middle, zd, pushed), zdd, atol=1e-8)


def test_torques_pass_through_friction_by_load():
    arm = load_mechanism('geared_double_pendulum').replace(forces={
        'shoulder_friction': {'kind': 'load_friction', 'load_share': 0.2},
        'elbow_friction': {'kind': 'load_friction', 'load_share': 0.3, 'load_share_driven': 0.1}})
    rng, law = np.random.default_rng(4), ComputedTorque(arm, ControlSettings(**EXACT))
    for _ in range(5):
        zd, zdd = rng.uniform(-1.0, 1.0, 2), rng.uniform(-10.0, 10.0, 2)
        law.reset()
        here = Motion(arm.z0, zd, zdd)
        torques = law.torques(arm.z0, here, here)
        np.testing.assert_allclose(arm.forward_dynamics(arm.z0 + 0.5e-3 * zd, zd, torques), zdd,
                                   atol=1e-8)


def test_torques_far_from_the_start():
    """The first readings say where the robot is, wherever that is; without feedback."""
    rng, arm = np.random.default_rng(2), load_mechanism('six_axis_arm')
    arm = arm.replace(start=dict.fromkeys(arm.independent, 0.0))
    law = ComputedTorque(arm, ControlSettings(**EXACT, bandwidth=1e-9, torque_limit=1e3))
    still = np.zeros(6)
    for z in rng.uniform(-2.9, 2.9, (20, 6)):
        law.reset()
        here = Motion(z, still, still)
        law.expect(here)
        held = arm.inverse_dynamics(z, still, still)
        np.testing.assert_allclose(law.torques(z, here, here), held, atol=1e-4)
        np.testing.assert_allclose(law.z, z, atol=1e-12)


def test_the_robot_follows_the_rectangle():
    """To a micrometre with exact readings; noise moves it by a few, drives that stick by more."""
    for robot, settings, tolerance in (
            (SMOOTH, EXACT, (1e-6, 1e-6, 4e-6)),
            (SMOOTH, {'encoder_sigma': 7e-6}, (5e-6, 5e-6, 5e-5)),
            (ROBOT, EXACT, (3e-5, 3e-5, 2e-4))):
        controller, states, _ = controlled(RECTANGLE, 1.6, robot=robot, **settings)
        error = [state.z - RECTANGLE.at(1e-3 * k).z for k, state in enumerate(states)]
        assert (np.abs(error).max(axis=0) < tolerance).all()
        assert controller.lost == 0


@pytest.mark.parametrize('engine', ENGINES)
def test_an_error_fades_critically_damped(engine):
    wanted = rest(ROBOT.z0 + np.array([2e-3, -1e-3, 5e-3]))
    _, states, _ = controlled(wanted, 0.3, None, engine, SMOOTH, bandwidth=30.0, rate_cutoff=450.0)
    t = 1e-3 * np.arange(len(states))
    fading = (1.0 + 30.0 * t) * np.exp(-30.0 * t)
    error = np.array([wanted.at(0.0).z - state.z for state in states])
    np.testing.assert_allclose(error / error[0], np.tile(fading, (3, 1)).T, atol=0.06)


def test_torques_stay_within_their_limit():
    _, _, torques = controlled(RECTANGLE, 0.6, torque_limit=9.0)
    assert np.abs(torques).max() == 9.0


def test_stopping_brakes_at_once_and_stays():
    speed = np.linalg.norm(RECTANGLE.at(FASTEST).zd)
    controller, states, _ = controlled(RECTANGLE, 0.9, FASTEST, brake_acceleration=30.0)
    speeds = np.array([np.linalg.norm(state.zd[:2]) for state in states])
    braked = FASTEST + speed / 30.0
    assert speeds[round(1e3 * braked) + 15:].max() < 0.01
    way = np.linalg.norm(states[-1].z[:2] - RECTANGLE.at(FASTEST).z[:2])
    assert way == pytest.approx(speed ** 2 / 60.0, rel=0.01)
    assert controller.reacted == FASTEST


def test_retracting_goes_back_where_it_came_from():
    back, braking = 0.1, np.linalg.norm(RECTANGLE.at(FASTEST).zd) / 30.0
    _, states, _ = controlled(RECTANGLE, 1.0, FASTEST, reaction='retract', retract_time=back)
    np.testing.assert_allclose(states[-1].z, RECTANGLE.at(FASTEST - back - 0.5 * braking).z,
                               atol=1e-4)
    farthest = max(range(len(states)), key=lambda k: states[k].z[0])
    assert 1e-3 * farthest == pytest.approx(FASTEST + braking, abs=3e-3)


def test_let_go_it_slows_down_by_damping_and_friction():
    _, states, _ = controlled(RECTANGLE, 1.1, FASTEST, reaction='release', release_damping=20.0)
    speeds = np.array([np.linalg.norm(state.zd[:2]) for state in states[round(1e3 * FASTEST):]])
    by_damping = speeds[0] * np.exp(-20e-3 * np.arange(len(speeds)))
    assert (speeds <= 1.01 * by_damping + 0.01).all()
    assert speeds[-1] < 1e-3


@pytest.mark.parametrize('reaction', ['stop', 'release', 'retract'])
def test_afterwards_it_goes_on_where_it_left_the_trajectory(reaction):
    controller, states, _ = controlled(RECTANGLE, 2.0, FASTEST, reaction=reaction,
                                       resume_after=0.5, resume_time=0.2)
    assert controller.trajectory_time(FASTEST + 0.6) == pytest.approx(FASTEST)
    back = states[round(1e3 * (FASTEST + 0.7))]
    np.testing.assert_allclose(back.z, RECTANGLE.at(FASTEST).z, atol=1e-4)
    np.testing.assert_allclose(back.zd, 0.0, atol=5e-3)
    # Half of the time of gathering speed is lost, too.
    held_up = 0.5 + 0.2 + 0.1
    assert controller.trajectory_time(2.0) == pytest.approx(2.0 - held_up)
    np.testing.assert_allclose(states[-1].z, RECTANGLE.at(2.0 - held_up).z, atol=1e-5)
    assert controller.react(2.0)


def test_velocities_and_accelerations_of_reactions_are_derivatives():
    h, start = 1e-5, RECTANGLE.at(0.5)
    way_back = through(np.array([0.0, 0.3]), np.array([start.z + 0.01, start.z]),
                       np.array([start.zd, 0.0 * start.zd]), np.zeros((2, 3)))
    for motion in (Following(RECTANGLE, 1.0, 0.5, way_back), Retraction(RECTANGLE, 1.0, 0.05, 0.2),
                   Braking(1.0, start.z, start.zd, 0.05)):
        for t in np.linspace(1.0007, 1.9, 331):
            before, now, after = (motion.at(t + step) for step in (-h, 0.0, h))
            np.testing.assert_allclose(after.z - before.z, 2 * h * now.zd, atol=1e-10)
            np.testing.assert_allclose(after.zd - before.zd, 2 * h * now.zdd, atol=1e-7)


def test_without_a_reaction_it_goes_on():
    _, states, _ = controlled(RECTANGLE, 0.8, FASTEST, reaction='none')
    np.testing.assert_allclose(states[-1].z, RECTANGLE.at(0.8).z, atol=5e-6)


@pytest.mark.parametrize('engine', ENGINES)
def test_torques_push_from_the_next_step_on(engine):
    torques = dict(zip(ROBOT.drives, (2.0, -1.0, 3.0), strict=True))
    expected = SMOOTH.forward_dynamics(SMOOTH.z0, np.zeros(3), torques)
    prototype = make_prototype(engine, SMOOTH, 1e-3, 2.5e-4)
    prototype.set_drive_torques(list(torques.values()))
    np.testing.assert_allclose(prototype.state.zdd, 0.0, atol=1e-9)
    prototype.advance()
    np.testing.assert_allclose(prototype.state.zd, 1e-3 * expected, rtol=1e-3)
    prototype.set_parameters({'drive_coulomb': 1.0})
    prototype.advance()
    rates = prototype.state.qd[DRIVES]
    rubbing = np.sign(rates) if engine == 'mujoco' else np.tanh(4.0 * rates / 0.05)
    pushed = dict(zip(ROBOT.drives, list(torques.values()) - rubbing, strict=True))
    rubbed = SMOOTH.forward_dynamics(SMOOTH.z0, prototype.state.zd, pushed)
    np.testing.assert_allclose(prototype.state.zdd, rubbed, rtol=1e-2)


def test_wrong_set_up_is_reported():
    with pytest.raises(MechanismError, match='drives: 0 for 1 degrees of freedom'):
        Controller(load_mechanism('four_bar'), rest([0.0]), ControlSettings())
    with pytest.raises(MechanismError, match='computed torque: not for mechanisms with bodies'):
        ComputedTorque(Mechanism(ROLLING['rolling_disc'], 'rolling.yaml'), ControlSettings())
    require_common_steps(1e-3, 5e-3, 2.5e-4)
    with pytest.raises(ValueError, match=r'control\.rate: a period of 0\.001 s is no whole number'):
        require_common_steps(1e-3, 7e-4, 7e-4)


def test_contacts_take_effect_a_fixed_time_after_their_stamps():
    """Whatever the order and the time at which they come, unless that is too late."""
    contacts, ms = DetectedContacts(0.01), 1_000_000
    assert contacts.due(0) is None
    for stamp in (7 * ms, 3 * ms, 5 * ms):
        contacts.add(stamp)
    assert [contacts.due(now * ms) for now in (12, 13, 14, 15, 20)] == [None, 0, None, 0, 0]
    contacts.add(4 * ms)        # was due at 14 ms
    assert contacts.due(21 * ms) == 7 * ms
    contacts.add(0)             # reported by hand
    assert contacts.due(22 * ms) == 0
    at_once = DetectedContacts(0.0)
    at_once.add(5 * ms)
    assert at_once.due(1 * ms) == 0
