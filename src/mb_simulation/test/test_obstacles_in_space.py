"""Obstacles in space in MuJoCo: weights, impacts in closed form, machines by inverse dynamics."""

import re

import numpy as np
import pytest

from mb_model import Mechanism, load_mechanism
from mb_simulation.collisions import (
    KINDS,
    Collision,
    CollisionScript,
    random_collisions,
    read_collisions,
)
from mb_simulation.collisions.spatial_posture import SpatialShapes
from mb_simulation.contact_experiment import simulate_robot
from mb_simulation.control import (
    Controller,
    ControlLoop,
    ControlSettings,
    TrajectorySettings,
    plan,
)
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.obstacle import SHAPES, Obstacle

MASS, SPEED = 2.0, 0.5      # of a body [kg], and towards an obstacle [m/s]
UP = np.array([0.0, 0.0, 1.0])
BALL, BOX = {'kind': 'sphere', 'radius': 0.05}, {'kind': 'box', 'size': [0.2, 0.16, 0.1]}
DRUM = {'kind': 'cylinder', 'from': [0, 0, -0.05], 'to': [0, 0, 0.05], 'radius': 0.08}
DELTA = load_mechanism('delta')
ROUND = plan(DELTA, TrajectorySettings(kind='rectangle'))
ON_AND_ON = ControlSettings(reaction='none')
TURNED = np.column_stack([UP, [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])       # a plane faces against x


def body(shape, gravity=0.0, speed=0.0):
    """Return a body of a shape that floats with its middle at the origin and moves along x."""
    places = [f'{kind}.{axis}' for kind in ('place', 'turn') for axis in 'xyz']
    return Mechanism({
        'name': 'body', 'dimension': 3, 'gravity': [0.0, 0.0, -gravity],
        'bodies': {'body': {'points': {'O': [0, 0, 0]}, 'mass': MASS, 'shapes': [shape],
                            'centre_of_gravity': [0, 0, 0], 'inertia': [0.01, 0.012, 0.013],
                            'pose': {'at': [0, 0, 0]}}},
        'coordinates': {'place': {'kind': 'position', 'body': 'body'},
                        'turn': {'kind': 'orientation', 'body': 'body'}},
        'independent': places, 'start_velocity': {'place.x': speed}}, 'body.yaml')


@pytest.mark.parametrize('shape', [BALL, BOX, DRUM], ids=lambda shape: shape['kind'])
@pytest.mark.parametrize('obstacle', [
    Obstacle('floor', shape='plane', damping=400.0),
    Obstacle('floor', shape='box', size=(1.0, 1.0, 0.2), damping=400.0)],
    ids=lambda obstacle: obstacle.shape)
def test_what_rests_weighs_on_the_floor_and_sinks_in_as_its_springs_say(shape, obstacle):
    prototype = make_prototype('mujoco', body(shape, gravity=9.81), 1e-2, 1e-3, [obstacle])
    prototype.put('floor', [0.0, 0.0, -0.05 - 0.1 * (obstacle.shape == 'box')])
    total, weight = [], MASS * 9.81
    for _ in range(100):
        prototype.advance()
        contacts = prototype.contacts
        total.append(sum(contact.force for contact in contacts))
    assert {contact.body for contact in contacts} == {'body'}
    # Where a drum touches a box MuJoCo finds anew in each step: it rocks a little.
    assert np.mean(total[50:], axis=0)[2] == pytest.approx(weight, rel=2e-3)
    sunk = weight / (40e3 * len(contacts))
    assert -prototype.state.z[2] == pytest.approx(sunk, rel=0.02)
    assert sunk < 5e-4
    for contact in contacts:
        assert contact.point[2] == pytest.approx(-0.05, abs=1e-3)
    if shape is BALL:
        np.testing.assert_allclose(total[-1], weight * UP, atol=1e-6)


@pytest.mark.parametrize('shape', SHAPES)
@pytest.mark.parametrize('damping', [0.0, 100.0])
def test_an_impact_follows_the_closed_form(shape, damping):
    """A ball that meets anything straight on: a mass on a spring and a damper."""
    stiffness, gap = 40e3, 0.01035
    prototype = make_prototype('mujoco', body(BALL, speed=SPEED), 2e-4, 1e-4, [
        Obstacle('it', 0.04, stiffness, damping, shape=shape)])
    ahead = {'plane': 0.0, 'box': 0.05}.get(shape, 0.04)
    prototype.put('it', [0.05 + gap + ahead, 0.0, 0.0], TURNED if shape == 'plane' else None)
    forces = []
    for _ in range(400):
        prototype.advance()
        forces.append(sum((one.force for one in prototype.contacts), np.zeros(3)))
    decay = damping / (2.0 * MASS)
    rate = np.sqrt(stiffness / MASS - decay ** 2)
    t = 2e-4 * np.arange(1, 401) - gap / SPEED
    swing = SPEED * np.exp(-decay * t) * np.sin(rate * t) / rate
    speed = SPEED * np.exp(-decay * t) * np.cos(rate * t) - decay * swing
    expected = stiffness * swing + damping * speed
    expected[t < 0.0] = 0.0
    expected[np.argmax((t > 0.0) & (expected < 0.0)):] = 0.0
    forces = np.array(forces)
    np.testing.assert_allclose(-forces[:, 0], expected, atol=8e-3 * expected.max())
    np.testing.assert_allclose(forces[:, 1:], 0.0, atol=1e-6)
    assert MASS * (prototype.state.zd[0] - SPEED) == pytest.approx(
        2e-4 * forces[:, 0].sum(), rel=5e-3)


def test_a_ball_that_floats_takes_the_momentum_that_is_missing():
    """An elastic impact; gravity pulls the body, not the ball."""
    prototype = make_prototype('mujoco', body(BALL, speed=SPEED), 1e-3, 1e-4, [
        Obstacle('ball', 0.04, 20e3, 0.0, mass=0.8)])
    prototype.put('ball', [0.1, 0.0, 0.0])
    for _ in range(100):
        prototype.advance()
    assert prototype.state.zd[0] == pytest.approx(SPEED * (MASS - 0.8) / (MASS + 0.8), rel=5e-3)
    falling = make_prototype('mujoco', body(BALL, gravity=9.81), 1e-3, 1e-3, [
        Obstacle('ball', mass=0.8)])
    falling.put('ball', [0.5, 0.0, 0.0])
    for _ in range(100):
        falling.advance()
    assert falling.state.zd[2] == pytest.approx(-0.981, rel=1e-6)
    assert falling.data.qvel[8] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize('collision', [
    Collision(('platform',), 1.7, radius=0.02), Collision(('right3',), 1.4, along=0.5),
    Collision(('arm2',), 1.4, shape='box', size=(0.05, 0.05, 0.05)),
    Collision(('left1',), 1.4, shape='cylinder', radius=0.02, along=0.6)],
    ids=lambda collision: collision.bodies[0])
def test_a_delta_robot_accelerates_as_its_contacts_say(collision):
    """As planned a body meets what stands there; inverse dynamics of our model needs its force."""
    script = CollisionScript(DELTA, ROUND, [collision])
    run = simulate_robot(DELTA, ROUND, collision.time + 0.04, script.obstacles, script.act,
                         ON_AND_ON)
    assert run.bodies[0] == collision.bodies[0]
    assert run.first_touch() == pytest.approx(collision.time, abs=3e-3)
    drives = DELTA.indices(DELTA.drives)
    touched = np.flatnonzero(np.abs(run.external).max(axis=1) > 1.0)
    assert len(touched) > 3
    for k in touched[1:]:
        needed = DELTA.inverse_dynamics(run.z[k], run.zd[k], run.zdd[k], near=run.q[k])
        found = DELTA.R(run.q[k])[drives].T @ run.torques[k] + run.external[k]
        # Rods of MuJoCo's loops ring when they are hit.
        np.testing.assert_allclose(found, needed, atol=0.05 * np.abs(run.external).max())


def test_what_is_clamped_moves_by_the_forces_that_it_does_not_take():
    """Both links push the ball; its momentum is what their pushes leave, and it is held."""
    collision = Collision(('arm2', 'left2'), 2.64, friction=0.9, mass=MASS)
    rectangle = plan(DELTA, TrajectorySettings(kind='rectangle', acceleration=10.0))
    script = CollisionScript(DELTA, rectangle, [collision])
    prototype = make_prototype('mujoco', DELTA, 5e-4, 5e-4, script.obstacles)
    loop = ControlLoop(Controller(DELTA, rectangle, ON_AND_ON), prototype, DELTA)
    seen, pushes, speeds = [], [], []

    def act(offset):
        script.act(prototype, 1e-9 * offset)
        loop.act(offset)
    while len(seen) < round((collision.time + 0.1) / 5e-4):
        prototype.advance(act)
        contacts = prototype.contacts
        seen.append({contact.body for contact in contacts})
        pushes.append(-sum((contact.force for contact in contacts), np.zeros(3)))
        speeds.append(prototype.data.qvel[-6:-3].copy())
    both = seen.index({'arm2', 'left2'})
    assert 5e-4 * (both + 1) == pytest.approx(collision.time, abs=4e-3)
    assert all(bodies == {'arm2', 'left2'} for bodies in seen[both + 40:])
    came = np.flatnonzero(np.abs(np.array(speeds)).max(axis=1))[0]
    np.testing.assert_allclose(speeds[came], script.appearances[0].velocity, atol=1e-6)
    np.testing.assert_allclose(MASS * (speeds[-1] - speeds[came]),
                               5e-4 * np.sum(pushes[came:], axis=0), atol=0.01)
    for contact in contacts:        # they oppose each other, but for what the ball takes
        assert np.linalg.norm(contact.force) > 50.0
    assert np.linalg.norm(pushes[-1]) < 0.1 * np.linalg.norm(contacts[0].force)


@pytest.mark.parametrize('kind', KINDS)
def test_random_collisions_in_space_happen_as_planned(kind):
    collision, = random_collisions(DELTA, 1, 1, [kind])
    again, = random_collisions(DELTA, 1, 1, [kind])
    assert again.time == collision.time
    run = simulate_robot(DELTA, collision.trajectory, collision.time + 0.03, collision.obstacles,
                         collision.act, ON_AND_ON)
    assert run.first_touch() == pytest.approx(collision.time, abs=4e-3)
    assert set(run.bodies) == set(collision.bodies)


def test_a_machine_that_clamps_nothing_has_no_such_collisions():
    with pytest.raises(ValueError, match=r'^stewart: has no bodies for a collision of kind clamp'):
        next(random_collisions(load_mechanism('stewart'), 1, 1, ['clamping']))


@pytest.mark.parametrize('name', ['six_axis_arm', 'stewart'])
def test_what_is_planned_touches_where_nothing_overlaps(name):
    """The surface that is met is where MuJoCo finds it, of any body and obstacle."""
    mechanism = load_mechanism(name)
    motion = plan(mechanism, TrajectorySettings(kind='random', random_duration=4.0))
    shapes, rng = SpatialShapes(mechanism), np.random.default_rng(2)
    met = 0
    for k in range(60):
        collision = Collision(
            (list(mechanism.bodies)[rng.integers(len(mechanism.bodies))],),
            float(rng.uniform(1.0, 4.0)), shape=SHAPES[k % 4], radius=0.02, length=0.05,
            size=(0.04, 0.04, 0.04), along=float(rng.uniform(0.1, 0.9)),
            direction=float(rng.uniform(-0.5, 0.5)))
        posture = shapes.posture(motion, collision.time)
        try:
            place, axes, approach, _ = posture.meeting(collision)
        except ValueError:          # it does not move then
            continue
        gap = posture.gaps(collision, place, axes)[shapes.bodies.index(*collision.bodies)]
        # Flat on flat MuJoCo finds edges, and what is round may reach further at another place.
        assert -3e-3 < gap < 1e-6
        assert gap == pytest.approx(0.0, abs=1e-6) or collision.shape in ('box', 'plane')
        np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-9)
        assert np.linalg.det(axes) == pytest.approx(1.0)
        assert approach > 0.0
        met += 1
    assert met > 30


@pytest.mark.parametrize(('changes', 'message'), [
    ({'bodies': ['wall']}, 'bodies: wall: unknown body with a shape, expected one of arm1'),
    ({'bodies': ['arm1', 'left1']}, 'mass: 0 must be > 0: what stands firm cannot be clamped'),
    ({'bodies': ['arm1', 'arm1'], 'mass': 1.0}, 'must be one, or two different ones that clamp'),
    ({'bodies': ['left1', 'right1'], 'mass': 1.0},
     'bodies: left1, right1: no links at a common joint that folds, they clamp nothing'),
    ({'bodies': ['left1', 'platform'], 'mass': 1.0},
     'bodies: platform: its shape is 0.02 m long and 0.14 m wide; only what is longer than wide'),
    ({'bodies': ['arm2', 'left2'], 'mass': 1.0, 'radius': 0.3},
     'bodies: at 1.4 s, arm2 does not reach an obstacle of 0.3 m that both touch'),
    ({'bodies': ['arm1'], 'time': 90.05, 'along': 0.0}, 'arm1 approaches nothing there'),
    ({'bodies': ['platform'], 'shape': 'plane'}, 'time: at 1.4 s, the obstacle has no way in')])
def test_collisions_that_cannot_be_are_reported(changes, message):
    still = plan(DELTA, TrajectorySettings(kind='hold'))
    with pytest.raises(ValueError, match=r'^collisions\[0\]\..*' + re.escape(message)):
        CollisionScript(DELTA, ROUND if changes.get('time', 1.4) == 1.4 else still,
                        [Collision(**{'time': 1.4} | changes)])


@pytest.mark.parametrize(('entry', 'message'), [
    ('shape: ball', "shape: 'ball' must be one of sphere, cylinder, box, plane"),
    ('shape: box, size: [0.1, 0.1]', 'size: [0.1, 0.1] must be three numbers'),
    ('shape: box, size: [0.1, 0.1, 0]', 'size'), ('length: -1', 'length: -1.0 must be > 0'),
    ('shape: box, mass: 2', 'mass: 2 must be 0: a box stands firm')])
def test_wrong_files_are_reported(tmp_path, entry, message):
    file = tmp_path / 's.yaml'
    file.write_text(f'collisions: [{{bodies: [platform], time: 1.4, {entry}}}]')
    with pytest.raises(ValueError, match='^' + re.escape(f's.yaml: collisions[0].{message}')):
        read_collisions(file)


def test_the_shipped_script_fits_the_rectangle():
    rectangle = plan(DELTA, TrajectorySettings(kind='rectangle', acceleration=10.0))
    script = CollisionScript(DELTA, rectangle, read_collisions('delta'))
    assert all(0.4 <= one.approach < 0.75 for one in script.appearances[:3])
    assert 0.15 < script.appearances[3].approach < 0.2
    assert [one.shape for one in script.obstacles] == ['sphere', 'box', 'cylinder', 'sphere']


def test_obstacles_in_the_plane_are_round():
    robot = load_mechanism('three_rrr')
    with pytest.raises(ValueError, match=r'shape: box: obstacles in the plane are round, expected'):
        CollisionScript(robot, plan(robot, TrajectorySettings(kind='rectangle')),
                        [Collision(('platform',), 1.3, shape='box')])


def test_obstacles_stay_when_parameters_change_and_have_names():
    prototype = make_prototype('mujoco', DELTA, 1e-3, 5e-4, [Obstacle('floor', shape='plane')])
    prototype.put('floor', [0.0, 0.0, -2.0], TURNED)
    prototype.set_parameters({'stiffness': 50.0})
    body = prototype.model.body('obstacle/floor')
    np.testing.assert_allclose(prototype.data.xmat[body.id].reshape(3, 3), TURNED, atol=1e-12)
    with pytest.raises(ValueError, match=r'^wall: unknown obstacle, expected one of floor'):
        prototype.put('wall', [0.0, 0.0, 0.0])
    oil = load_mechanism('excavator')
    with pytest.raises(ValueError, match='not beside obstacles that float, expected a mass of 0'):
        make_prototype('mujoco', oil, 1e-2, 1e-3, [Obstacle('ball', mass=1.0)])
