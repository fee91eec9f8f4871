"""Derivatives of accelerations by parameters, against differences of changed models."""

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
from planar_machines import MANY_FORCES, MANY_KINDS, THREE_POINT
import pytest
from random_state import draw_state

from mb_model import MechanismError, load_mechanism
from mb_model.kernels.parameters import set_parameter
from mb_model.mechanism import Mechanism
from mb_model.record import MODEL

THOROUGH = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
# The same numbers, each of which may depend on the parameters in another way.
NAMED = {'parameters': {'size': 1.1, 'half': 'size / 2', 'heavy': 0.8},
         'bodies': {'arm': {'length': 'size'}, 'crank': {'mass': '2 * heavy', 'length': 'half'},
                    'rod': {'mass': 'heavy', 'inertia': 'heavy * size ** 2 / 12',
                            'centre_of_gravity': ['half', 'sin(size) / 10']}},
         'points': {'E': {'fixed': [2.0, 'size']}}, 'gravity': ['size', -9.0],
         'constraints': {'weld': {'angle': 'size + 1'}},
         'forces': MANY_FORCES | {'spring': {'kind': 'spring_damper', 'coordinate': 'reach',
                                                   'stiffness': '100 * size', 'rest': 'size'}}}
MECHANISMS = [load_mechanism('four_bar'), Mechanism(THREE_POINT, 'three_point.yaml'),
              Mechanism(MANY_KINDS, 'many_kinds.yaml').replace(forces=MANY_FORCES),
              Mechanism(MANY_KINDS, 'many_kinds.yaml').replace(**NAMED),
              load_mechanism('five_bar'), load_mechanism('inverted_slider_crank')]
# Parameters of repeated entries, one of which the file writes out itself.
ROBOT = load_mechanism('three_rrr').replace(bodies={'inner2': {'mass': 1.5, 'length': 0.31}})
REPEATED = ['base', 'platform', 'inner', 'outer', 'third', 'inner_mass', 'outer_mass',
            'platform_mass', 'drive_coulomb', 'drive_viscous']
H = 1e-4


def parameters(mechanism):
    """Return the paths of all numbers that the motion depends on, and the named ones."""
    paths = ['gravity.x', 'gravity[1]', *mechanism.parameters]
    for name, point in mechanism.points.items():
        paths += [f'points.{name}.fixed.{axis}' for axis in 'xy' if point.fixed]
    for name, body in mechanism.bodies.items():
        keys = ['mass']
        if isinstance(mechanism.raw['bodies'][name]['points'], dict):
            second, *others = list(body.points)[1:]
            keys += [f'points.{second}.x'] + [f'points.{other}.{axis}'
                                              for other in others for axis in 'xy']
        else:
            keys.append('length')
        if 'inertia' in mechanism.raw['bodies'][name]:
            keys += ['inertia', 'centre_of_gravity.x', 'centre_of_gravity.y']
        paths += [f'bodies.{name}.{key}' for key in keys]
    for name, constraint in mechanism.raw.get('constraints', {}).items():
        paths += [f'constraints.{name}.angle'] if 'angle' in constraint else []
    for name, force in mechanism.raw.get('forces', {}).items():
        for key, value in force.items():
            if isinstance(value, list) and key in ('force', 'at'):
                paths += [f'forces.{name}.{key}.{axis}' for axis in 'xy']
            elif key not in ('kind', 'body', 'bodies', 'points', 'coordinate', 'at', 'axes'):
                paths.append(f'forces.{name}.{key}')
    return paths


def changed(mechanism, name, value):
    """Return the mechanism with a number of its file replaced."""
    keys = name.replace('[1]', '.y').split('.')
    if len(keys) == 1:
        return mechanism.replace(parameters={name: value})
    axis = {'x': 0, 'y': 1}.get(keys[-1])
    if axis is not None:
        keys.pop()
        old = mechanism.raw
        for key in keys:
            old = old[key]
        value = [value if k == axis else old[k] for k in range(2)]
    for key in reversed(keys):
        value = {key: value}
    return mechanism.replace(**value)


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_parameter_jacobian_is_the_derivative_of_the_acceleration(which, data):
    mechanism = MECHANISMS[which]
    z, zd, forces = draw_state(data, mechanism)
    name = data.draw(st.sampled_from(parameters(mechanism)))
    value = mechanism.parameter_records([name])['value'][0]
    near = mechanism.assemble(z)
    f = [changed(mechanism, name, value + k * H).forward_dynamics(z, zd, forces, near)
         for k in (-2, -1, 1, 2)]
    expected = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * H)
    column = mechanism.parameter_jacobian(z, zd, [name], forces)[:, 0]
    np.testing.assert_allclose(column, expected, rtol=1e-6,
                               atol=1e-8 * max(1.0, np.abs(f[0]).max()) + 1e-6 * np.abs(
                                   expected).max())


@pytest.mark.parametrize('which', range(len(MECHANISMS)))
def test_a_parameter_that_is_set_makes_the_model_of_the_changed_file(which):
    mechanism = MECHANISMS[which]
    for name in parameters(mechanism):
        records = mechanism.parameter_records([name])
        value = records['value'][0] + 0.01
        model = mechanism.model.copy()
        set_parameter(model[0], records[0], value)
        expected = changed(mechanism, name, value).model
        for field in MODEL.fields:
            if field not in ('scale', 'stiffness'):      # numerical choices, not the mechanism
                np.testing.assert_allclose(model[field], expected[field], rtol=1e-14, atol=1e-14,
                                           err_msg=f'{name}: {field}')


@pytest.mark.parametrize('name', REPEATED)
def test_a_parameter_of_repeated_entries_is_one_of_each(name):
    z, zd, forces = np.array([0.02, -0.01, 0.1]), np.array([0.3, -0.4, 1.0]), np.array([1., 2., 3.])
    value = ROBOT.parameters[name]
    f = [ROBOT.replace(parameters={name: value + k * H}).forward_dynamics(z, zd, forces)
         for k in (-2, -1, 1, 2)]
    np.testing.assert_allclose(ROBOT.parameter_jacobian(z, zd, [name], forces)[:, 0],
                               (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * H), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize('name', ['bodies.crank.inertia', 'bodies.crank.colour', 'gravity.z',
                                  'points.P1.fixed.x', 'nothing', 'forces.spring.stiffness'])
def test_what_is_no_parameter_is_reported(name):
    with pytest.raises(MechanismError, match=rf'four_bar.yaml: {name}: is no parameter'):
        load_mechanism('four_bar').parameter_records([name])
