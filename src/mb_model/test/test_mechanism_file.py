"""Mechanism files: what is wrong is reported with file, key, value and what was expected."""

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
import pytest
import yaml

from mb_model import AssemblyError, MechanismError, load_mechanism, mechanism_names
from mb_model.checking import findings
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.file import parse_mechanism, read_mechanism_file
from mb_model.mechanism_file.schema import definition

FUZZ = settings(deadline=None, suppress_health_check=list(HealthCheck))


def test_shipped_mechanisms_are_found_by_name():
    assert {'four_bar', 'five_bar'} <= set(mechanism_names())
    for name in mechanism_names():
        assert load_mechanism(name).name == name


def test_a_file_is_found_by_path_and_equals_the_shipped_one(tmp_path, four_bar):
    raw, _ = read_mechanism_file('four_bar')
    file = tmp_path / 'mine.yaml'
    file.write_text(yaml.safe_dump(raw, sort_keys=False))
    mine = load_mechanism(file)
    assert mine.file == 'mine.yaml'
    assert mine.model.tobytes() == four_bar.model.tobytes()
    np.testing.assert_array_equal(mine.q0, four_bar.q0)


def test_order_of_coordinates(four_bar, five_bar):
    assert four_bar.coordinates == ('P1.x', 'P1.y', 'P2.x', 'P2.y', 'theta')
    assert (four_bar.n, four_bar.m, four_bar.g) == (5, 4, 1)
    assert five_bar.independent == ('theta1', 'theta2')
    assert five_bar.coordinates[-2:] == ('theta1', 'theta2')
    assert four_bar.body_indices('rocker') == (2, 7)
    assert four_bar.angle_index('crank') == 4
    assert four_bar.angle_index('coupler') is None


def test_a_body_without_mass_adds_nothing(four_bar):
    nothing = {'mass': 0.0, 'centre_of_gravity': [0.3, 0.0], 'inertia': 0.0}
    light = four_bar.replace(bodies={'rocker': nothing})
    carried = four_bar.replace(bodies={'rocker': nothing | {'mass': 1e-9}})
    assert light.forward_dynamics(light.z0, [1.0]) == pytest.approx(
        carried.forward_dynamics(light.z0, [1.0]), rel=1e-8)
    with pytest.raises(MechanismError, match='bodies: the mass of one of them at least'):
        four_bar.replace(bodies=dict.fromkeys(('crank', 'coupler', 'rocker'), nothing))


def test_shapes_lie_along_points_or_about_a_place(four_bar):
    shaped = four_bar.replace(bodies={
        'crank': {'shape': {'kind': 'capsule', 'radius': 0.2}},
        'coupler': {'shape': {'kind': 'disc', 'radius': '2 * 0.3', 'at': 'P2'}},
        'rocker': {'shape': {'kind': 'disc', 'radius': 0.1, 'at': [1.0, -2.0]}}})
    assert {name: (shape.radius, shape.ends) for name, shape in shaped.shapes.items()} == {
        'crank': (0.2, ((0.0, 0.0), (2.0, 0.0))), 'coupler': (0.6, ((8.0, 0.0), (8.0, 0.0))),
        'rocker': (0.1, ((1.0, -2.0), (1.0, -2.0)))}
    assert not four_bar.shapes


BAD = [
    ({'bodies': {'coupler': {'mass': -4.0}}}, 'bodies.coupler.mass: -4.0 must be >= 0'),
    ({'bodies': {'coupler': {'mass': 0}}}, 'bodies.coupler.mass: 0 must be > 0 of a'),
    ({'bodies': {'coupler': {'mass': 'heavy'}}}, "bodies.coupler.mass: 'heavy' names the unknown"),
    ({'bodies': {'coupler': {'mass': True}}}, 'bodies.coupler.mass: True must be a number'),
    ({'bodies': {'coupler': {'mass': float('nan')}}}, 'bodies.coupler.mass: nan must be finite'),
    ({'bodies': {'coupler': {'mass': 10 ** 400}}}, 'must be finite'),
    ({'bodies': {'coupler': {'length': 0.0}}}, 'bodies.coupler.length: 0.0 must be > 0'),
    ({'bodies': {'coupler': {'points': ['P1', 'P9']}}},
     "bodies.coupler.points[1]: 'P9': unknown point, expected one of A, B, P1, P2"),
    ({'bodies': {'coupler': {'points': ['P1', 'P1']}}}, 'bodies.coupler.points[1]: P1 is there tw'),
    ({'bodies': {'coupler': {'points': ['P1']}}}, 'must be at least two points'),
    ({'bodies': {'coupler': {'points': ['P1', 'P2', 'A']}}}, 'needs where each is'),
    ({'bodies': {'coupler': {'inertia': 1.0}}}, 'bodies.coupler.centre_of_gravity: missing'),
    ({'bodies': {'coupler': {'centre_of_gravity': [1, 2], 'inertia': -1}}},
     'bodies.coupler.inertia: -1 must be >= 0'),
    ({'bodies': {'coupler': {'colour': 'red'}}}, 'bodies.coupler.colour: unknown key, expected'),
    ({'bodies': {'crank': {'points': ['A', 'B']}}}, 'A and B are both fixed'),
    ({'bodies': {'coupler': {'shape': {'kind': 'box', 'radius': 0.1}}}},
     "bodies.coupler.shape.kind: 'box': unknown kind of shape, expected one of capsule, disc"),
    ({'bodies': {'coupler': {'shape': {'kind': 'capsule', 'radius': 0.0}}}},
     'bodies.coupler.shape.radius: 0.0 must be > 0'),
    ({'bodies': {'coupler': {'shape': {'kind': 'disc', 'radius': 0.1, 'at': 'A'}}}},
     "bodies.coupler.shape.at: 'A': unknown point of the body, expected one of P1, P2"),
    ({'bodies': {'2nd': {}}}, 'bodies.2nd: a name has letters'),
    ({'sensors': {'left-knee': {}}}, 'sensors.left-knee: a name has letters, digits and _ only, '
     'no digit first; joint_name: left-knee is what messages call it'),
    ({'bodies': []}, 'bodies: [] must be a mapping'),
    ({'points': {'P3': {'start': [0, 0]}}}, 'points.P3: belongs to no body'),
    ({'points': {'P2': {'start': [0]}}}, 'points.P2.start: [0] must be two numbers'),
    ({'points': {'P2': {'start': [0, 'x']}}}, "points.P2.start[1]: 'x' names the unknown 'x'"),
    ({'points': {'P2': {'fixed': [0, 0]}}}, 'points.P2: must have either fixed'),
    ({'gravity': -9.81}, 'gravity: -9.81 must be two numbers [x, y]'),
    ({'coordinates': {'phi': {'kind': 'angel', 'body': 'rocker'}}},
     "coordinates.phi.kind: 'angel': unknown kind of coordinate, expected one of angle"),
    ({'drives': ['theta', 'motor']}, "drives[1]: 'motor': unknown coordinate, expected one of P1"),
    ({'drives': ['theta', 'theta']}, 'drives[1]: theta is there twice'),
    ({'drives': 'theta'}, "drives: 'theta' must be a list of names"),
    ({'coordinates': {'theta': {'kind': 'angle', 'body': 'rod'}}},
     "coordinates.theta.body: 'rod': unknown body, expected one of crank, coupler, rocker"),
    ({'independent': ['theta', 'P1.x']}, 'must be 1 name (5 coordinates - 4 constraints)'),
    ({'independent': []}, 'independent: [] must be at least one coordinate'),
    ({'independent': ['phi']}, "independent[0]: 'phi': unknown coordinate, expected one of P1.x"),
    ({'start': {'phi': 1.0}}, 'start.phi: not an independent coordinate, those are theta'),
    ({'start_velocity': {'theta': 'fast'}}, "start_velocity.theta: 'fast' names the unknown"),
    ({'sensor_groups': {'all': ['crank_encodr']}},
     "sensor_groups.all[0]: 'crank_encodr': unknown sensor, expected one of crank_encoder"),
    ({'sensors': {'crank_gyro': 3}}, 'sensors.crank_gyro: 3 must be a mapping'),
    ({'parameters': {'pi': 3}}, 'parameters.pi: pi is known already'),
    ({'parameters': {'a': 'b', 'b': 1}}, "parameters.a: 'b' names the unknown 'b'"),
    ({'masses': 1}, 'masses: unknown key, expected one of name'),
    ({'name': 3}, 'name: 3 must be a name of letters'),
]


@pytest.mark.parametrize(('override', 'message'), BAD, ids=[m for _, m in BAD])
def test_wrong_entries_are_reported(four_bar, override, message):
    with pytest.raises(MechanismError) as caught:
        four_bar.replace(**override)
    assert str(caught.value).startswith('four_bar.yaml: ')
    assert message in str(caught.value)


@pytest.mark.parametrize('key', ['name', 'points', 'bodies'])
def test_missing_entries_are_reported(key):
    raw, file = read_mechanism_file('four_bar')
    del raw[key]
    with pytest.raises(MechanismError, match=f'^four_bar.yaml: {key}: missing'):
        Mechanism(raw, file)


@pytest.mark.parametrize(('text', 'message'), [
    ('name: [1, 2', 'm.yaml: line 1, column 12: '),
    ('points: 1\nb: 2\nb: 3\n', "m.yaml: line 3, column 1: the key 'b' is there twice"),
    ('- 1', 'm.yaml: must be a mapping'),
    ('', 'm.yaml: must be a mapping'),
    ('a: !!python/object/apply:os.system [ls]', 'could not determine a constructor'),
    ('a: \x00', 'm.yaml: not readable as YAML'),
    ('[' * 3000, 'm.yaml: '),
    ('? [a, b]\n: 1', 'm.yaml: '),
    ('x' * 1_000_001, 'm.yaml: longer than')])
def test_malformed_yaml_is_reported_with_its_place(text, message):
    with pytest.raises(MechanismError) as caught:
        parse_mechanism(text, 'm.yaml')
    assert message in str(caught.value)


def test_yaml_truth_values_as_names_are_reported():
    raw = yaml.safe_load('points: {Y: {start: [0, 0]}, on: {start: [0, 0]}}')
    with pytest.raises(MechanismError, match='the key True must be a name'):
        Mechanism({'name': 'm', 'bodies': {}, 'independent': []} | raw, 'm.yaml')


@pytest.mark.parametrize(('name', 'message'), [
    ('six_bar', 'six_bar: unknown mechanism, expected one of andrews_squeezer'),
    ('/nowhere/six_bar.yaml', '/nowhere/six_bar.yaml: no such file'),
    ('', ': unknown mechanism')])
def test_unknown_mechanisms_are_reported(name, message):
    with pytest.raises(MechanismError) as caught:
        load_mechanism(name)
    assert message in str(caught.value)


def test_a_file_that_is_no_text_is_reported(tmp_path):
    file = tmp_path / 'm.yaml'
    file.write_bytes(b'\xff\xfe\x00\x01')
    with pytest.raises(MechanismError, match='not a text in UTF-8'):
        load_mechanism(file)
    with pytest.raises(MechanismError, match='cannot be read'):
        load_mechanism(tmp_path / '..' / tmp_path.name / 'm.yaml' / 'x.yaml')


def test_a_linkage_that_cannot_close_is_reported_with_what_is_missing(four_bar):
    # At pi/3 the distance from P1 to B is 9.165: 8 and 0.5 m of links leave 0.665 m open.
    with pytest.raises(AssemblyError) as caught:
        four_bar.replace(bodies={'rocker': {'length': 0.5}})
    message = str(caught.value)
    assert message.startswith('four_bar.yaml: cannot be assembled at theta = 1.047')
    assert 'm off' in message
    # The least squares share 9.165 - 8.5 among crank, coupler and rocker; the angle is kept.
    assert 0.2 < caught.value.residual < 0.666
    assert caught.value.nearest[4] == pytest.approx(np.pi / 3, abs=1e-3)
    assert np.hypot(*caught.value.nearest[2:4] - [10.0, 0.0]) == pytest.approx(0.5, abs=0.666)


def test_starts_between_two_ways_to_assemble_are_reported(four_bar):
    with pytest.raises(MechanismError, match='the starts do not say how to assemble'):
        four_bar.replace(points={'P1': {'start': [1.0, 1.7320508]}, 'P2': {'start': [10.0, 0.0]}})


def test_mechanisms_too_large_for_dense_storage_are_refused_there():
    points = {'A': {'fixed': [0, 0]}} | {f'P{k}': {'start': [k, 0]} for k in range(1, 201)}
    names = list(points)
    bodies = {f'b{k}': {'points': [names[k], names[k + 1]], 'length': 1.0, 'mass': 1.0}
              for k in range(200)}
    with pytest.raises(MechanismError, match='402 coordinates, at most 400 are possible'):
        Mechanism({'name': 'chain', 'points': points, 'bodies': bodies, 'independent': ['P1.x']},
                  'chain.yaml', 'dense')


def test_expressions_over_parameters_follow_overrides(four_bar):
    parametric = four_bar.replace(
        parameters={'crank': 2.0, 'half': 'crank / 2'},
        bodies={'crank': {'length': 'half * 2', 'mass': 'crank'}})
    np.testing.assert_allclose(parametric.q0, four_bar.q0, atol=1e-13)
    longer = parametric.replace(parameters={'crank': 2.5})
    assert longer.bodies['crank'].length == 2.5
    assert np.hypot(*longer.q0[:2]) == pytest.approx(2.5, abs=1e-12)
    assert longer.number('half * pi') == pytest.approx(1.25 * np.pi)


def made(source, file):
    """Return (mechanism, '') from a mapping or a text, or (None, message of the error)."""
    try:
        if isinstance(source, str):
            source, file = parse_mechanism(source, file)
        mechanism = Mechanism(source, file)
        assert mechanism.circuit is None or (mechanism.circuit.p0 > 0.0).all()
        return mechanism, ''
    except MechanismError as error:
        return None, str(error)


@pytest.mark.fuzz
@pytest.mark.parametrize(('name', 'part'), [('five_bar', None), ('crane', None),
                                            ('rod_array', 'repeat')])
@FUZZ
@given(data=st.data())
def test_no_mutilated_file_does_worse_than_a_mechanism_error(name, part, data):
    raw, file = read_mechanism_file(name)
    junk = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
                     st.lists(st.integers(), max_size=3), st.dictionaries(
                         st.text(max_size=3), st.integers(), max_size=2),
                     st.sampled_from(['A', 'P1', 'pi', '1/0', 'left_crank', '<i>', 'A<i', [], {}]))
    for _ in range(data.draw(st.integers(1, 3))):
        node = raw if part is None else raw[part]
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            deeper = isinstance(node[key], (dict, list)) and data.draw(st.integers(0, 3))
            if not deeper:
                if data.draw(st.booleans()) and isinstance(node, dict):
                    del node[key]
                else:
                    node[key] = data.draw(junk)
                break
            node = node[key]
    mechanism, message = made(raw, file)
    assert message.startswith(file) if mechanism is None else (
        mechanism.closing_error(mechanism.q0) < 1e-9)
    found = findings(raw, file)
    assert (found.mechanism is None) == bool(found.mistakes)
    assert all(mistake.startswith(f'{file}: ') for mistake in found.mistakes)
    if mechanism is None and 'hydraulics' not in message:
        assert message == found.mistakes[0]


KEYS = sorted({*definition('mechanism')['properties'], *definition('repetition')['properties'],
               *definition('body')['properties'], *definition('point')['properties'],
               'kind', 'body', 'along', 'A', 'B', 'b'})
NONSENSE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.sampled_from(
        ['A', 'B', 'b', 'angle', 'slider', 'pi / 2', '<i>', ''])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(
        st.sampled_from(KEYS), inner, max_size=4)), max_leaves=20)


@pytest.mark.fuzz
@FUZZ
@given(st.dictionaries(st.sampled_from(KEYS), NONSENSE))
def test_no_nonsense_does_worse_than_a_mechanism_error(raw):
    mechanism, message = made(raw, 'm.yaml')
    assert mechanism is None
    assert message.startswith('m.yaml: ')


@pytest.mark.fuzz
@FUZZ
@given(st.text(alphabet='abc: {}[]-\n"\'&*!%@#|>0123.,', max_size=60))
def test_no_text_does_worse_than_a_mechanism_error(text):
    mechanism, message = made(text, 'm.yaml')
    assert mechanism is None
    assert message.startswith('m.yaml: ')


def test_a_start_turns_ahead_of_the_points_keeps_its_turns(four_bar):
    turned = four_bar.replace(start={'theta': np.pi / 3 + 8 * np.pi})
    np.testing.assert_allclose(turned.q0[:4], four_bar.q0[:4], atol=1e-12)
    assert turned.z0[0] == np.pi / 3 + 8 * np.pi
