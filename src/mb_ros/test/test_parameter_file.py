"""Parameter files read without ROS: what a node of rclpy gets out of the same files."""

from array import array
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest
import rclpy
from rclpy.node import Node

from mb_model import Settings, setting
from mb_model.file_api import (
    RECORDED,
    GivenParameters,
    read_parameters,
    sections_text,
    value_text,
    write_recorded,
)

SECTIONS = st.sampled_from(['estimator', '/estimator', '/**', 'other', '/robot/estimator', '/*'])
NAMES = st.sampled_from(['dt', 'filter.gate', 'filter.noise.alpha', 'sensors'])
LOOK_ALIKES = st.sampled_from([
    'y', 'n', 'on', 'True', '7', '017', '08', '0x1f', '0o17', '0b1', '1_000', '1:30', '1e3', '.5',
    '1.5e+3', '1e999', 'inf', '.inf', 'nan', 'Infinity', '0x1p3', '', ' ', '~', 'null', '=', '<<',
    '2026-11-23', '#', 'a: b', '- a', '*a', '!!str', 'two\nlines', ' a', 'é\x85\u2028\U0001f600',
    'long ' * 40])
NUMBERS = st.integers(-2 ** 63, 2 ** 63 - 1) | st.floats(allow_nan=False)
VALUES = (st.booleans() | NUMBERS | LOOK_ALIKES | st.lists(LOOK_ALIKES, min_size=1, max_size=3)
          | st.lists(st.floats(allow_nan=False), min_size=1, max_size=3)
          | st.lists(st.integers(-9, 9) | st.floats(allow_nan=False), min_size=1, max_size=3))
DOCUMENTS = st.lists(
    st.dictionaries(SECTIONS, st.dictionaries(NAMES, VALUES, min_size=1), min_size=1),
    min_size=1, max_size=3)


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """A folder for the files of all examples."""
    return tmp_path_factory.mktemp('parameters')


@pytest.fixture
def of_node():
    """Return what the node 'estimator' of rclpy gets from arguments."""

    def read(*words):
        context = rclpy.Context()
        rclpy.init(args=['--ros-args', *words], context=context)
        try:
            node = Node('estimator', context=context, start_parameter_services=False,
                        automatically_declare_parameters_from_overrides=True)
            found = {name: value.value for name, value in node.get_parameters_by_prefix('').items()
                     if name.split('.')[0] in ('dt', 'filter', 'sensors')}
            node.destroy_node()
        finally:
            rclpy.shutdown(context=context)
        return {name: list(value) if isinstance(value, (array, list, tuple)) else value
                for name, value in found.items() if value is not None}
    return read


def files_of(folder, texts):
    """Return files of these texts, and the arguments of a node that name them."""
    files, words = [], []
    for k, text in enumerate(texts):
        files.append(folder / f'{k}.yaml')
        files[-1].write_text(text, encoding='utf-8')
        words += ['--params-file', str(files[-1])]
    return files, words


def same(values):
    """Return values with their types, which == does not compare."""
    return {name: (value, [type(item) for item in value] if isinstance(value, list)
                   else type(value)) for name, value in values.items()}


@settings(max_examples=60, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DOCUMENTS)
def test_a_node_gets_the_same(folder, of_node, documents):
    files, words = files_of(folder, [
        sections_text({name: nested(values) for name, values in document.items()})
        for document in documents])
    assert same(read_parameters(files, 'estimator')) == same(of_node(*words))


# What a user may write, while what rcl refuses is no matter here.
HAND_WRITTEN = ['7', '"7"', '017', '08', '1e3', '.5', '1_000', '1:30', '.inf', '+.inf', 'on', 'Y',
                '~', 'null', '!!str 5', '!!float 5', '0x1p3', '1e999', '99999999999999999999',
                '[1, 2]', '[a, "1"]', '&a 5', '2026-11-23', '|-\n      5', 'a b']


@settings(max_examples=60, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(['estimator', '/estimator', '/**']),
                          st.sampled_from(HAND_WRITTEN)), min_size=1, max_size=4))
def test_a_node_gets_the_same_of_files_by_hand(folder, of_node, given_values):
    files, words = files_of(folder, [f'{section}:\n  ros__parameters:\n    dt: {value}\n'
                                     for section, value in given_values])
    assert same(read_parameters(files, 'estimator')) == same(of_node(*words))


@settings(max_examples=60, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VALUES)
def test_a_value_on_the_command_line_is_kept(of_node, value):
    """Numbers of one list are all floats where one is."""
    if isinstance(value, list) and float in map(type, value):
        value = [float(item) for item in value]
    assert same(of_node('-p', f'dt:={value_text(value)}')) == same({'dt': value})


def nested(values):
    """Return mappings in mappings for names with dots."""
    whole = {}
    for name, value in values.items():
        *path, last = name.split('.')
        place = whole
        for key in path:
            place = place.setdefault(key, {})
        place[last] = value
    return whole


def test_what_is_written_is_read(tmp_path):
    noise = [0.1, 0.2]
    values = {'dt': 0.01, 'filter.gate': 9.0, 'sensors': ['crank_encoder'], 'a': noise, 'b': noise}
    write_recorded({'estimator': {**values, 'none': []}, 'other': {'dt': 1.0}}, tmp_path)
    assert read_parameters([tmp_path / RECORDED], 'estimator') == values


def test_a_recorded_folder_can_be_moved(tmp_path, monkeypatch):
    """With the files in it that parameters name; others stay where they are."""
    there, elsewhere = tmp_path / 'there', tmp_path / 'my.yaml'
    there.mkdir()
    for file in (there / 'model.yaml', elsewhere):
        file.touch()
    values = {'mechanism': str(there / 'model.yaml'), 'cycle': './my.yaml', 'name': './crane',
              'missing': str(there / 'none.yaml')}
    monkeypatch.chdir(tmp_path)
    write_recorded({'estimator': values}, there)
    assert str(there / 'model.yaml') not in (there / RECORDED).read_text()
    moved = there.rename(tmp_path / 'moved')
    monkeypatch.chdir(moved)
    for file in (moved / RECORDED, RECORDED):
        assert read_parameters([file], 'estimator') == {
            **values, 'mechanism': str(moved / 'model.yaml'), 'cycle': str(elsewhere)}


@pytest.mark.parametrize('value', [2 ** 63, ['a', 1], [[1.0], [2.0]]])
def test_what_is_no_parameter_is_not_written(value):
    with pytest.raises(ValueError, match=r'64 bits|of one type'):
        value_text(value)


@dataclass(frozen=True)
class Example(Settings):
    file: str = setting(help='Which file to read')
    gate: float = setting(9.0, at_least=0.0, help='Where to close')


def test_settings_of_a_file_are_checked():
    given = GivenParameters({'filter.gate': 4, 'filter.file': 'a', 'gate': -1.0}, 'my.yaml')
    assert given.settings_of(Example, 'filter.') == Example('a', 4.0)
    assert given.settings_of(Example, 'other.', {'file': 'b'}) == Example('b', 9.0)
    with pytest.raises(ValueError, match=r'my\.yaml: file: missing'):
        given.settings_of(Example)
    with pytest.raises(ValueError, match=r'my\.yaml: gate: -1\.0 must be >= 0'):
        given.settings_of(Example, defaults={'file': 'b'})


@pytest.mark.parametrize(('text', 'message'), [
    ('[1, 2]', 'it must be a mapping down to ros__parameters'),
    ('estimator: 3', 'estimator must be a mapping down to'),
    ('estimator: {ros__parameters: 3}', 'estimator/ros__parameters must be a mapping'),
    ('estimator: {ros__parameters: {dt: &a 1, b: *a}}', 'line 1: ROS 2 takes no aliases'),
    ('estimator:\n  ros__parameters:\n    dt:\n', 'line 3: a value is missing'),
    ('estimator: {ros__parameters: {dt: [1, 2.0]}}', 'line 1: values of a list must be of one'),
    ('a: b: c', 'mapping values are not allowed')])
def test_files_that_are_none(tmp_path, text, message):
    (tmp_path / 'a.yaml').write_text(text)
    with pytest.raises(ValueError, match=message):
        read_parameters([tmp_path / 'a.yaml'], 'estimator')
