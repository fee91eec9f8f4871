"""Inverse dynamics along a motion and its derivatives, against changed files and differences."""

from by_differences import slope
import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism
from mb_model.file_api import parameter_overrides
from mb_model.regressor import Regressor

ROBOT, CRANE, PENDULUM, ARM = (load_mechanism(name) for name in (
    'three_rrr', 'crane', 'double_pendulum', 'six_axis_arm'))
ARM = ARM.replace(forces={'rubbing': {'kind': 'friction', 'coordinate': 'q3', 'coulomb': 4.0,
                                      'viscous': 2.0, 'transition_velocity': 0.1}})
CASES = {'robot': (ROBOT, ['inner_mass', 'outer_mass', 'platform_mass', 'platform_inertia',
                           'drive_coulomb',
                           'forces.friction2.viscous']),
         'crane': (CRANE, ['load', 'bodies.arm.mass', 'gravity.y']),
         'arm': (ARM, ['bodies.upper_arm.mass', 'bodies.forearm.inertia.2',
                       'bodies.upper_arm.inertia.2', 'gravity.x', 'forces.rubbing.coulomb',
                       'forces.rubbing.viscous']),
         'pendulum': (PENDULUM, [f'bodies.{name}.mass' for name in PENDULUM.bodies])}
# What moves points, what bodies and forces have of another degree, and between them what is linear.
CURVED = {'robot': (ROBOT, ['base', 'inner_mass', 'platform', 'bodies.platform.mass', 'inner']),
          'arm': (ARM, [*(f'bodies.{name}.centre_of_gravity.{axis}' for axis in 'xyz'
                          for name in ('forearm', 'wrist1')), 'bodies.wrist2.mass',
                        'forces.rubbing.transition_velocity'])}
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


@pytest.mark.parametrize('case', CURVED)
def test_derivatives_by_parameters_are_those_of_differences(case):
    mechanism, names = CURVED[case]
    states = motion(mechanism)
    regressor = Regressor(mechanism, names)
    found = regressor.along(*states).by_parameter
    for column, (name, value) in enumerate(zip(names, regressor.values, strict=True)):
        def other(step, name=name, value=value):
            changes = parameter_overrides(mechanism, {name: float(value + step)})
            return needed(mechanism.replace(**changes), *states)
        expected = slope(other, 1e-4)
        np.testing.assert_allclose(found[:, :, column], expected, rtol=1e-6,
                                   atol=1e-6 * max(1.0, np.abs(expected).max()), err_msg=name)


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
