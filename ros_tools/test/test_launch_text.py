"""Texts of launch files: substitutions, command lines, typed values, the two frontends."""
import io
import re

from hypothesis import given, strategies as st
from launch import LaunchContext, LaunchDescription, LaunchService
from launch.actions import ExecuteProcess, GroupAction
from launch.frontend import Parser
from launch.frontend.parse_substitution import parse_substitution
from launch.utilities import perform_substitutions
from launch.utilities.type_utils import (
    coerce_to_type,
    get_typed_value,
    normalize_typed_substitution,
    perform_typed_substitution,
)
import pytest
import yaml


def performed(text, **configurations):
    context = LaunchContext()
    context.launch_configurations.update(configurations)
    return perform_substitutions(context, parse_substitution(text))


@pytest.mark.parametrize(('text', 'expected'), [
    ('plain $0 (text)', 'plain $0 (text)'),
    ('a_$(var x)_b$(var y)', 'a_1_b2'),
    (r'\$(var x) \\', r'$(var x) \ '.strip()),
    ('$(var $(var name))', '1'),
    ("$(var nothing 'a b')", 'a b'),
    ('$(var nothing "a $(var x) b")', 'a 1 b'),
    ("$(var nothing '')", ''),
    ("$(eval '$(var x) + 1')", '2'),
    (r"""$(eval "'$(var x)' == \"1\"")""", 'True'),
    ('$(eval "$(var x) < $(var y) and 5")', '5'),
    ('$(if $(not false) yes no)', 'yes'),
    ('$(and true $(or false true))', 'true'),
])
def test_substitution(text, expected):
    assert performed(text, x='1', y='2', name='x') == expected


@pytest.mark.parametrize('text', ['$(var x', '$(', '$()', "$(var 'x)", '$(no_such_thing x)',
                                  '$(dirname too many)'])
def test_broken_substitution(text):
    with pytest.raises((ValueError, RuntimeError, TypeError)):
        parse_substitution(text)


@given(st.text())
def test_escaped_text_is_kept(text):
    escaped = ''.join('\\' + char if char in '\\$' else char for char in text)
    assert performed(escaped) == text


class TextParser:
    parse_substitution = staticmethod(parse_substitution)


@pytest.mark.parametrize(('line', 'words'), [
    ('a b  c ', ['a', 'b', 'c']),
    ('$(var x)/a $(var y)', ['1/a', '2']),
    ('$(var x)$(var y)', ['12']),
    ("""-c 'x $(var x) y' "" end""", ['-c', 'x 1 y', '', 'end']),
])
def test_command_line(line, words):
    context = LaunchContext()
    context.launch_configurations.update(x='1', y='2')
    arguments = ExecuteProcess._parse_cmdline(line, TextParser())
    assert [perform_substitutions(context, argument) for argument in arguments] == words


@given(st.one_of(st.integers(), st.booleans(), st.floats(allow_nan=False)))
def test_value_survives_yaml(value):
    text = yaml.safe_dump(value).removesuffix('...\n').strip()
    assert coerce_to_type(text) == value
    assert type(coerce_to_type(text)) is type(value)
    assert coerce_to_type(text, type(value)) == value


def test_values_that_do_not_fit():
    for text, kind in (('1.5', int), ('word', float), ('2', bool), ('[1, 2.0]', list[float]),
                       ('1', list[int]), ('{a: 1}', None), ('[1, word]', None)):
        with pytest.raises(ValueError, match=re.escape(text)):
            get_typed_value(text, kind)
    assert get_typed_value('1e3', float) == 1000.0      # no number in YAML 1.1
    assert get_typed_value('[1, word]', None, True) == [1, 'word']


def test_typed_list_of_texts_and_substitutions():
    context = LaunchContext()
    value = normalize_typed_substitution([1, parse_substitution('$(eval 1+1)')], list[int])
    assert perform_typed_substitution(context, value, list[int]) == [1, 2]
    with pytest.raises(TypeError):
        normalize_typed_substitution([1, 'a'], list[int])


XML = """
<launch>
  <arg name="n" default="2"><choice value="2"/><choice value="3"/></arg>
  <let name="word" value="a b"/>
  <group scoped="false" if="$(equals $(var n) 2)">
    <executable cmd="sh -c 'echo $$TEXT $(var n)'" output="screen" log_cmd="false">
      <env name="TEXT" value="$(var word)"/>
    </executable>
  </group>
  <log message="early"/>
</launch>
"""
YAML = """
launch:
- arg: {name: n, default: '2', choice: [{value: '2'}, {value: '3'}]}
- let: {name: word, value: a b}
- group:
    scoped: false
    if: $(equals $(var n) 2)
    children:
    - executable:
        cmd: sh -c 'echo $$TEXT $(var n)'
        output: screen
        log_cmd: false
        env: [{name: TEXT, value: $(var word)}]
- log: {message: early}
"""


@pytest.mark.parametrize('text', [XML, YAML], ids=['xml', 'yaml'])
def test_frontends_agree(text, capsys):
    """The same launch file in both languages does the same."""
    root, parser = Parser.load(io.StringIO(text.replace('$$', r'\$')))
    description = parser.parse_description(root)
    assert [argument.name for argument in description.get_launch_arguments()] == ['n']
    service = LaunchService()
    service.include_launch_description(LaunchDescription([GroupAction([description])]))
    assert service.run() == 0
    output = capsys.readouterr().out
    for line in ('] a b 2', ': early'):
        assert line + '\n' in output


@pytest.mark.parametrize(('text', 'complaint'), [
    ('<launch><log mesage="x"/></launch>', 'message'),
    ('<launch><log message="x" level="high"/></launch>', 'level'),
    ('<launch><nothing/></launch>', 'nothing'),
    ('launch: [log: {message: x, level: high}]', 'level'),
    ('launch: [timer: {period: 1.0, children: []}]', 'timer (or not part of ros_tools)'),
    ('launch: [log: {message: x}, unknown: {}]', 'unknown'),
])
def test_errors_name_what_is_wrong(text, complaint, capsys):
    assert complaint in error_of(text) + capsys.readouterr().out


def error_of(text):
    """Load and run; return the error's text, '' if it is in the log of the launch."""
    try:
        root, parser = Parser.load(io.StringIO(text))
        description = parser.parse_description(root)
    except Exception as error:
        return str(error)
    service = LaunchService()
    service.include_launch_description(description)
    assert service.run() == 1
    return ''
