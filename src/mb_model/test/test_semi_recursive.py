"""The semi-recursive formulation against matrix-R: another set of coordinates, the same motion."""

from many_kinds import RAW
import numpy as np
import pytest
from three_rods import RAW as THREE_RODS

from mb_model import MechanismError, load_mechanism, make_stepper, simulate
from mb_model.mechanism import Mechanism

STIFF = {'andrews_squeezer': (0.01, 1e-5), 'four_bar_split': (0.02, 1e-5)}
NAMES = ('pendulum', 'double_pendulum', 'four_bar', 'five_bar', 'four_bar_spring_damper',
         'slider_crank', 'inverted_slider_crank', 'peaucellier', *STIFF)
RAWS = {'many_kinds': RAW, 'three_rods': THREE_RODS}


@pytest.mark.parametrize('name', [*NAMES, *RAWS])
def test_motion_is_that_of_matrix_r(name):
    mechanism = Mechanism(RAWS[name], name) if name in RAWS else load_mechanism(name)
    duration, dt = STIFF.get(name, (1.0, 1e-3))
    zd = np.linspace(0.5, 1.0, mechanism.g)
    joints, truth = (simulate(mechanism, duration, dt, formulation, 'rk4', zd0=zd)
                     for formulation in ('semi_recursive', 'matrix_r'))
    for array in ('q', 'qd', 'qdd'):
        expected = getattr(truth, array)
        np.testing.assert_allclose(getattr(joints, array), expected,
                                   atol=1e-8 * np.abs(expected).max(), err_msg=array)


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


def test_what_is_no_tree_of_joints_is_reported():
    afloat = load_mechanism('pendulum').replace(
        points={'B': {'start': [1.0, 1.0]}, 'C': {'start': [2.0, 1.0]}},
        bodies={'other': {'points': ['B', 'C'], 'length': 1.0, 'mass': 1.0}},
        coordinates={'turn': {'kind': 'relative_angle', 'bodies': ['rod', 'other']}},
        independent=['theta', 'B.x', 'B.y', 'turn'])
    with pytest.raises(MechanismError, match=r'bodies\.other: must share a point with the ground'):
        make_stepper(afloat, 'semi_recursive')
