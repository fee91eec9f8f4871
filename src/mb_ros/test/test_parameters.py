"""Parameters made from settings: values, descriptors, refusals in the user's words."""

from dataclasses import dataclass

import pytest
from rclpy.parameter import Parameter

from mb_model import Settings, setting
from mb_ros.parameters import declare_settings


@dataclass(frozen=True)
class Example(Settings):
    psd: float = setting(0.1, unit='rad^2/s^3', above=0.0, help='Power spectral density')
    steps: int = setting(5, at_least=1, at_most=9, help='Passes')
    method: str = setting('fast', choices=('fast', 'exact'), help='Which way')
    strict: bool = setting(False, help='Whether to insist')
    names: tuple[str, ...] = setting((), help='Some names')
    weights: tuple[float, ...] = setting((1.0,), at_least=0.0, help='Some numbers')


@dataclass(frozen=True)
class Needy(Settings):
    file: str = setting(help='Which file to read')


def test_defaults(make_node):
    assert declare_settings(make_node(), Example) == Example()


def test_values_from_the_command_line(make_node):
    node = make_node('-p', 'filter.psd:=0.5', '-p', 'filter.steps:=7', '-p', 'filter.method:=exact',
                     '-p', 'filter.strict:=true', '-p', 'filter.names:=[a, b]',
                     '-p', 'filter.weights:=[1.0, 2.0]')
    assert declare_settings(node, Example, 'filter.') == Example(
        0.5, 7, 'exact', True, ('a', 'b'), (1.0, 2.0))


def test_other_defaults(make_node):
    assert declare_settings(make_node(), Example, defaults={'steps': 3}).steps == 3


def test_descriptors_have_unit_help_and_range(make_node):
    node = make_node()
    declare_settings(node, Example)
    psd, steps, method = node.describe_parameters(['psd', 'steps', 'method'])
    assert psd.description == 'Power spectral density [rad^2/s^3]'
    assert psd.additional_constraints == '> 0'
    assert psd.floating_point_range[0].from_value == 1e-30
    assert psd.floating_point_range[0].to_value == 1e30
    assert (steps.integer_range[0].from_value, steps.integer_range[0].to_value) == (1, 9)
    assert method.additional_constraints == 'one of fast, exact'


def test_settings_are_read_once_so_changes_are_refused(make_node):
    node = make_node('-p', 'steps:=3')
    declare_settings(node, Example)
    result = node.set_parameters([Parameter('steps', value=9)])[0]
    assert not result.successful
    assert 'read-only' in result.reason
    assert node.get_parameter('steps').value == 3


@pytest.mark.parametrize(('argument', 'words'), [
    ('psd:=0.0', ['psd: must be > 0', '0.0']),
    ('psd:=-1.0', ['psd: must be > 0', '-1.0']),
    ('psd:=much', ['psd', 'must be of type double']),
    ('method:=slow', ["method: 'slow' must be one of fast, exact"]),
    ('weights:=[1.0, -2.0]', ['weights: -2.0 must be >= 0']),
])
def test_refusals_name_parameter_value_and_expectation(make_node, argument, words):
    with pytest.raises(ValueError, match='must') as error:
        declare_settings(make_node('-p', argument), Example)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(('argument', 'problem'), [
    ('psd:="0.5 deg"',
     "psd: '0.5 deg' must be a number without a unit [rad^2/s^3]: write 0.00872664"),
    ('weights:=["2 mm", "1 m"]', "weights: '2 mm' must be a number without a unit: write 0.002"),
    ('steps:="3 s"', "steps: '3 s' must be a number without a unit: write 3")])
def test_a_number_with_a_unit_is_answered_with_what_to_write(make_node, argument, problem):
    with pytest.raises(ValueError, match='unit') as error:
        declare_settings(make_node('-p', argument), Example)
    assert str(error.value).startswith(problem)


def test_prefix_is_part_of_the_name_reported(make_node):
    with pytest.raises(ValueError, match=r"^filter\.method: 'slow' must be one of fast, exact"):
        declare_settings(make_node('-p', 'filter.method:=slow'), Example, 'filter.')


def test_a_missing_value_is_reported(make_node):
    with pytest.raises(ValueError, match=r'^file: missing; expected: Which file to read$'):
        declare_settings(make_node(), Needy)
