"""Scripted collisions: what MuJoCo finds touched is what was planned, at that time and speed."""

import re

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_simulation.collisions import (
    KINDS,
    Collision,
    CollisionScript,
    random_collisions,
    read_collisions,
)
from mb_simulation.control import (
    Controller,
    ControlLoop,
    ControlSettings,
    Limits,
    TrajectorySettings,
    line,
    plan,
)
from mb_simulation.prototypes import make_prototype

ROBOT = load_mechanism('three_rrr')
LIMITS = Limits(0.45, 12.0, 3.0, 60.0, (False, False, True))


def touched(mechanism, trajectory, script, duration):
    """Return (time, contacts) at the end of every millisecond at which something touches."""
    prototype = make_prototype('mujoco', mechanism, 1e-3, 5e-4, script.obstacles)
    loop = ControlLoop(Controller(mechanism, trajectory, ControlSettings()), prototype, mechanism)

    def act(offset):
        script.act(prototype, 1e-9 * offset)
        loop.act(offset)
    found = []
    for k in range(round(duration * 1e3)):
        prototype.advance(act)
        if prototype.contacts:
            found.append((1e-3 * (k + 1), prototype.contacts))
    return found


@pytest.mark.parametrize('seed', [3, 4])
@pytest.mark.parametrize('kind', KINDS)
def test_random_collisions_happen_as_planned(kind, seed):
    run, = random_collisions(ROBOT, 1, seed, [kind])
    contacts = touched(run.mechanism, run.trajectory, run.script, run.time + 0.06)
    time, first = contacts[0]
    assert time == pytest.approx(run.time, abs=2e-3)
    assert {contact.body for contact in first} <= set(run.bodies)
    if run.kind == 'clamping':
        pairs = [both for _, both in contacts if len(both) == 2]
        assert {contact.body for both in pairs for contact in both} == set(run.bodies)
        # What is clamped hardly moves, so both push it from opposite sides.
        forces = max(([contact.force for contact in both] for both in pairs),
                     key=lambda forces: min(np.linalg.norm(force) for force in forces))
        assert np.linalg.norm(np.sum(forces, axis=0)) < 0.2 * np.linalg.norm(forces[0])
        assert np.linalg.norm(forces[0]) > 30.0
    else:
        assert first[0].obstacle == '1'


def test_random_collisions_follow_from_seed_and_number():
    def drawn(count, seed, **others):
        return [(run.kind, run.script.appearances[0].position.tolist(), run.time)
                for run in random_collisions(ROBOT, count, seed, **others)]
    assert drawn(2, 1) == drawn(4, 1)[:2]
    assert drawn(1, 1) != drawn(1, 2)
    assert [kind for kind, *_ in drawn(4, 1)] == list(KINDS)


def test_a_platform_is_hit_at_its_speed():
    for run in random_collisions(ROBOT, 3, seed=5, kinds=('platform',), speed=(0.45, 0.45)):
        motion = run.trajectory.at(run.time)
        appearance = run.script.appearances[0]
        # The platform's middle is its first point: it moves as the degrees of freedom do.
        assert np.linalg.norm(motion.zd[:2]) == pytest.approx(0.45)
        assert appearance.approach == pytest.approx(
            0.45 * np.cos(appearance.collision.direction), rel=1e-6)
        assert np.linalg.norm(appearance.position - motion.z[:2]) == pytest.approx(
            0.12 + appearance.collision.radius, rel=1e-9)


def test_motions_start_and_end_within_their_workspace():
    robot = load_mechanism('three_rrr_hannover')
    starts = []
    for run in random_collisions(robot, 6, 2, workspace=(0.3, 0.4)):
        for t in (0.0, run.trajectory.duration):
            z = run.trajectory.at(t).z
            assert np.linalg.norm(z[:2]) <= 0.3
            assert abs(z[2]) <= 0.4
        starts.append(run.trajectory.at(0.0).z)
    assert np.linalg.norm(starts, axis=1).max() > 0.12      # farther than without it
    for run in random_collisions(robot, 6, 2):
        assert np.linalg.norm(run.trajectory.at(0.0).z[:2]) <= 0.1


def test_an_obstacle_goes_after_its_stay():
    trajectory = line(ROBOT.z0, [0.08, 0.0, 0.0], LIMITS)
    script = CollisionScript(ROBOT, trajectory, [
        Collision(('platform',), 0.12, direction=0.5, stays=0.02)])
    times = [time for time, _ in touched(ROBOT, trajectory, script, 0.3)]
    assert times[0] == pytest.approx(0.12, abs=2e-3)
    assert times[-1] == pytest.approx(0.14, abs=2e-3)


def test_an_obstacle_comes_by_the_trajectory_and_goes_by_the_clock():
    """A robot that has stopped on its trajectory is let go all the same."""
    trajectory = line(ROBOT.z0, [0.08, 0.0, 0.0], LIMITS)
    script = CollisionScript(ROBOT, trajectory, [
        Collision(('platform',), 0.12, direction=0.5, stays=0.3)])
    moves = []

    class Bystander:
        def put(self, name, at, axes=None, velocity=None):
            moves.append((clock, name, at))

    for k in range(100):
        clock = 0.01 * k
        script.act(Bystander(), min(clock, 0.125), clock)
    (came, name, at), (went, other, nowhere) = moves
    assert name == other == '1'
    assert came == pytest.approx(0.12, abs=0.011)
    assert went == pytest.approx(0.42, abs=0.011)
    assert nowhere is None
    np.testing.assert_array_equal(at, script.appearances[0].position)


@pytest.mark.parametrize(('collision', 'message'), [
    ({'bodies': ['wall']}, 'bodies: wall: unknown body with a shape, expected one of inner1'),
    ({'bodies': []}, 'bodies: [] must be one, or two different ones that clamp'),
    ({'bodies': ['inner1', 'outer1']}, 'mass: 0 must be > 0: what stands firm cannot be clamped'),
    ({'bodies': ['inner1', 'inner2'], 'mass': 1.0}, 'bodies: inner1, inner2: no links at a common'),
    ({'bodies': ['inner2', 'outer2'], 'mass': 1.0, 'radius': 0.4},
     'bodies: at 0.12 s, inner2 does not reach an obstacle of 0.4 m'),
    ({'bodies': ['platform'], 'time': 9.0}, 'time: at 9 s, platform approaches nothing there'),
    ({'bodies': ['platform'], 'direction': 0.0, 'radius': 0.3},
     'time: at 0.12 s, the obstacle has no way in')])
def test_collisions_that_cannot_be_are_reported(collision, message):
    trajectory = line(ROBOT.z0, [0.08, 0.0, 0.0], LIMITS)
    with pytest.raises(ValueError, match=re.escape(f'collisions[0].{message}')):
        CollisionScript(ROBOT, trajectory, [Collision(**{'time': 0.12} | collision)])


@pytest.mark.parametrize(('text', 'message'), [
    ('[', 'not readable as YAML'),
    ('collisions: 3', 'must be a mapping with a list of collisions'),
    ('collisions: [3]', 'collisions[0]: 3 must be a mapping with bodies, time'),
    ('collisions: [{bodies: [platform], time: -1}]', 'collisions[0].time: -1.0 must be > 0'),
    ('collisions: [{bodies: [platform], tyme: 1}]', 'collisions[0].tyme: unknown setting')])
def test_wrong_files_are_reported(tmp_path, text, message):
    file = tmp_path / 's.yaml'
    file.write_text(text)
    with pytest.raises(ValueError, match='^' + re.escape(f's.yaml: {message}')):
        read_collisions(file)


def test_the_shipped_script_fits_the_rectangle():
    collisions = read_collisions('three_rrr')
    trajectory = plan(ROBOT, TrajectorySettings(kind='rectangle'))
    script = CollisionScript(ROBOT, trajectory, collisions)
    assert all(0.15 < one.approach < 0.6 for one in script.appearances)
    assert len(script.obstacles) == 4
    with pytest.raises(ValueError, match=r'^collisions: four_rrr: no such file, nor one of delta'):
        read_collisions('four_rrr')


def test_a_file_is_read(tmp_path):
    file = tmp_path / 's.yaml'
    file.write_text('collisions:\n- {bodies: [outer1], time: 1.5, along: 0.3}\n'
                    '- {bodies: [inner2, outer2], time: 2, mass: 0.6}\n')
    assert read_collisions(file) == [Collision(('outer1',), 1.5, along=0.3),
                                     Collision(('inner2', 'outer2'), 2.0, mass=0.6)]
