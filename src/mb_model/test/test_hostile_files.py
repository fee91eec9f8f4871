"""Mechanism files from anybody: names that stay names, errors of one class that reveal nothing."""

from copy import deepcopy
from pathlib import Path
import re
from time import process_time

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
import pytest
import rclpy
import yaml

from mb_interfaces import srv
from mb_model import MechanismError, load_mechanism
from mb_model.assembly.requirements import LARGEST
from mb_model.files.paths import user_path
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.file import parse_mechanism, read_mechanism_file
from mb_model.nodes.model_messages import not_finite
from mb_model.nodes.model_server import ModelServerNode
from mb_ros.node_bench import arguments_of

FUZZ = settings(deadline=None, suppress_health_check=list(HealthCheck))
SECRET = 'hunter2secret'
NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]{0,63}')
SHIPPED = {name: read_mechanism_file(name) for name in (
    'four_bar', 'four_bar_spring_damper', 'crane', 'three_rrr', 'slider_crank')}
PATHS = st.one_of(
    st.sampled_from(['../..', '/home/me/X', '..', '.', '~root', 'a/b', 'a\\b', 'a\n', '\0', '-rf',
                     'a' * 65, 'a' * 300, 'con:', 'a b', 'é', '', '$HOME', 'a;b', '%2e%2e']),
    st.text(max_size=12), st.from_regex(NAME, fullmatch=True))
HUGE = st.one_of(st.sampled_from(
    [1e-300, 5e-324, 1e300, -1e300, 1e308, 1e-30, 1e20, -1e-300, 10 ** 60, 10 ** 400, 10 ** 5000,
     float('inf'), float('nan'), '1e308 * 10', '1e-200 ** 2', '10 ** 400', '1/3e-308']),
    st.floats(), st.integers(), st.floats().map(repr))


def error_of(make, *arguments):
    """Return the words of the MechanismError that something raises, '' for none."""
    try:
        make(*arguments)
    except MechanismError as error:
        return str(error)
    return ''


def renamed(raw, key, old, new):
    """Return a mapping with another name for one of its entries."""
    return raw | {key: {new if name == old else name: value for name, value in raw[key].items()}}


@pytest.mark.fuzz
@FUZZ
@given(PATHS, st.sampled_from(['name', 'points', 'bodies', 'coordinates', 'sensors',
                               'sensor_groups', 'parameters', 'forces', 'constraints']))
def test_names_are_names(name, key):
    """They are in topics, in messages, and in the names of files."""
    raw, file = SHIPPED['four_bar']
    old = next(iter(raw[key])) if isinstance(raw.get(key), dict) else ''
    changed = raw | {'name': name} if key == 'name' else (
        renamed(raw, key, old, name) if old else raw | {key: {name: {}}})
    words = error_of(Mechanism, changed, file)
    assert words or NAME.fullmatch(name)
    if key == 'name':
        assert bool(words) == (not NAME.fullmatch(name))
    assert words.startswith(file) or not words


@pytest.mark.fuzz
@FUZZ
@given(st.lists(st.one_of(st.just(SECRET), st.text(max_size=6), st.sampled_from(
    [': ', '\n', '- ', '&', '*', '!', '!!int ', '!!timestamp ', '!!binary ', '? ', '[', ']', '{',
     '}', '"', "'", '\t', '|', '>', '%', '@', '`', '#', '<<: ', '--- ', 'key: ', 'name: ',
     'password: ', '2026-99-99 ', '0x', '1_0', ','])), max_size=12))
def test_errors_quote_nothing_of_a_file_that_is_no_mechanism(tmp_path_factory, parts):
    text = ''.join(parts)
    file = tmp_path_factory.getbasetemp() / 'foreign'
    file.write_text(text, encoding='utf-8', errors='replace')
    extending = file.with_name('m.yaml')
    extending.write_text(f'extends: {file}\n')
    for path in (file, extending):
        words = error_of(load_mechanism, str(path))
        assert words
        assert SECRET not in words


@pytest.mark.parametrize('path', ['/etc/passwd', '/etc/shadow', '/etc/hostname', '/dev/zero',
                                  '/dev/null', '/proc/self/environ', '/etc', '~nosuchuser/m.yaml',
                                  'a\0b.yaml', 'x' * 300, 'x' * 5000 + '.yaml'])
def test_files_of_the_machine_are_not_quoted(path, tmp_path):
    file = tmp_path / 'm.yaml'
    file.write_text(yaml.safe_dump({'extends': path}))
    for words in (error_of(load_mechanism, path), error_of(load_mechanism, file)):
        assert words
        if Path(user_path('/' if '\0' in path or '~' in path else path[:200])).is_file():
            lines = Path(path).read_bytes().decode(errors='replace').splitlines()[:1]
            assert all(line not in words for line in lines if line)


def paths_of(raw, path=()):
    """Yield the paths of all values of a mapping."""
    if isinstance(raw, dict):
        for key, value in raw.items():
            yield from paths_of(value, (*path, key))
    elif isinstance(raw, list):
        for k, value in enumerate(raw):
            yield from paths_of(value, (*path, k))
    else:
        yield path


@pytest.mark.fuzz
@pytest.mark.parametrize('name', ['four_bar_spring_damper', 'crane', 'three_rrr', 'slider_crank'])
@FUZZ
@given(data=st.data())
def test_no_number_does_worse_than_a_mechanism_error(name, data):
    raw, file = deepcopy(SHIPPED[name])
    numbers = [path for path in paths_of(raw) if path[0] not in (
        'name', 'description', 'sensors', 'sensor_groups')]
    for _ in range(data.draw(st.integers(1, 2))):
        *above, key = data.draw(st.sampled_from(numbers))
        entry = raw
        for one in above:
            entry = entry[one]
        entry[key] = data.draw(HUGE)
    words = error_of(lambda: Mechanism(raw, file).circuit)
    assert words.startswith(file) or not words
    assert len(words) < 5000


def test_numbers_beyond_all_machines_are_refused(four_bar):
    for value, words in ((1e-300, 'must be >= 1e-20'), (1e300, 'must be >= -1e+15 and <= 1e+15')):
        with pytest.raises(MechanismError, match='length') as caught:
            four_bar.replace(bodies={'coupler': {'length': value}})
        assert words in str(caught.value)


@pytest.mark.parametrize('text', ['a: !!int secret1', 'a: 2026-99-99', '*secret1', 'a: *secret1',
                                  'secret1: [', '!secret1 a', '{secret1: 1}',
                                  'secret1: 1\nsecret1: 2'])
def test_yaml_errors_have_a_place_and_no_content(text):
    words = error_of(parse_mechanism, text, 'm.yaml')
    assert words.startswith('m.yaml: ')
    assert 'secret1' not in words


def chain(count):
    points = {f'p{k}': {'start': [float(k), 0.0]} for k in range(1, count + 1)}
    points = {'p0': {'fixed': [0, 0]}} | points
    bodies = {f'b{k}': {'points': [f'p{k}', f'p{k + 1}'], 'length': 1.0, 'mass': 1.0}
              for k in range(count)}
    angles = {f'a{k}': {'kind': 'angle', 'body': f'b{k}'} for k in range(count)}
    return {'name': 'chain', 'points': points, 'bodies': bodies, 'coordinates': angles,
            'independent': list(angles)}


def with_parameters(count):
    raw, _ = read_mechanism_file('four_bar')
    return raw | {'parameters': {'a0': 1.0} | {f'a{k}': f'a{k - 1} + 1e-6'
                                               for k in range(1, count)}}


def with_sensors(count):
    raw, _ = read_mechanism_file('four_bar')
    return raw | {'sensors': {f's{k}': {'kind': 'angle_encoder', 'coordinate': 'theta',
                                        'sigma': 1e-3} for k in range(count)},
                  'sensor_groups': {'all': [f's{k}' for k in range(count)]}}


def test_large_mechanisms_must_name_their_degrees_of_freedom():
    """To choose them takes the third power of the number of coordinates."""
    raw = chain(400)
    del raw['independent']
    words = 'with 1200 coordinates and 800 constraints, 400 coordinates must be named'
    assert words in error_of(Mechanism, raw, 'm.yaml')


@pytest.mark.parametrize(('make', 'size'), [(chain, 100), (with_parameters, 1200),
                                            (with_sensors, 1000)])
def test_loading_takes_time_in_proportion_to_the_file(make, size):
    """Of the processor, the least of three: four times as much may not take ten times as long."""
    def least(raw):
        times = []
        for _ in range(3):
            begin = process_time()
            Mechanism(raw, 'm.yaml')
            times.append(process_time() - begin)
        return min(times)

    Mechanism(make(size), 'm.yaml')
    assert least(make(4 * size)) < 10.0 * least(make(size))


SERVICES = {'solve_position': 'SolvePosition', 'solve_velocity': 'SolveVelocity',
            'solve_acceleration': 'SolveAcceleration', 'forward_dynamics': 'ForwardDynamics',
            'inverse_dynamics': 'InverseDynamics', 'reactions': 'Reactions',
            'linearise': 'Linearise'}
MECHANISMS = 'four_bar', 'five_bar', 'crane', 'bricard', 'stewart'
NUMBERS = st.one_of(st.floats(-10.0, 10.0), st.floats(), st.sampled_from(
    [np.inf, -np.inf, np.nan, 1e308, -1e300, 5e-324, 1e17, LARGEST, 0.0]))


@pytest.fixture(scope='module', params=MECHANISMS)
def served(request):
    """(mechanism, {service: callback}) of a model server."""
    rclpy.init(args=arguments_of([f'mechanism:={request.param}']))
    node = ModelServerNode()
    yield node._mechanism, {service.srv_name.rpartition('/')[2]: service.callback
                            for service in node.services}
    node.destroy_node()
    rclpy.shutdown()


@pytest.mark.parametrize('service', SERVICES)
def test_no_success_with_numbers_that_are_not(served, service):
    mechanism, callbacks = served
    kind = getattr(srv, SERVICES[service])
    sizes = {'z': mechanism.g, 'zd': mechanism.g, 'zdd': mechanism.g, 'force': mechanism.g,
             'near': mechanism.n}
    fields = {name: size for name, size in sizes.items()
              if name in kind.Request.get_fields_and_field_types()}
    lists = {name: st.one_of(st.lists(NUMBERS, min_size=size, max_size=size),
                             st.lists(NUMBERS, max_size=size + 1))
             for name, size in fields.items()}

    @settings(deadline=None, max_examples=40)
    @given(request=st.fixed_dictionaries(lists))
    def attack(request):
        answer = callbacks[service](kind.Request(**request), kind.Response())
        assert not not_finite(answer)
        assert answer.success != bool(answer.message)
        if answer.success:
            assert all(np.isfinite(numbers).all() for numbers in request.values())
    attack()
    calm = {name: [0.0] * size for name, size in fields.items() if name not in ('z', 'near')}
    right = kind.Request(z=mechanism.q0[[mechanism.coordinates.index(name) for name in
                                         mechanism.independent]].tolist(), **calm)
    assert callbacks[service](right, kind.Response()).success      # it goes on
