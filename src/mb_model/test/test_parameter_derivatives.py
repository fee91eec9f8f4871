"""Derivatives by parameters against differences: numbers of bodies, forces, and points."""

from functools import cache

from by_differences import draw_state, slope
from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
from planar_machines import MANY_FORCES, MANY_KINDS, THREE_POINT
import pytest
from test_random_space import extrapolated, override

from mb_model import MechanismError, load_mechanism
from mb_model.compilation import point_parameters
from mb_model.compilation.compilation import compile_model
from mb_model.file_api import parameter_overrides
from mb_model.kernels.parameters import set_parameter
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.reading import whole_mapping
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
    return mechanism.replace(**parameter_overrides(mechanism, {name: value}))


def assert_setting_is_replacing(mechanism, name, step, tolerance, changed=changed):
    """Assert that a parameter that is set makes the model of the changed file.

    changed(mechanism, name, value): return the mechanism of that file.
    """
    records = mechanism.parameter_records([name])
    value = records['value'][0] + step
    model = mechanism.model.copy()
    set_parameter(model[0], records[0], value)
    expected = changed(mechanism, name, value).model
    for field in MODEL.fields:
        if field not in ('scale', 'stiffness'):      # numerical choices, not the mechanism
            np.testing.assert_allclose(model[field], expected[field], rtol=tolerance,
                                       atol=tolerance, err_msg=f'{name}: {field}')


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_parameter_jacobian_is_the_derivative_of_the_acceleration(which, data):
    mechanism = MECHANISMS[which]
    z, zd, forces = draw_state(data, mechanism)
    name = data.draw(st.sampled_from(parameters(mechanism)))
    value = mechanism.parameter_records([name])['value'][0]
    near = mechanism.assemble(z)

    def accelerations(step):
        return changed(mechanism, name, value + step).forward_dynamics(z, zd, forces, near)

    expected = slope(accelerations, H)
    column = mechanism.parameter_jacobian(z, zd, [name], forces)[:, 0]
    np.testing.assert_allclose(column, expected, rtol=1e-6,
                               atol=1e-8 * max(1.0, np.abs(accelerations(H)).max())
                               + 1e-6 * np.abs(expected).max())


@pytest.mark.parametrize('which', range(len(MECHANISMS)))
def test_a_parameter_that_is_set_makes_the_model_of_the_changed_file(which):
    for name in parameters(MECHANISMS[which]):
        assert_setting_is_replacing(MECHANISMS[which], name, 0.01, 1e-14)


@pytest.mark.parametrize('name', REPEATED)
def test_a_parameter_of_repeated_entries_is_one_of_each(name):
    z, zd, forces = np.array([0.02, -0.01, 0.1]), np.array([0.3, -0.4, 1.0]), np.array([1., 2., 3.])
    value = ROBOT.parameters[name]
    expected = slope(lambda step: ROBOT.replace(parameters={
        name: value + step}).forward_dynamics(z, zd, forces), H)
    np.testing.assert_allclose(ROBOT.parameter_jacobian(z, zd, [name], forces)[:, 0], expected,
                               rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize('name', ['bodies.crank.inertia', 'bodies.crank.colour', 'gravity.z',
                                  'points.P1.fixed.x', 'nothing', 'forces.spring.stiffness'])
def test_what_is_no_parameter_is_reported(name):
    with pytest.raises(MechanismError, match=rf'four_bar.yaml: {name}: is no parameter'):
        load_mechanism('four_bar').parameter_records([name])


# Of each machine some places: of hinges, ball joints, struts, named numbers behind them.
POINTS = {
    'spatial_slider_crank': ['bodies.crank.points.B.z', 'ground.O.y', 'rod'],
    'spatial_four_bar': ['bodies.crank.points.P1.x'],
    'six_axis_arm': ['bodies.upper_arm.points.elbow.x', 'upper'],
    'flyball_governor': ['bodies.shaft.points.A.z', 'length'],
    'bricard': ['length'],
    'stewart': ['bodies.platform.points.P1.x', 'ground.B3.z', 'base', 'base_turn'],
    'delta': ['bodies.arm1.points.L.x', 'ground.A2.y', 'rod', 'base'],
    'quadruped_leg': ['bodies.hip.points.T.y', 'bodies.thigh.points.K.z', 'lever'],
    'quarter_car': ['bodies.upper_arm.points.outer.x', 'bodies.body.points.lower.z'],
    'excavator': ['bodies.boom.points.E.x', 'bodies.arm.points.K.z', 'foot_x']}
CASES = [(machine, name) for machine, names in POINTS.items() for name in names]


@cache
def changeable(name):
    """Return a machine whose bodies may have other places."""
    machine = load_mechanism(name)
    return machine.replace(bodies={body: {'variable_places': True} for body in machine.bodies})


def with_value(machine, name, value):
    """Return the machine with another value of a parameter."""
    raw = whole_mapping(machine.raw, machine.file)
    if name in machine.parameters:
        return machine.replace(parameters={name: float(value)})
    keys = name.split('.')
    return machine.replace(**override(raw, keys, float(value)))


@pytest.mark.parametrize('name', POINTS)
def test_a_machine_with_variable_places_moves_as_ever(name):
    machine, as_ever = changeable(name), load_mechanism(name)
    assert machine.independent == as_ever.independent
    zd = np.full(machine.g, 0.1)
    expected = as_ever.forward_dynamics(as_ever.z0, zd)
    np.testing.assert_allclose(machine.forward_dynamics(machine.z0, zd), expected, rtol=0.0,
                               atol=1e-9 * np.abs(expected).max() + 1e-12)


@pytest.mark.parametrize(('machine', 'name'), CASES)
def test_derivatives_by_points(machine, name):
    machine = changeable(machine)
    zd = np.full(machine.g, 0.2)
    exact = machine.parameter_jacobian(machine.z0, zd, [name], near=machine.q0)[:, 0]

    def moved(value):
        return with_value(machine, name, value).forward_dynamics(machine.z0, zd, near=machine.q0)

    value = machine.parameter_records([name])['value'][0]
    expected = extrapolated(moved, value, 2e-3 * max(abs(value), 0.1))
    size = max(np.abs(expected).max(), np.abs(moved(value)).max())
    assert np.abs(expected).max() > 1e-6 * size      # the place matters
    np.testing.assert_allclose(exact, expected, rtol=0.0, atol=1e-8 * size)


@pytest.mark.parametrize(('machine', 'name'), CASES)
def test_a_place_that_is_set_makes_the_model_of_the_changed_file(machine, name):
    assert_setting_is_replacing(changeable(machine), name, 1e-3, 1e-12, with_value)


def test_places_together_are_those_of_each_alone(monkeypatch):
    """Base points of the Stewart platform, known from as many models as one of them is."""
    machine, made = changeable('stewart'), []
    monkeypatch.setattr(point_parameters, 'compile_model',
                        lambda *given: made.append(given) or compile_model(*given))
    names = [f'ground.B{k}.{axis}' for k in range(1, 7) for axis in 'xyz']
    together = machine.parameter_records(names)
    assert len(made) == 4
    for name, record in zip(names, together, strict=True):
        alone, = machine.parameter_records([name])
        for field in ('value', 'effects', 'kind', 'index', 'operations'):
            np.testing.assert_array_equal(record[field], alone[field])
        np.testing.assert_allclose(record['numbers'], alone['numbers'], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(('machine', 'names'), [
    ('quarter_car', [f'bodies.upper_arm.points.outer.{axis}' for axis in 'xyz']),
    ('excavator', ['bodies.boom.points.E.x', 'bodies.boom.points.E.z', 'foot_x',
                   'bodies.boom.mass', 'bodies.arm.points.K.z'])])
def test_places_that_numbers_follow_together_are_those_of_each_alone(machine, names):
    machine = changeable(machine)
    for name, record in zip(names, machine.parameter_records(names), strict=True):
        model, expected = machine.model.copy(), machine.model.copy()
        value = record['value'] + 0.01
        set_parameter(model[0], record, value)
        set_parameter(expected[0], machine.parameter_records([name])[0], value)
        for field in model.dtype.names:
            np.testing.assert_allclose(model[field], expected[field], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(('machine', 'name', 'message'), [
    (load_mechanism('stewart'), 'base', 'moves points that bodies share'),
    (load_mechanism('excavator'), 'bodies.boom.points.E.x', 'moves points that bodies share'),
    (load_mechanism('quadruped_leg'), 'ground.H.x', 'need variable_places: true'),
    ('quadruped_leg', 'bodies.calf.points.F.z', 'or welded bodies'),
    ('delta', 'bodies.left1.points.E.y', 'left1: is slender'),
    ('six_axis_arm', 'bodies.wrist3.points.tool.x', 'is no parameter of the model')])
def test_what_is_no_parameter_in_space_is_reported(machine, name, message):
    machine = changeable(machine) if isinstance(machine, str) else machine
    with pytest.raises(MechanismError) as caught:
        machine.parameter_records([name])
    assert machine.file in str(caught.value)
    assert message in str(caught.value)


def test_inertia_that_shapes_give_follows_along_their_line():
    """A cylinder from A to B: r^2 / 4 + l^2 / 12 across it, the centre in its middle."""
    arm = Mechanism({
        'name': 'arm', 'dimension': 3, 'parameters': {'l': 0.8},
        'bodies': {'arm': {'mass': 3.0, 'points': {'A': [0.0, 0.0, 0.0], 'B': ['l', 0.0, 0.0]},
                           'shapes': [{'kind': 'cylinder', 'from': 'A', 'to': 'B',
                                       'radius': 0.1}]}},
        'joints': {'hinge': {'kind': 'revolute', 'bodies': ['ground', 'arm'],
                             'at': [[0.0, 0.0, 0.0], 'A'], 'axis': [0.0, 1.0, 0.0]}},
        'coordinates': {'turn': {'kind': 'angle', 'joint': 'hinge'}},
        'independent': ['turn']}, 'arm.yaml')

    def expected(length):      # the hinge turns the arm down
        inertia = 3.0 * (0.1 ** 2 / 4.0 + length ** 2 / 12.0 + length ** 2 / 4.0)
        return 3.0 * 9.81 * length / 2.0 * np.cos(0.3) / inertia
    np.testing.assert_allclose(arm.forward_dynamics([0.3], [0.0]), expected(0.8), rtol=1e-12)
    by_length = arm.parameter_jacobian([0.3], [0.0], ['l'])[0, 0]
    assert by_length == pytest.approx(expected(0.8 + 1e-30j).imag / 1e-30, rel=1e-10)


def test_overrides_replace_one_number_of_a_place():
    raw = whole_mapping(load_mechanism('quarter_car').raw, 'quarter_car.yaml')
    name = 'bodies.upper_arm.points.outer.z'
    machine = load_mechanism('quarter_car')
    moved = machine.replace(**parameter_overrides(machine, {name: 0.25, 'gravity.z': -9.0}))
    place = raw['bodies']['upper_arm']['points']['outer']
    np.testing.assert_allclose(moved.bodies['upper_arm'].points['outer'],
                               [machine.number(place[0]), machine.number(place[1]), 0.25])
    np.testing.assert_allclose(moved.gravity, [*machine.gravity[:2], -9.0])
