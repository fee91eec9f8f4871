"""Contacts in MuJoCo: a block in closed form, a robot by the inverse dynamics of mb_model."""

import numpy as np
import pytest

from mb_model import Mechanism, load_mechanism
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.obstacle import Obstacle

SPEED, GAP = 0.5, 0.01035          # m/s, m
ROBOT = load_mechanism('three_rrr')
SMOOTH = ROBOT.replace(parameters={'drive_coulomb': 0.0})      # slow drives rub otherwise


def block(mass):
    """Return a disc of 0.05 m that slides along x."""
    return Mechanism({
        'name': 'block', 'gravity': [0.0, 0.0],
        'points': {'A': {'fixed': [0, 0]}, 'B': {'fixed': [1, 0]}, 'P': {'start': [0, 0]},
                   'Q': {'start': [0.1, 0]}},
        'bodies': {'block': {'points': ['P', 'Q'], 'length': 0.1, 'mass': mass,
                             'shape': {'kind': 'disc', 'radius': 0.05, 'at': 'Q'}}},
        'constraints': {name: {'kind': 'slider', 'point': name, 'along': ['A', 'B']}
                        for name in 'PQ'},
        'independent': ['P.x'], 'start': {'P.x': 0.0}, 'start_velocity': {'P.x': SPEED}},
        'block.yaml')


@pytest.mark.parametrize(('mass', 'stiffness', 'damping'), [
    (2.0, 40e3, 20.0), (0.5, 75e3, 0.0), (5.0, 20e3, 300.0)])
def test_a_block_meets_a_spring_and_damper(mass, stiffness, damping):
    prototype = make_prototype('mujoco', block(mass), 2e-4, 1e-4, [
        Obstacle('pylon', 0.04, stiffness, damping)])
    prototype.put('pylon', [0.1 + 0.05 + 0.04 + GAP, 0.0])
    forces, rates = [], []
    for _ in range(500):
        prototype.advance()
        contacts = prototype.contacts
        forces.append(contacts[0].force if contacts else np.zeros(2))
        rates.append(prototype.state.zd[0])
    natural = np.sqrt(stiffness / mass)
    decay = damping / (2.0 * mass)
    damped = np.sqrt(natural ** 2 - decay ** 2)
    t = 2e-4 * np.arange(1, 501) - GAP / SPEED
    swing = SPEED * np.exp(-decay * t) * np.array([np.sin(damped * t) / damped, np.cos(damped * t)])
    swing[1] -= decay * swing[0]
    expected = stiffness * swing[0] + damping * swing[1]
    expected[t < 0.0] = 0.0
    expected[np.argmax((t > 0.0) & (expected < 0.0)):] = 0.0
    forces, peak = np.array(forces), expected.max()
    # The impedance that is left adds a thousandth of the mass.
    np.testing.assert_allclose(-forces[:, 0], expected, atol=6e-3 * peak)
    np.testing.assert_allclose(forces[:, 1], 0.0, atol=1e-9)
    assert mass * (rates[-1] - SPEED) == pytest.approx(2e-4 * forces[:, 0].sum(), rel=5e-3)
    assert (np.abs(forces[:, 0]) > 0.0).sum() == pytest.approx((expected > 0.0).sum(), abs=2)


def place_in_body(q, body, point):
    """Return where a point (2) of the plane is in the frame of a body of the robot."""
    whole = np.concatenate((q, ROBOT.model['fixed'][0, ROBOT.n:]))
    first, second = (whole[k:k + 2] for k in ROBOT.body_indices(body))
    x = (second - first) / np.linalg.norm(second - first)
    return [x @ (point - first), x[0] * (point - first)[1] - x[1] * (point - first)[0]]


@pytest.mark.parametrize(('velocity', 'body', 'place'), [
    ((0.4, 0.2, 0.3), 'platform', (0.1247, 0.1050)),
    ((0.4, 0.0, 0.0), 'outer2', (0.0567, 0.2094)),
    ((0.4, -0.1, 0.2), 'inner3', (-0.2370, -0.2708))])
def test_a_robot_accelerates_as_its_contacts_say(velocity, body, place):
    """What the degrees of freedom need beside all other forces is the projection of contacts."""
    robot = SMOOTH.replace(start_velocity=dict(zip(ROBOT.independent, velocity, strict=True)))
    pylon = Obstacle('pylon', 0.04, 75e3, friction=0.3)
    prototype = make_prototype('mujoco', robot, 1e-3, 2.5e-4, [pylon])
    prototype.put('pylon', place)
    touched, largest = set(), 0.0
    for _ in range(60):
        prototype.advance()
        state, projected = prototype.state, np.zeros(3)
        for contact in prototype.contacts:
            at = place_in_body(state.q, contact.body, contact.point)
            jacobian = robot.contact_jacobian(state.q, contact.body, at, reduced=True)[:2]
            projected += jacobian.T @ contact.force
            normal = contact.point - place
            assert np.linalg.norm(normal) == pytest.approx(pylon.radius, abs=2e-3)
            normal /= np.linalg.norm(normal)
            push = normal @ contact.force
            across = contact.force - push * normal
            assert np.linalg.norm(across) <= pylon.friction * push + 1e-9
            slip = jacobian @ state.zd
            slip = slip - slip @ normal * normal
            assert across @ slip <= 1e-3 * push
            touched.add(contact.body)
            largest = max(largest, push)
        needed = robot.inverse_dynamics(state.z, state.zd, state.zdd, near=state.q)
        np.testing.assert_allclose(projected, needed, atol=0.02)
        assert prototype.loop_residual < 1e-6
    assert touched == {body}
    assert largest > 20.0


def test_a_floating_object_takes_the_momentum_that_is_missing():
    hit = Obstacle('ball', 0.04, 20e3, 0.0, mass=0.8)
    prototype = make_prototype('mujoco', block(2.0), 1e-3, 1e-4, [hit])
    prototype.put('ball', [0.2, 0.0])
    for _ in range(100):
        prototype.advance()
    # An elastic impact of 2.0 kg on 0.8 kg.
    assert prototype.state.zd[0] == pytest.approx(SPEED * (2.0 - 0.8) / 2.8, rel=5e-3)
    assert not prototype.contacts
    prototype.put('ball', [0.2 + prototype.state.z[0], 0.0])
    for _ in range(100):
        prototype.advance()
    assert prototype.state.zd[0] == pytest.approx(SPEED * ((2.0 - 0.8) / 2.8) ** 2, rel=1e-2)


def test_what_is_out_of_the_way_or_without_shape_touches_nothing():
    prototype = make_prototype('mujoco', block(2.0), 1e-2, 1e-3, [Obstacle('pylon')])
    prototype.put('pylon', [0.3, 0.0])
    prototype.put('pylon', None)
    free = load_mechanism('four_bar')
    shapeless = make_prototype('mujoco', free, 1e-2, 1e-3, [Obstacle('pylon')])
    shapeless.put('pylon', free.q0[:2])
    for _ in range(40):
        prototype.advance()
        shapeless.advance()
        assert not prototype.contacts + shapeless.contacts
    assert prototype.state.zd[0] == pytest.approx(SPEED, rel=1e-9)
    with pytest.raises(ValueError, match=r'^wall: unknown obstacle, expected one of pylon'):
        prototype.put('wall', [0.0, 0.0])
    with pytest.raises(ValueError, match=r'^engine: multibody knows no contacts'):
        make_prototype('multibody', free, 1e-2, 1e-3, [Obstacle('pylon')])


def test_torques_do_the_same_whatever_else_is_computed_anew():
    """Placing an obstacle has MuJoCo compute everything, torques alone what depends on forces."""
    robots = [make_prototype('mujoco', ROBOT, 1e-3, 5e-4, [Obstacle('pylon')]) for _ in range(2)]
    rng = np.random.default_rng(4)
    for _ in range(200):
        torques = rng.uniform(-5.0, 5.0, 3)
        for robot in robots:
            robot.set_drive_torques(torques)
        robots[1].put('pylon', None)
        for robot in robots:
            robot.advance()
        one, other = (np.concatenate(list(vars(robot.state).values())) for robot in robots)
        np.testing.assert_array_equal(one, other)
