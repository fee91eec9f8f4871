"""Mass, Coriolis and forces in the degrees of freedom, against energies and other formulations."""

from by_differences import draw_state
from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
from planar_machines import MANY_FORCES, MANY_KINDS
import pytest

from mb_model import MechanismError, load_mechanism
from mb_model.mechanism import Mechanism

THOROUGH = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
MECHANISMS = [load_mechanism('three_rrr'), load_mechanism('five_bar'), load_mechanism('crane'),
              load_mechanism('double_pendulum'),
              Mechanism(MANY_KINDS, 'many_kinds.yaml').replace(forces=MANY_FORCES)]
LIGHT = [mechanism.replace(gravity=[0.0, 0.0]) for mechanism in MECHANISMS]
WEIGHTS = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])


def drawn_state(data, mechanism):
    """Return z, zd and zdd (g) near the start, within the reach of every mechanism."""
    z, zd, zdd = draw_state(data, mechanism)
    return mechanism.z0 + 0.2 * (z - mechanism.z0), zd, zdd


def slope(function, h):
    """Return the derivative of function at 0, of eighth order."""
    return sum(weight * function(k * h) for weight, k in zip(WEIGHTS, range(-4, 5), strict=True)
               if k) / h


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_the_mass_changes_by_coriolis_and_its_transpose(which, data):
    mechanism = MECHANISMS[which]
    z, zd, _ = drawn_state(data, mechanism)
    here = mechanism.operational_space(z, zd)
    change = slope(lambda h: mechanism.operational_space(z + h * zd, zd, here.q).mass, 5e-4)
    size = max(1.0, np.abs(here.mass).max()) * max(1.0, np.abs(zd).max())
    np.testing.assert_allclose(here.coriolis + here.coriolis.T, change, rtol=1e-9, atol=1e-9 * size)
    assert zd @ here.mass @ zd / 2 == pytest.approx(mechanism.energy(z, zd, here.q)[0], rel=1e-9,
                                                    abs=1e-12)


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_the_parts_are_together_what_other_formulations_need(which, data):
    mechanism = MECHANISMS[which]
    z, zd, zdd = drawn_state(data, mechanism)
    here = mechanism.operational_space(z, zd)
    for formulation in ('index3_al', 'semi_recursive'):
        needed = mechanism.inverse_dynamics(z, zd, zdd, formulation=formulation)
        np.testing.assert_allclose(here.needed(zd, zdd), needed, rtol=1e-6,
                                   atol=1e-6 * max(1.0, np.abs(needed).max()))
    light = LIGHT[which]
    weight = [slope(lambda h, e=e: mechanism.energy(z + h * e, zd, here.q)[1]
                    - light.energy(z + h * e, zd, here.q)[1], 2e-3) for e in np.eye(mechanism.g)]
    np.testing.assert_allclose(here.gravity, weight, rtol=1e-7, atol=1e-7)
    np.testing.assert_array_equal(mechanism.operational_space(z, 0.0 * zd).friction, 0.0)


def test_friction_and_springs_of_coordinates_are_those_of_the_rows_of_r():
    """tanh friction and a damper on two drives of the robot, a spring on the third."""
    robot = load_mechanism('three_rrr').replace(forces={
        'dry': {'kind': 'friction', 'coordinate': 'drive1', 'coulomb': 2.0, 'viscous': 0.3,
                'transition_velocity': 0.1},
        'spring': {'kind': 'spring_damper', 'coordinate': 'drive3', 'stiffness': 5.0, 'rest': 1.0,
                   'damping': 0.7}})
    z, zd = np.array([0.03, -0.02, 0.1]), np.array([0.2, -0.1, 0.5])
    here = robot.operational_space(z, zd)
    base = load_mechanism('three_rrr').operational_space(z, zd)
    rates = here.jacobian(['drive1', 'drive3']) @ zd
    np.testing.assert_allclose(rates, here.qd[robot.indices(['drive1', 'drive3'])], atol=1e-12)
    loss = np.array([2.0 * np.tanh(4.0 * rates[0] / 0.1) + 0.3 * rates[0], 0.7 * rates[1]])
    np.testing.assert_allclose(here.friction - base.friction,
                               here.jacobian(['drive1', 'drive3']).T @ loss, rtol=1e-9)
    pull = 5.0 * (here.q[robot.indices(['drive3'])] - 1.0)
    np.testing.assert_allclose(here.other - base.other, here.jacobian(['drive3']).T @ pull,
                               rtol=1e-9)


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_contact_jacobian_is_how_a_place_moves_with_z(which, data):
    mechanism = MECHANISMS[which]
    z, zd, _ = drawn_state(data, mechanism)
    here = mechanism.operational_space(z, zd)
    name = data.draw(st.sampled_from(list(mechanism.bodies)))
    at = (0.13, -0.07)
    (first, second), length = mechanism.body_indices(name), mechanism.bodies[name].length

    def place(h):
        q = np.r_[mechanism.assemble(z + h * zd, here.q), mechanism.model['fixed'][0, mechanism.n:]]
        along = (q[second:second + 2] - q[first:first + 2]) / length
        return np.r_[q[first:first + 2] + at[0] * along + at[1] * np.array([-along[1], along[0]]),
                     along]

    moved, along = slope(place, 2e-3), place(0.0)[2:]
    turn = along[0] * moved[3] - along[1] * moved[2]
    np.testing.assert_allclose(here.contact_jacobian(name, at) @ zd, np.r_[moved[:2], turn],
                               rtol=1e-8, atol=1e-8)


def test_what_has_no_operational_space_is_reported():
    robot = MECHANISMS[0]
    driven = robot.replace(independent=['E.x', 'E.y'],
                           start={'turn': None}, constraints={'turning': {
                               'kind': 'prescribed', 'coordinate': 'turn', 'motion': '0.1 * t'}})
    with pytest.raises(MechanismError, match='not for mechanisms with prescribed coordinates'):
        driven.operational_space(np.zeros(2), np.zeros(2))
    here = robot.operational_space(robot.z0, robot.zd0)
    with pytest.raises(MechanismError, match='motor: unknown coordinate'):
        here.jacobian(['motor'])
    with pytest.raises(MechanismError, match='do not decide the motion'):
        here.jacobian_from(['drive1', 'drive2'])
