"""Machines in space that are drawn open are closed in the coordinates of their joints."""

from functools import partial
import re

import numpy as np
import open_machines
import pytest
from test_assembly_messages import swing

from mb_model.assembly.joint_closing import JointClosing
from mb_model.assembly.start import is_doubtful
from mb_model.mechanism import Mechanism, load_mechanism
from mb_model.mechanism_file.description import AssemblyError
from mb_model.mechanism_file.reading import read_description
from mb_model.space.rotation import rotation_vector

# Degrees of freedom by hand: of a five-bar 2; a delta's platform 3 places; both fingers geared 1;
# hip, knee and ankle 3; Jansen's linkage follows its crank.
FREEDOMS = {
    'five_bar': (open_machines.five_bar, 2), 'delta': (open_machines.delta, 3),
    'gripper': (open_machines.gripper, 1), 'leg': (open_machines.leg, 3),
    'walker': (partial(open_machines.walker, 2), 1)}


def closure_machine(kind, **more):
    """Return a chain of three hinges whose end is tied to the ground by a joint of a kind."""
    axis = {} if kind in ('spherical', 'distance') else {'axes': [
        [0.0, 0.3, 1.0], [0.1, 0.9, 0.2]]} if kind in ('universal', 'rolling_disc') else {
            'axis': [0.2, 0.3, 1.0]}
    raw = open_machines.machine('chain', {
        'a': open_machines.body(), 'b': open_machines.body((0.3, 0.1, 0.0), (0.4, 0.0, 0.2)),
        'c': open_machines.body((0.5, 0.3, 0.2), (0.0, 0.7, 0.3))}, {
        'one': open_machines.hinge('ground', 'a', (0.0, 0.0, 0.1), (0.2, 1.0, 0.0)),
        'two': open_machines.hinge('a', 'b', (0.3, 0.0, 0.0), (1.0, 0.2, 0.3)),
        'three': open_machines.hinge('b', 'c', (0.2, 0.3, 0.0), (0.0, 0.1, 1.0)),
        'tested': {'kind': kind, 'bodies': ['ground', 'c'],
                   'at': [[0.6, 0.2, -0.3], [0.1, 0.2, 0.05]]} | axis | more})
    raw['coordinates'].pop('q_tested', None)
    return raw


@pytest.mark.parametrize('kind', ['revolute', 'prismatic', 'cylindrical', 'spherical', 'planar',
                                  'universal', 'screw', 'distance', 'revolute_spherical',
                                  'rolling_ball', 'rolling_disc'])
def test_derivatives_of_what_is_open_are_those_of_differences(kind):
    more = {'screw': {'pitch': 0.4}, 'distance': {'length': 0.5},
            'revolute_spherical': {'length': 0.5}, 'rolling_ball': {'radius': 0.2},
            'rolling_disc': {'radius': 0.2}}.get(kind, {})
    description = read_description(closure_machine(kind, **more), 'chain.yaml')
    closing = JointClosing(description)
    x = closing.start + 0.3 * np.random.default_rng(3).normal(size=len(closing.start))
    open_, slopes = closing.evaluate(x)
    assert len(open_) > 0
    steps = 1e-6 * np.eye(len(x))
    differences = np.array([(closing.evaluate(x + step)[0] - closing.evaluate(x - step)[0]) / 2e-6
                            for step in steps]).T
    np.testing.assert_allclose(slopes, differences, atol=1e-8)


@pytest.mark.parametrize('name', FREEDOMS)
def test_machines_drawn_open_are_assembled(name):
    draw, freedoms = FREEDOMS[name]
    mechanism = Mechanism(draw(), f'{name}.yaml')
    assert mechanism.g == freedoms
    assert mechanism.closing_error(mechanism.q0) < 1e-9
    motions = {body: mechanism.body_motion(body, mechanism.q0)
               for body in ('ground', *mechanism.bodies)}
    for joint in mechanism.joints.values():       # the points of all joints meet, by poses alone
        first, second = (motions[body].position_of(at) for body, at in zip(
            joint.bodies, joint.offsets, strict=True))
        np.testing.assert_allclose(first, second, atol=1e-8)
        if joint.kind == 'revolute':
            axes = [motions[body].rotation @ frame[:, 2] for body, frame in zip(
                joint.bodies, joint.frames, strict=True)]
            np.testing.assert_allclose(*axes, atol=1e-7)       # none points backwards
    assert all(np.linalg.det(motion.rotation) == pytest.approx(1.0) for motion in motions.values())
    again = Mechanism(draw(), f'{name}.yaml')
    np.testing.assert_array_equal(again.q0, mechanism.q0)


def test_jansens_walker_of_twelve_legs_follows_its_crank():
    mechanism = Mechanism(open_machines.walker(12), 'walker.yaml')
    assert (mechanism.g, len(mechanism.redundant)) == (1, 36)      # three loops of each leg
    assert mechanism.closing_error(mechanism.q0) < 1e-9


def test_a_relation_of_angles_holds_where_joints_close():
    mechanism = Mechanism(open_machines.gripper(), 'gripper.yaml')
    angles = dict(zip(mechanism.coordinates, mechanism.q0, strict=True))
    assert angles['q_left_drive'] + angles['q_right_drive'] == pytest.approx(0.6, abs=1e-9)


def test_a_start_fixes_its_degree_of_freedom():
    raw = open_machines.five_bar() | {'independent': ['q_a', 'q_b'],
                                      'start': {'q_a': -2.0, 'q_b': -1.0}}
    mechanism = Mechanism(raw, 'five_bar.yaml')
    np.testing.assert_allclose(mechanism.z0, [-2.0, -1.0], atol=1e-12)
    assert mechanism.closing_error(mechanism.q0) < 1e-9


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_the_nearest_closed_position_is_taken(side):
    """A five-bar linkage with its cranks drawn upwards or downwards, open by half a metre."""
    raw = open_machines.five_bar()
    for name in ('a1', 'b1'):
        raw['bodies'][name]['pose']['turn'] = [0.0, -side * 1.2, 0.0]
    mechanism = Mechanism(raw, 'five_bar.yaml')
    apex = mechanism.body_motion('a2', mechanism.q0).position_of([0.4, 0.0, 0.0])
    assert side * apex[2] > 0.05


@pytest.mark.parametrize(('name', 'lower', 'upper'), [
    ('q_c', -3.0, -0.2), ('q_c', 0.2, 3.0),       # of the tree
    ('q_e', 1.0, 1.4)])                           # of the joint that closes the loop
def test_limits_decide_the_branch(name, lower, upper):
    raw = open_machines.five_bar()
    raw['coordinates'][name]['limits'] = {'lower': lower, 'upper': upper}
    mechanism = Mechanism(raw, 'five_bar.yaml')
    value = mechanism.q0[mechanism.coordinates.index(name)]
    assert lower - 1e-9 <= value <= upper + 1e-9
    assert mechanism.closing_error(mechanism.q0) < 1e-9


def test_a_position_beyond_limits_is_left_for_one_within():
    """A five-bar linkage drawn with its apex above, a bar 0.1 m off, and limits for one below."""
    above = Mechanism(open_machines.five_bar() | {'start': {'q_a': -2.0, 'q_b': -1.0},
                                                  'independent': ['q_a', 'q_b']}, 'five_bar.yaml')
    raw = open_machines.five_bar()
    for name in raw['bodies']:
        motion = above.body_motion(name, above.q0)
        raw['bodies'][name]['pose'] = {'at': motion.position.tolist(),
                                       'turn': rotation_vector(motion.rotation).tolist()}
    raw['bodies']['b2']['pose']['at'][0] += 0.1
    drawn = Mechanism(raw, 'five_bar.yaml')
    value = drawn.q0[drawn.coordinates.index('q_c')]
    side = np.sign(value)
    raw['coordinates']['q_c']['limits'] = {'upper' if side > 0.0 else 'lower': -0.3 * side}
    limited = Mechanism(raw, 'five_bar.yaml')
    assert limited.q0[limited.coordinates.index('q_c')] * side <= -0.3 + 1e-9
    assert limited.closing_error(limited.q0) < 1e-9


def test_machines_drawn_anyhow_are_put_together():
    random = np.random.default_rng(4)
    for _ in range(12):
        raw = swing(0.0, independent=['phi'])
        raw['joints']['d']['kind'] = 'cylindrical'
        for name in ('right', 'seat'):
            raw['bodies'][name]['pose'] = {'at': random.uniform(-1.0, 1.0, 3).tolist(),
                                           'turn': random.uniform(-3.0, 3.0, 3).tolist()}
        mechanism = Mechanism(raw, 'swing.yaml')
        assert mechanism.closing_error(mechanism.q0) < 1e-9


def test_a_loop_that_cannot_close_is_named_with_its_joints():
    raw = open_machines.five_bar()
    raw['joints']['b']['at'][0] = [2.0, 0.0, 0.0]       # bars reach 1.4 m
    with pytest.raises(AssemblyError, match=re.escape('at its nearest to closing, joints.e')) as at:
        Mechanism(raw, 'five_bar.yaml')
    message = str(at.value)
    assert 'joints.e (a2 - b2) is 0.6 m open, 0.6 m of it along [1, 0, 0] of a2' in message
    assert 'it closes the loop of c, a, b, d' in message


def test_a_relation_that_cannot_hold_is_named():
    raw = open_machines.gripper()
    raw['constraints']['second'] = raw['constraints']['gears'] | {'sum': 0.9}
    with pytest.raises(AssemblyError, match=r'constraints\.(gears|second) is .* m off'):
        Mechanism(raw, 'gripper.yaml')


def test_a_hinge_that_leans_is_named_with_its_angle():
    raw = open_machines.five_bar()
    joint = raw['joints']['e']
    joint['axes'] = [joint.pop('axis'), [0.3, 1.0, 0.0]]
    with pytest.raises(AssemblyError, match=r'0\.2915 rad \(16\.7 degrees\) turned'):
        Mechanism(raw, 'five_bar.yaml')


@pytest.mark.parametrize('name', ['delta', 'stewart', 'excavator', 'quadruped_leg', 'bricard',
                                  'six_axis_arm', 'bicycle', 'spatial_slider_crank'])
def test_machines_that_are_drawn_closed_start_as_newton_finds_them(name):
    mechanism = load_mechanism(name)
    assert not is_doubtful(mechanism, read_description(mechanism.raw, mechanism.file))
