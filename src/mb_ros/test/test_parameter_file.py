"""Parameter files read without ROS: what a node of rclpy gets out of the same files."""

from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest
import rclpy
from rclpy.node import Node
import yaml

from mb_model.parameter_file import GivenParameters, read_parameters, write_parameters
from mb_model.settings import Settings, setting
from mb_ros.own_domain import own_domain

SECTIONS = st.sampled_from(['estimator', '/estimator', '/**', 'other', '/robot/estimator'])
NAMES = st.sampled_from(['dt', 'filter.gate', 'filter.noise.alpha', 'sensors'])
VALUES = st.sampled_from([0.5, 7, True, 'ukf', ['a', 'b']])
FILES = st.lists(st.dictionaries(SECTIONS, st.dictionaries(NAMES, VALUES, min_size=1), min_size=1),
                 min_size=1, max_size=3)


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """A folder for the files of all examples."""
    return tmp_path_factory.mktemp('parameters')


@settings(max_examples=40, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FILES)
def test_a_node_gets_the_same(folder, monkeypatch, documents):
    monkeypatch.setenv('ROS_DOMAIN_ID', str(own_domain()))
    paths = []
    for k, document in enumerate(documents):
        paths.append(folder / f'{k}.yaml')
        paths[-1].write_text(yaml.safe_dump(
            {name: {'ros__parameters': nested(values)} for name, values in document.items()}))
    context = rclpy.Context()
    rclpy.init(args=['--ros-args', *(word for path in paths
                                     for word in ('--params-file', str(path)))], context=context)
    try:
        node = Node('estimator', context=context, start_parameter_services=False,
                    automatically_declare_parameters_from_overrides=True)
        expected = {name: value.value for name, value in node.get_parameters_by_prefix('').items()
                    if name.split('.')[0] in ('dt', 'filter', 'sensors')}
        node.destroy_node()
    finally:
        rclpy.shutdown(context=context)
    assert read_parameters(paths, 'estimator') == expected


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
    values = {'dt': 0.01, 'filter.gate': 9.0, 'sensors': ['crank_encoder']}
    write_parameters({'estimator': values, 'other': {'dt': 1.0}}, tmp_path / 'all.yaml')
    assert read_parameters([tmp_path / 'all.yaml'], 'estimator') == values


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
    ('estimator: 3', '/estimator must be a mapping down to'),
    ('estimator: {ros__parameters: 3}', '/estimator/ros__parameters must be a mapping'),
    ('a: b: c', 'mapping values are not allowed')])
def test_files_that_are_none(tmp_path, text, message):
    (tmp_path / 'a.yaml').write_text(text)
    with pytest.raises(ValueError, match=message):
        read_parameters([tmp_path / 'a.yaml'], 'estimator')
