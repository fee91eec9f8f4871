"""Places in space as parameters: over the machines, against differences of changed files."""

from functools import cache

import numpy as np
import pytest
from test_random_space import extrapolated, override

from mb_model import MechanismError, load_mechanism
from mb_model.file_api import parameter_overrides
from mb_model.kernels.parameters import set_parameter
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.reading import whole_mapping
from mb_model.record import MODEL

# Of each machine some places: of hinges, ball joints, struts, named numbers behind them.
PLACES = {
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
CASES = [(machine, name) for machine, names in PLACES.items() for name in names]


@cache
def variable(name):
    """Return a machine whose bodies may have other places."""
    machine = load_mechanism(name)
    return machine.replace(bodies={body: {'variable_places': True} for body in machine.bodies})


def changed(machine, name, value):
    """Return the machine with another value of a parameter."""
    raw = whole_mapping(machine.raw, machine.file)
    if name in machine.parameters:
        return machine.replace(parameters={name: float(value)})
    keys = name.split('.')
    return machine.replace(**override(raw, keys, float(value)))


@pytest.mark.parametrize('name', PLACES)
def test_a_machine_with_variable_places_moves_as_ever(name):
    machine, as_ever = variable(name), load_mechanism(name)
    assert machine.independent == as_ever.independent
    zd = np.full(machine.g, 0.1)
    expected = as_ever.forward_dynamics(as_ever.z0, zd)
    np.testing.assert_allclose(machine.forward_dynamics(machine.z0, zd), expected, rtol=0.0,
                               atol=1e-9 * np.abs(expected).max() + 1e-12)


@pytest.mark.parametrize(('machine', 'name'), CASES)
def test_derivatives_by_places(machine, name):
    machine = variable(machine)
    zd = np.full(machine.g, 0.2)
    exact = machine.parameter_jacobian(machine.z0, zd, [name], near=machine.q0)[:, 0]

    def moved(value):
        return changed(machine, name, value).forward_dynamics(machine.z0, zd, near=machine.q0)

    value = machine.parameter_records([name])['value'][0]
    expected = extrapolated(moved, value, 2e-3 * max(abs(value), 0.1))
    size = max(np.abs(expected).max(), np.abs(moved(value)).max())
    assert np.abs(expected).max() > 1e-6 * size      # the place matters
    np.testing.assert_allclose(exact, expected, rtol=0.0, atol=1e-8 * size)


@pytest.mark.parametrize(('machine', 'name'), CASES)
def test_a_place_that_is_set_makes_the_model_of_the_changed_file(machine, name):
    machine = variable(machine)
    records = machine.parameter_records([name])
    value = records['value'][0] + 1e-3
    model = machine.model.copy()
    set_parameter(model[0], records[0], value)
    expected = changed(machine, name, value).model
    for field in MODEL.fields:
        if field not in ('scale', 'stiffness'):      # numerical choices, not the mechanism
            np.testing.assert_allclose(model[field], expected[field], rtol=1e-12, atol=1e-12,
                                       err_msg=field)


@pytest.mark.parametrize(('machine', 'name', 'message'), [
    (load_mechanism('stewart'), 'base', 'moves points that bodies share'),
    (load_mechanism('excavator'), 'bodies.boom.points.E.x', 'moves points that bodies share'),
    (load_mechanism('quadruped_leg'), 'ground.H.x', 'need variable_places: true'),
    ('quadruped_leg', 'bodies.calf.points.F.z', 'or welded bodies'),
    ('delta', 'bodies.left1.points.E.y', 'left1: is slender'),
    ('six_axis_arm', 'bodies.wrist3.points.tool.x', 'is no parameter of the model')])
def test_what_is_no_parameter_is_reported(machine, name, message):
    machine = variable(machine) if isinstance(machine, str) else machine
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
