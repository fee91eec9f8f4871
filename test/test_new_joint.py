"""A kind of joints with a spring that an example adds, in one file, is known by all."""

from pathlib import Path
from xml.etree import ElementTree

from installed_kinds import printed_by
import numpy as np
import pytest
from scipy.integrate import solve_ivp

MASS, ARM, INERTIA, GRAVITY = 2.0, 0.4, 0.02, 9.81        # as in use_joint.py
STIFFNESS, DAMPING, START = 5.0, 0.3, (0.4, 0.7)

pytestmark = [pytest.mark.timeout(900), pytest.mark.whole]


@pytest.fixture(scope='module')
def made():
    """What new_kinds/use_joint.py prints where examples/own_joint is installed."""
    return printed_by('use_joint.py', Path(__file__).parents[1] / 'examples' / 'own_joint')


def acceleration(bend, rate):
    """Return the acceleration of the pendulum [rad/s^2]."""
    moment = STIFFNESS * bend + DAMPING * rate + MASS * GRAVITY * ARM * np.sin(bend)
    return -moment / (INERTIA + MASS * ARM * ARM)


@pytest.mark.parametrize('way', ['forwards', 'backwards'])
def test_value_and_derivatives(made, way):
    np.testing.assert_allclose(made[way]['zdd'], [acceleration(*START)], rtol=1e-9)
    slope = STIFFNESS + MASS * GRAVITY * ARM * np.cos(START[0])
    np.testing.assert_allclose(made[way]['slopes'], np.array([-slope, -DAMPING]) / (
        INERTIA + MASS * ARM * ARM), rtol=1e-7)


@pytest.mark.parametrize('way', ['forwards', 'backwards'])
def test_motion_by_the_tree_and_in_the_prototype(made, way):
    truth = solve_ivp(lambda t, state: (state[1], acceleration(*state)), (0.0, 0.5), START,
                      rtol=1e-10, atol=1e-12).y[:, -1]
    for name, bound in (('end', 5e-5), ('prototype', 1e-8)):
        np.testing.assert_allclose(np.ravel(made[way][name]), truth, atol=bound)


def test_the_force_in_it(made):
    """On the bob, in the frame of the joint, whose z is the axis."""
    bend, rate = START
    along, across = MASS * ARM * rate ** 2, MASS * ARM * acceleration(bend, rate)
    size = np.hypot(along + MASS * GRAVITY * np.cos(bend), across + MASS * GRAVITY * np.sin(bend))
    assert np.linalg.norm(made['forwards']['force']) == pytest.approx(size, rel=1e-7)
    np.testing.assert_allclose(made['forwards']['moment'], 0.0, atol=1e-7)


@pytest.mark.parametrize('way', ['forwards', 'backwards'])
def test_mjcf_has_its_spring(made, way):
    joint = ElementTree.fromstring(made[way]['mjcf']).find('.//joint')
    assert joint.attrib['name'] == 'notch/bend'
    assert [float(joint.attrib[key]) for key in ('stiffness', 'damping', 'ref')] == [
        STIFFNESS, DAMPING, pytest.approx(START[0])]


def test_pictures_robots_pages_and_adams_know_it(made):
    joint = ElementTree.fromstring(made['urdf'].partition('\n')[2]).find("joint[@name='notch']")
    assert joint.attrib['type'] == 'continuous'
    np.testing.assert_allclose(np.ravel(made['joints']), START, atol=1e-8)
    assert made['page'] > 10000
    assert '### kind: notch' in made['schema']
    assert 'Moment per angle [N m/rad].' in made['schema']
    entry = made['adams']['joints']['joint1']
    assert entry['kind'] == 'notch'
    np.testing.assert_allclose(entry['axes'][0], entry['axes'][1])
    assert "joints.notch.bodies[1]: 'bib': unknown body" in made['wrong']
