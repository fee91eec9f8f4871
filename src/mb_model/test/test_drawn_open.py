"""Random chains with loops, drawn open by up to half a metre and 90 degrees: closed or answered."""

from copy import deepcopy
from math import pi

import numpy as np
import pytest
from random_chains import TURNS, chain, open_by
from scipy.spatial.transform import Rotation

from mb_model.assembly.body_motion import body_poses
from mb_model.assembly.branches import branches_in_space
from mb_model.assembly.joint_closing import JointClosing
from mb_model.compilation.spatial.layout import size_of
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.reading import read_description

TURNING = [kind for kind in TURNS if kind not in ('prismatic', 'cylindrical')]
# Always the same, by seeds: about one in a hundred of all closes from farther starts than a search
# tries.
EXAMPLES = 10
CLOSED = 1e-7           # of the mechanism's size
NO_FARTHER = 3.0        # times as far as a closed position that is known, which is near


def machines(most=1.0, kinds_of_joints=tuple(TURNS)):
    """Return the decorator of a test of chains with one loop or two that leave them free to move.

    most: share of 0.5 m and 90 degrees by which bodies are drawn off a closed position.
    """
    return pytest.mark.parametrize('machine', [
        drawn_chain(np.random.default_rng(seed), most, kinds_of_joints)
        for seed in range(EXAMPLES)], ids=map(str, range(EXAMPLES)))


def drawn_chain(random, most, kinds_of_joints):
    """Return a chain that has one degree of freedom at least."""
    closures = random.choice(kinds_of_joints, size=random.integers(1, 3)).tolist()
    needed = 1 + sum(6 - TURNS[kind] for kind in closures)
    kinds = []
    while sum(TURNS[kind] for kind in kinds) < needed or len(kinds) < len(closures):
        kinds.append(str(random.choice(kinds_of_joints)))
    apart, turned = (random.uniform(0.0, most * limit) for limit in (0.5, pi / 2))
    return chain(int(random.integers(2 ** 31)), kinds, closures, apart, turned)


def far(poses, drawn):
    """Return the root of the mean square of distances [m] of bodies and angles [rad]."""
    squares = 0.0
    for body, (at, turn) in drawn.items():
        cosine = np.clip(0.5 * (np.trace(poses[body][1].T @ turn) - 1.0), -1.0, 1.0)
        squares += np.sum((poses[body][0] - at) ** 2) + np.arccos(cosine) ** 2
    return float(np.sqrt(squares / len(drawn)))


def closed_poses(machine):
    """Return (drawn, closed) poses by body, closed where its loops close next to drawn ones."""
    description = read_description(machine.raw, 'chain.yaml')
    closing = JointClosing(description)
    assert closing.closed
    distances = [one.distance for one in closing.closed]
    assert distances == sorted(distances)
    drawn, found = ({name: (body.pose.at, body.pose.turn) for name, body in one.bodies.items()}
                    for one in (description, closing.described(closing.closed[0])))
    gaps = open_by(machine.raw, found | {'ground': machine.closed['ground']})
    assert max(gaps.values()) < CLOSED * max(size_of(description), 1.0)
    return drawn, found


@machines()
def test_what_is_drawn_open_closes(machine):
    closed_poses(machine)


@machines(most=0.05)
def test_what_is_drawn_a_little_open_stays_near(machine):
    drawn, found = closed_poses(machine)
    assert far(found, drawn) <= NO_FARTHER * far(machine.closed, drawn) + 1e-6


@machines(most=0.0)
def test_what_is_drawn_closed_stays(machine):
    description = read_description(machine.raw, 'chain.yaml')
    closing = JointClosing(description)
    np.testing.assert_allclose(closing.closed[0].distance, 0.0, atol=1e-6)
    assert closing.closes_as_drawn()
    assert closing.least_gap() == 0.0


@machines(kinds_of_joints=('revolute', 'spherical', 'universal'))
def test_limits_hold_where_it_closes(machine):
    """Half a radian about the angles of the closed position that is known."""
    raw = machine.raw | {'coordinates': {
        f'q_{name}': {'kind': 'angle', 'joint': name}
        for name, joint in machine.raw['joints'].items() if joint['kind'] == 'revolute'}}
    bodies = {name: body | {'pose': {
        'at': machine.closed[name][0].tolist(),
        'turn': Rotation.from_matrix(machine.closed[name][1]).as_rotvec().tolist()}}
        for name, body in raw['bodies'].items()}
    meant = JointClosing(read_description(raw | {'bodies': bodies}, 'closed.yaml'))
    known = meant.coordinates(meant.closed[0])
    for name, one in raw['coordinates'].items():
        one['limits'] = {'lower': known[name] - 0.5, 'upper': known[name] + 0.5}
    closing = JointClosing(read_description(raw, 'chain.yaml'))
    for name, value in closing.coordinates(closing.closed[0]).items():
        assert abs((value - known[name] + pi) % (2.0 * pi) - pi) <= 0.5 + 1e-6


@pytest.mark.parametrize('beyond', [1.0, 3.0])
@machines(kinds_of_joints=TURNING)
def test_a_loop_beyond_reach_is_named(machine, beyond):
    """The ground's end of the last loop is moved away by more than the chain is long."""
    raw, last = deepcopy(machine.raw), list(machine.raw['joints'])[-1]
    reach = sum(np.linalg.norm(at) for joint in raw['joints'].values() for at in joint['at'])
    raw['joints'][last]['at'][0] = [beyond * reach + 1.0, 0.0, 0.0]
    closing = JointClosing(read_description(raw, 'chain.yaml'))
    assert not closing.closed
    assert closing.least_gap() >= (beyond * reach + 1.0 - reach) / np.sqrt(3.0)   # along an axis
    widest = closing.open_gaps()[0]
    assert last in (*closing.loop(widest), widest.joint.name)
    with pytest.raises(MechanismError, match=r'chain\.yaml: .*joints\.'):
        Mechanism(raw, 'chain.yaml')


@machines()
def test_mechanisms_begin_where_the_loops_of_a_file_close(machine):
    found = Mechanism(machine.raw, 'chain.yaml')
    poses = {body: (at[0], turn[0]) for body, (at, turn) in body_poses(found, found.q0).items()}
    assert max(open_by(machine.raw, poses).values()) < 1e-6


@pytest.mark.parametrize('seed', [83, 100062, 100194])
def test_no_joint_points_backwards_on_a_branch(seed):
    """The equations of a slide, a sleeve and a hinge that close these loops allow it."""
    machine = drawn_chain(np.random.default_rng(seed), 0.0, tuple(TURNS))
    mechanism = Mechanism(machine.raw, 'chain.yaml')
    for q in branches_in_space(mechanism, 20):
        poses = {body: (at[0], turn[0]) for body, (at, turn) in body_poses(mechanism, q).items()}
        assert max(open_by(machine.raw, poses).values()) < 1e-5
