"""Inverse dynamics along a motion and its derivatives, against changed files and differences."""

from by_differences import slope
import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism
from mb_model.file_api import parameter_overrides
from mb_model.regressor import Regressor

ROBOT, CRANE, PENDULUM = (load_mechanism(name) for name in ('three_rrr', 'crane',
                                                            'double_pendulum'))
CASES = {'robot': (ROBOT, ['inner_mass', 'outer_mass', 'platform_mass', 'platform_inertia',
                           'drive_coulomb',
                           'forces.friction2.viscous']),
         'crane': (CRANE, ['load', 'bodies.arm.mass', 'gravity.y']),
         'pendulum': (PENDULUM, [f'bodies.{name}.mass' for name in PENDULUM.bodies])}
LINEAR = [(case, name) for case, (_, names) in CASES.items() for name in names]


def motion(mechanism, count=6):
    """Return z, zd, zdd (count, g) of a random motion near the start, rows far from each other."""
    random = np.random.default_rng(4)
    z, zd, zdd = random.uniform(-1.0, 1.0, (3, count, mechanism.g))
    return mechanism.z0 + 0.03 * z, 0.5 * zd, 3.0 * zdd


def needed(mechanism, z, zd, zdd):
    """Return inverse dynamics (k, g), row by row."""
    return np.array([mechanism.inverse_dynamics(*row) for row in zip(z, zd, zdd, strict=True)])


@pytest.mark.parametrize(('case', 'name'), LINEAR)
def test_forces_of_another_parameter_are_exactly_linear(case, name):
    mechanism, names = CASES[case]
    regressor = Regressor(mechanism, names)
    column, (z, zd, zdd) = names.index(name), motion(mechanism)
    value = regressor.values[column]
    other = mechanism.replace(**parameter_overrides(mechanism, {name: 1.7 * value}))
    here = regressor.along(z, zd, zdd)
    np.testing.assert_allclose(here.force, needed(mechanism, z, zd, zdd), rtol=1e-9, atol=1e-9)
    expected = needed(other, z, zd, zdd)
    np.testing.assert_allclose(here.force + 0.7 * value * here.by_parameter[:, :, column], expected,
                               rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    values = regressor.values
    values[column] *= 1.7
    regressor.values = values
    np.testing.assert_allclose(regressor.along(z, zd, zdd).force, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize('case', CASES)
def test_derivatives_by_the_state_are_those_of_differences(case):
    mechanism, names = CASES[case]
    g, states = mechanism.g, np.stack(motion(mechanism))
    here, h = Regressor(mechanism, names).along(*states), 1e-4
    for k in range(3 * g):
        step = np.zeros_like(states)
        step[k // g, :, k % g] = 1.0
        expected = slope(lambda d, unit=step: needed(mechanism, *(states + d * unit)), h)
        np.testing.assert_allclose(here.by_state[:, :, k], expected, rtol=1e-5,
                                   atol=1e-6 * max(1.0, np.abs(expected).max()))
    q = mechanism.assemble(states[0, -1])
    np.testing.assert_allclose(here.R[-1], mechanism.R(q), rtol=1e-9, atol=1e-9)


def test_two_names_of_one_number_are_reported():
    with pytest.raises(MechanismError, match='are the same number of the model'):
        Regressor(ROBOT, ['outer_mass', 'inner_mass', 'bodies.outer2.mass'])


def test_where_there_is_no_position_is_reported():
    z, zd, zdd = motion(ROBOT)
    z[3] = [0.9, 0.0, 0.0]
    with pytest.raises(MechanismError, match='a singular one, at instant 3, z = '):
        Regressor(ROBOT, ['inner_mass']).along(z, zd, zdd)
