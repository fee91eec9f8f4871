"""Mechanisms in space in MuJoCo: the same free and closed motion as ours."""

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_machines import FORCES, JOINTS, ROLLING, STRUT, TORQUE_FREE, on_joint

from mb_model import Mechanism, simulate
from mb_model.space_api import body_tree, quaternion
from mb_simulation.prototypes.mjcf import mujoco_spec
from mb_simulation.prototypes.spatial_motion import start_rates

CLOSING = 'in_line', 'distance', 'revolute_spherical', 'weld'
STEP, TIME = 5e-4, 0.25


def moved(mechanism, time, step, loops=True):
    """Return (model, data) of MuJoCo after a time."""
    model = mujoco_spec(mechanism, body_tree(mechanism), step, loops).compile()
    data = mujoco.MjData(model)
    data.qvel = start_rates(mechanism, model, data)
    for _ in range(round(time / step)):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    return model, data


def furthest(mechanism, time=TIME, step=STEP, loops=True):
    """Return how far bodies and their axes are from where MuJoCo has them at the end [m]."""
    _, data = moved(mechanism, time, step, loops)
    q = simulate(mechanism, time, step).q[-1]
    errors = []
    for name, body in mechanism.bodies.items():
        motion, other = mechanism.body_motion(name, q), data.body(name)
        axes = other.xmat.reshape(3, 3)
        errors.append(np.abs(other.xpos - motion.position).max())
        errors.append(np.abs((axes - motion.rotation) @ body.line if body.slender
                             else axes - motion.rotation).max())
    return max(errors)


def moving(kind, first='base'):
    """Return a mechanism on a joint of a kind that starts with velocities."""
    mechanism = Mechanism(on_joint(kind, first), f'{kind}.yaml')
    rates = dict(zip(mechanism.independent, (0.7, -0.5, 0.4, 0.9, -0.3, 0.6, 0.2), strict=False))
    return mechanism.replace(start_velocity=rates)


@pytest.mark.parametrize('kind', [kind for kind in JOINTS if kind not in CLOSING])
def test_bodies_on_joints_move_alike(kind):
    """Step sizes: ours of second order, MuJoCo's of fourth."""
    mechanism = moving(kind)
    soft = 3e-5 if kind == 'screw' else 3e-6      # a screw is a constraint in MuJoCo
    assert furthest(mechanism) < soft


def test_a_free_body_moves_alike():
    assert furthest(Mechanism(TORQUE_FREE, 'free.yaml'), step=2e-4) < 3e-6


def test_a_ball_joint_closes_a_loop_alike():
    strut = Mechanism(STRUT, 'strut.yaml').replace(start_velocity={'lift': 1.0})
    assert furthest(strut) < 2e-5


def test_a_hinge_closes_a_loop_alike():
    bodies = {name: {'mass': mass, 'points': {first: [0, 0, 0], second: [length, 0, 0]},
                     'centre_of_gravity': [0.5 * length, 0, 0],
                     'inertia': [0.01, mass * length ** 2 / 12, mass * length ** 2 / 12],
                     'pose': {'at': at, 'turn': [0, 0, angle]}}
              for name, mass, length, first, second, at, angle in (
                  ('crank', 2.0, 2.0, 'A', 'P1', [0, 0, 0], 1.05),
                  ('coupler', 8.0, 8.0, 'P1', 'P2', [1, 1.732, 0], 0.3),
                  ('rocker', 5.0, 5.0, 'B', 'P2', [10, 0, 0], 1.9))}
    joints = {name: {'kind': 'revolute', 'bodies': pair, 'at': at, 'axis': [0, 0, 1]}
              for name, pair, at in (
                  ('A', ['ground', 'crank'], [[0, 0, 0], 'A']), ('P1', ['crank', 'coupler'], 'P1'),
                  ('P2', ['coupler', 'rocker'], 'P2'),
                  ('B', ['rocker', 'ground'], ['B', [10, 0, 0]]))}
    four_bar = Mechanism({
        'name': 'four_bar', 'dimension': 3, 'gravity': [0, -9.81, 0], 'bodies': bodies,
        'joints': joints, 'coordinates': {'theta': {'kind': 'angle', 'joint': 'A'}},
        'independent': ['theta'], 'start_velocity': {'theta': 1.0}}, 'four_bar.yaml')
    assert furthest(four_bar) < 1e-4


def test_a_massless_rod_closes_a_loop_alike():
    assert furthest(moving('distance')) < 1e-4


def test_springs_between_places_push_alike():
    mechanism = moving('revolute').replace(forces={'strut': FORCES['strut']})
    assert furthest(mechanism) < 3e-6


@pytest.mark.parametrize(('kind', 'first', 'coordinate'), [
    ('revolute', 'base', 'a'), ('prismatic', 'base', 's'), ('cylindrical', 'base', 's'),
    ('cylindrical', 'base', 'a'), ('revolute', 'base', 'theta')])
def test_springs_on_joints_push_alike(kind, first, coordinate):
    mechanism = moving(kind, first).replace(forces={'coil': {
        'kind': 'spring_damper', 'coordinate': coordinate, 'stiffness': 40.0, 'rest': 0.3,
        'damping': 0.7}})
    assert furthest(mechanism) < 3e-6


def test_without_loops_bodies_fall_as_they_do_without_those_joints():
    closed = Mechanism(STRUT, 'strut.yaml')
    poses = {name: closed.body_motion(name, closed.q0) for name in closed.bodies}
    fallen = closed.replace(joints={'head': None}, independent=None, bodies={name: {'pose': {
        'at': motion.position.tolist(),
        'turn': Rotation.from_matrix(motion.rotation).as_rotvec().tolist()}}
        for name, motion in poses.items()})
    assert fallen.g == 4
    _, data = moved(closed, TIME, STEP, loops=False)
    q = simulate(fallen, TIME, STEP).q[-1]
    for name in closed.bodies:
        np.testing.assert_allclose(data.body(name).xpos, fallen.body_motion(name, q).position,
                                   atol=3e-6)
    assert np.abs(data.body('rod').xpos - poses['rod'].position).max() > 0.05


def test_mass_properties_are_exact():
    mechanism = Mechanism(on_joint('revolute'), 'm.yaml')
    model, _ = moved(mechanism, 0.0, STEP)
    for name, body in mechanism.bodies.items():
        other = model.body(name)
        turn = np.empty(9)
        mujoco.mju_quat2Mat(turn, other.iquat)
        turn = turn.reshape(3, 3)
        np.testing.assert_allclose(turn @ np.diag(other.inertia) @ turn.T, body.inertia, atol=1e-12)
        np.testing.assert_allclose(other.ipos, body.centre_of_gravity, atol=1e-15)
        assert other.mass[0] == body.mass


def test_quaternions_turn_as_matrices():
    rng = np.random.default_rng(1)
    for _ in range(20):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        found = np.empty(9)
        mujoco.mju_quat2Mat(found, quaternion(turn))
        np.testing.assert_allclose(found.reshape(3, 3), turn, atol=1e-12)


@pytest.mark.parametrize(('change', 'message'), [
    ({'forces': {'push': {'kind': 'wrench', 'body': 'body', 'force': [1, 0, 0]}}},
     'forces.push: for MuJoCo, forces are springs'),
    ({'constraints': {'drive': {'kind': 'prescribed', 'coordinate': 'theta', 'motion': '0.1 * t'}},
      'independent': ['a']}, 'constraints.drive: not for MuJoCo')])
def test_what_mujoco_does_not_know_is_reported(change, message):
    raw = on_joint('revolute', more={'independent': ['theta', 'a']})
    mechanism = Mechanism(raw, 'm.yaml').replace(**change)
    with pytest.raises(ValueError, match=message):
        mujoco_spec(mechanism, body_tree(mechanism), STEP)


def test_bodies_that_roll_are_not_for_mujoco():
    rolling = Mechanism(ROLLING['rolling_ball'], 'm.yaml')
    with pytest.raises(ValueError, match=r'joints\.contact: in MuJoCo, no rolling_ball joint'):
        mujoco_spec(rolling, body_tree(rolling), STEP)
