"""The command line of a node beyond the contract: what is refused, and how files are matched."""
import contextlib
import tempfile

from hypothesis import given, strategies as st
import pytest
from rclpy.impl.arguments import parse_arguments
from rclpy.impl.parameter_files import matches


def _parse(*arguments):
    return parse_arguments(['program', '--ros-args', *arguments])


@pytest.mark.parametrize('rule', [
    'foo', ':=', 'foo:=', ':=bar', '__ns:=', '__node:=', '__node:=/foo/bar', '__ns:=foo',
    ':__node:=name', '~:__node:=name', '}foo:=/bar', 'f oo:=/bar', 'foo:=/b ar', 'f{oo:=/bar',
    'foo:=/b}ar', 'rostopic://:=rosservice', 'rostopic::=rosservice', '__node:=1st', 'a//b:=c',
    'a/:=c', 'a:=b/', 'a:=b:=c', 'a=b', 'long' * 30 + ' :=b'])
def test_wrong_remap_rules(rule):
    """What is no rule is refused; the text shows it."""
    with pytest.raises(RuntimeError) as caught:
        _parse('-r', rule)
    assert f"remap rule: '-r {rule}'" in str(caught.value)


@pytest.mark.parametrize(('rule', 'name', 'result'), [
    ('a:=b', '/ns/a', '/ns/b'), ('/a:=/b', '/a', '/b'), ('~/a:=~/b', '/ns/n/a', '/ns/n/b'),
    ('{node}/a:=b', '/ns/n/a', '/ns/b'), ('rostopic://a:=b', '/ns/a', '/ns/b'),
    ('rosservice://a:=b', '/ns/a', '/ns/a'), ('n:a:=b', '/ns/a', '/ns/b'),
    ('m:a:=b', '/ns/a', '/ns/a'), ('a:=b', '/other/a', '/other/a')])
def test_topic_rules(rule, name, result):
    """Rules are seen from node n in /ns."""
    assert _parse('-r', rule).remap_topic(name, 'n', '/ns') == result


@pytest.mark.parametrize(('pattern', 'node', 'fits'), [
    ('/**', '/n', True), ('/**', '/a/b/n', True), ('/*', '/n', True), ('/*', '/a/n', False),
    ('/a/*', '/a/n', True), ('/a/**', '/a/b/n', True), ('/**/n', '/n', True),
    ('/**/n', '/a/b/n', True), ('/**/n', '/a/m', False), ('n', '/n', True), ('n', '/a/n', False),
    ('/a/**/n', '/a/n', True), ('/a/*/n', '/a/n', False), ('/a.b', '/axb', False)])
def test_patterns_of_parameter_files(pattern, node, fits):
    assert matches(pattern, node) is fits


def test_nested_names_of_parameter_files(tmp_path):
    """Namespaces may be mappings; an empty section and an empty file are fine."""
    path = tmp_path / 'p.yaml'
    path.write_text('ns:\n  sub:\n    n:\n      ros__parameters: {x: 010, y: "yes", z: 1.}\n'
                    'other:\n  ros__parameters:\n')
    values = _parse('--params-file', str(path)).parameter_overrides('n', '/ns/sub')
    assert {name: p.value for name, p in values.items()} == {'x': 8, 'y': 'yes', 'z': 1.0}
    path.write_text('# nothing\n')
    assert _parse('--params-file', str(path)).parameter_overrides('n', '/') == {}


@pytest.mark.parametrize(('text', 'told'), [
    ('n:\n  ros__parameters:\n    a: [1, [2]]\n', 'at line 3'),
    ('n:\n  ros__parameters: 3\n', 'at line 2'),
    ('n: {a: [1}\n', 'line 1'),
    ('n:\n  ros__parameters:\n    a: 9223372036854775808\n', '64 bits')])
def test_wrong_parameter_files(tmp_path, text, told):
    """The text names the file and the line."""
    path = tmp_path / 'wrong.yaml'
    path.write_text(text)
    with pytest.raises(RuntimeError, match=f'wrong.yaml.*{told}'):
        _parse('--params-file', str(path))


@pytest.mark.parametrize('arguments', [
    ('-p', 'x'), ('-p', 'x:='), ('-p', ':=1'), ('-p', 'a:b:c:=1'), ('-p', 'x:={a: 1}'),
    ('--log-level', ':=debug'), ('--log-level', 'x:=loud'), ('-e', 'a b'), ('--params-file',)])
def test_other_wrong_arguments(arguments):
    with pytest.raises(RuntimeError) as caught:
        _parse(*arguments)
    assert arguments[-1] in str(caught.value)


def test_several_groups_of_ros_arguments():
    """--ros-args may come several times; what is outside belongs to the program."""
    arguments = parse_arguments(
        ['p', '--ros-args', '-r', 'a:=b', '--', 'x', '--ros-args', '-r', '__node:=n', '--', '--'])
    assert arguments.non_ros_arguments == ['p', 'x', '--']
    assert arguments.node_name('other') == 'n'
    assert arguments.remap_topic('/a', 'n', '/') == '/b'


PIECES = st.sampled_from(['a', ':=', ':', '/', '~', '*', '{', '}', '[', ']', ',', '-', '1', '.',
                          ' ', '\n', "'", '"', '&', '!', '?', '|', '%', '#', 'ros__parameters',
                          'é'])
TEXTS = st.lists(PIECES, max_size=12).map(''.join) | st.text(max_size=12)


@given(option=st.sampled_from(['-r', '-p', '-e', '--log-level']), text=TEXTS)
def test_any_argument_is_read_or_refused(option, text):
    """Whatever is given, the only exceptions are those a user may expect."""
    with contextlib.suppress(RuntimeError, UnicodeEncodeError):
        arguments = _parse(option, text)
        arguments.parameter_overrides('n', '/')
        arguments.remap_topic('/a', 'n', '/')


@given(text=TEXTS | st.lists(PIECES, max_size=40).map(''.join))
def test_any_parameter_file_is_read_or_refused(text):
    """The text of a file may be anything."""
    with tempfile.NamedTemporaryFile('w', encoding='utf-8', errors='replace') as file:
        file.write(text)
        file.flush()
        with contextlib.suppress(RuntimeError):
            _parse('--params-file', file.name).parameter_overrides('n', '/')
