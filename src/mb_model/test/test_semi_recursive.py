"""The semi-recursive formulation against matrix-R: another set of coordinates, the same motion.

In the plane and in space: trees, floating bases, loops, lines, far turns.
"""

import numpy as np
from planar_machines import MANY_KINDS, THREE_RODS
import pytest
from spatial_machines import FORCES, JOINTS, TORQUE_FREE, on_joint

from mb_model import MechanismError, load_mechanism, make_stepper, simulate
from mb_model.mechanism import Mechanism

LOOPS = ('stewart', 'excavator', 'quadruped_leg', 'delta', 'quarter_car', 'bricard',
         'spatial_four_bar', 'spatial_slider_crank')
TREES = 'six_axis_arm', 'flyball_governor'
IN_PLANE = ('pendulum', 'double_pendulum', 'four_bar', 'five_bar', 'four_bar_spring_damper',
            'slider_crank', 'inverted_slider_crank', 'peaucellier', 'andrews_squeezer',
            'four_bar_split', 'many_kinds', 'three_rods')
STIFF = {'flyball_governor': (0.005, 1e-5), 'andrews_squeezer': (0.01, 1e-5),
         'four_bar_split': (0.02, 1e-5)}      # duration, step [s]

# A base that floats, with an arm of two hinges and a hand on a ball joint, all turning.
FLOATING = {
    'name': 'floating', 'dimension': 3, 'gravity': [0.3, 0.2, -9.81],
    'bodies': {
        'base': {'mass': 4.0, 'centre_of_gravity': [0.05, 0.0, 0.02],
                 'inertia': [0.3, 0.4, 0.5, 0.02, 0.01, -0.03], 'points': {'A': [0.3, 0.1, 0.0]},
                 'pose': {'at': [0.5, -1.0, 2.0], 'turn': [0.4, 0.3, -0.6]}},
        'upper': {'mass': 1.0, 'centre_of_gravity': [0.2, 0.0, 0.0], 'inertia': [0.01, 0.02, 0.02],
                  'points': {'A': [0.0, 0.0, 0.0], 'B': [0.4, 0.0, 0.0]}},
        'lower': {'mass': 0.7, 'centre_of_gravity': [0.1, 0.02, 0.0], 'inertia': [0.01, 0.01, 0.02],
                  'points': {'B': [0.0, 0.0, 0.0], 'C': [0.3, 0.0, 0.1]}},
        'hand': {'mass': 0.3, 'centre_of_gravity': [0.0, 0.05, 0.1],
                 'inertia': [0.002, 0.003, 0.001], 'points': {'C': [0.0, 0.0, 0.0]}}},
    'joints': {
        'shoulder': {'kind': 'revolute', 'bodies': ['base', 'upper'], 'at': 'A',
                     'axis': [0.0, 0.2, 1.0]},
        # The other way round: the tree meets its second body first.
        'elbow': {'kind': 'revolute', 'bodies': ['lower', 'upper'], 'at': 'B', 'axis': [0, 1, 0]},
        'wrist': {'kind': 'spherical', 'bodies': ['hand', 'lower'], 'at': 'C'}},
    'coordinates': {
        'at': {'kind': 'position', 'body': 'base', 'at': [0.05, 0.0, 0.02]},
        'turn': {'kind': 'orientation', 'body': 'base'},
        'shoulder_angle': {'kind': 'angle', 'joint': 'shoulder'},
        'elbow_angle': {'kind': 'angle', 'joint': 'elbow'},
        'hand_turn': {'kind': 'orientation', 'body': 'hand'}},
    'start': {'shoulder_angle': 0.4, 'elbow_angle': -0.7}}

# A line on a ball joint carries a body on another one; both go over head.
LINE = {
    'name': 'line', 'dimension': 3,
    'bodies': {
        'rod': {'slender': True, 'mass': 0.8, 'points': {'A': [0, 0, 0], 'B': [0, 0, -0.5]},
                'shapes': [{'kind': 'rod', 'from': 'A', 'to': 'B', 'radius': 0.02}],
                'pose': {'at': [0.0, 0.0, 0.0]}},
        'box': {'mass': 1.5, 'centre_of_gravity': [0.1, 0.05, -0.1],
                'inertia': [0.02, 0.03, 0.025], 'points': {'B': [0.0, 0.0, 0.0]}}},
    'joints': {'top': {'kind': 'spherical', 'bodies': ['ground', 'rod'], 'at': [[0, 0, 0], 'A']},
               'ball': {'kind': 'spherical', 'bodies': ['rod', 'box'], 'at': 'B'}},
    'coordinates': {'turn': {'kind': 'orientation', 'body': 'box'}}}


def mechanism_of(name):
    """Return a mechanism of this file, of the tests' joints or one that comes with mb_model."""
    if name in JOINTS:
        free = {key: one for key, one in FORCES.items() if key != 'coil' or name != 'weld'}
        return Mechanism(on_joint(name, more={'forces': free}), f'{name}.yaml')
    raws = {'floating': FLOATING, 'line': LINE, 'torque_free': TORQUE_FREE,
            'many_kinds': MANY_KINDS, 'three_rods': THREE_RODS}
    return Mechanism(raws[name], f'{name}.yaml') if name in raws else load_mechanism(name)


def close(ours, truth, share=1e-9):
    """Assert equality to a share of the largest number."""
    np.testing.assert_allclose(ours, truth, rtol=0.0, atol=share * np.abs(truth).max())


@pytest.mark.parametrize('name', [*TREES, *LOOPS, *JOINTS, 'floating', 'torque_free'])
def test_dynamics_are_those_of_matrix_r(name, rng):
    mechanism = mechanism_of(name)
    z = mechanism.z0 + rng.uniform(-0.02, 0.02, mechanism.g)
    zd, zdd, forces = rng.uniform(-1.0, 1.0, (3, mechanism.g))
    near = mechanism.q0
    stepper = make_stepper(mechanism, 'semi_recursive', 'rk4')
    stepper.reset(z, zd, near)
    q = mechanism.assemble(z, near)
    close(stepper.q, q)
    close(stepper.qd, mechanism.velocity(q, zd))
    close(stepper.zdd, mechanism.forward_dynamics(z, zd, near=near))
    close(mechanism.inverse_dynamics(z, zd, zdd, near, 'semi_recursive'),
          mechanism.inverse_dynamics(z, zd, zdd, near, 'matrix_r'))
    pushed = mechanism.forward_dynamics(z, zd, forces, near)
    close(mechanism.inverse_dynamics(z, zd, pushed, near, 'semi_recursive'), forces, 1e-8)


@pytest.mark.parametrize('name', [*IN_PLANE, *TREES, *LOOPS, *JOINTS, 'floating'])
def test_motion_is_that_of_matrix_r(name):
    mechanism = mechanism_of(name)
    rates, duration, arrays, share = ((0.5, 1.0), 1.0, ('q', 'qd', 'qdd'), 1e-8) if (
        name in IN_PLANE) else ((0.2, 0.4), 0.2, ('q', 'qd'), 1e-7)
    zd = np.linspace(*rates, mechanism.g)
    duration, dt = STIFF.get(name, (duration, 1e-3))
    joints, truth = (simulate(mechanism, duration, dt, formulation, 'rk4', zd0=zd,
                              estimate_error=False)
                     for formulation in ('semi_recursive', 'matrix_r'))
    for array in arrays:
        close(getattr(joints, array), getattr(truth, array), share)


def test_the_choice_of_joints_passes_where_z_stands_still():
    """A crank that turns drives its rocker through dead points, where matrix-R must stop."""
    by_crank = load_mechanism('four_bar').replace(start_velocity={'theta': 5.0})
    by_rocker = by_crank.replace(
        coordinates={'psi': {'kind': 'angle', 'body': 'rocker'}}, independent=['psi'],
        start={'theta': None}, start_velocity={'theta': None})
    psi = [np.arctan2(-by_crank.q0[3], 10.0 - by_crank.q0[2])]
    crank = by_crank.velocity(by_crank.q0, by_crank.zd0)
    rocker = by_rocker.velocity(by_rocker.assemble(psi), [1.0])
    stepper = make_stepper(by_rocker, 'semi_recursive', 'rk4')
    stepper.reset(psi, crank[2:3] / rocker[2:3])
    run = simulate(by_crank, 4.0, 1e-3, 'matrix_r', 'rk4')
    for k in range(1, 4001):
        stepper.step(1e-3)
        np.testing.assert_allclose(stepper.q[:4], run.q[k, :4], atol=1e-6)
    assert run.z[-1, 0] > 8.0


def test_lines_and_balls_go_over_head():
    """Frames of both ball joints are turned on the way; all coordinates have none."""
    mechanism = mechanism_of('line')
    assert mechanism.g == 5
    zd = np.array([7.0, -6.0, 3.0, 8.0, 5.0])
    joints, truth = (simulate(mechanism, 1.5, 5e-4, formulation, 'rk4', zd0=zd,
                              estimate_error=False)
                     for formulation in ('semi_recursive', 'lagrange'))
    places = [mechanism.body_motion('box', q).rotation for q in joints.q[::100]]
    assert min(place[2, 2] for place in places) < -0.5
    for ours, theirs in zip(joints.q[::100], truth.q[::100], strict=True):
        for body in ('rod', 'box'):
            one, other = (mechanism.body_motion(body, q) for q in (ours, theirs))
            np.testing.assert_allclose(one.position, other.position, atol=1e-5)
    energies = [sum(mechanism.energy(z, zd, near=q)) for z, zd, q
                in zip(joints.z[::100], joints.zd[::100], joints.q[::100], strict=True)]
    assert np.ptp(energies) < 1e-6 * np.abs(energies).max()


@pytest.mark.parametrize('name', ['stewart', 'quadruped_leg', 'floating'])
def test_joints_transmit_the_same(name):
    mechanism = mechanism_of(name)
    zd = np.linspace(-0.5, 0.5, mechanism.g)
    ours, truth = (mechanism.reactions(mechanism.z0, zd, formulation=formulation).joints
                   for formulation in ('semi_recursive', 'matrix_r'))
    for joint, reaction in truth.items():
        close(ours[joint].force, reaction.force)


def test_prescribed_coordinates_are_refused():
    arm = load_mechanism('six_axis_arm')
    first = arm.independent[0]
    driven = arm.replace(constraints={'drive': {'kind': 'prescribed', 'coordinate': first,
                                                'motion': '0.1 * t'}},
                         independent=list(arm.independent[1:]), start={first: None})
    with pytest.raises(MechanismError, match=r'semi_recursive: not with prescribed coordinates'):
        make_stepper(driven, 'semi_recursive')


def test_what_is_no_tree_of_joints_is_reported():
    afloat = load_mechanism('pendulum').replace(
        points={'B': {'start': [1.0, 1.0]}, 'C': {'start': [2.0, 1.0]}},
        bodies={'other': {'points': ['B', 'C'], 'length': 1.0, 'mass': 1.0}},
        coordinates={'turn': {'kind': 'relative_angle', 'bodies': ['rod', 'other']}},
        independent=['theta', 'B.x', 'B.y', 'turn'])
    with pytest.raises(MechanismError, match=r'bodies\.other: must share a point with the ground'):
        make_stepper(afloat, 'semi_recursive')
