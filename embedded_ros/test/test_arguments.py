"""The command line of a node beyond the contract: what is refused, and how files are matched."""
import contextlib
import math
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


def _values(tmp_path, *texts, more=(), node='n', namespace='/'):
    """What a node gets from files of these texts."""
    words = []
    for number, text in enumerate(texts):
        path = tmp_path / f'{number}.yaml'
        path.write_text(text, encoding='utf-8')
        words += ['--params-file', str(path)]
    overrides = _parse(*words, *more).parameter_overrides(node, namespace)
    return {name: parameter.value for name, parameter in overrides.items()}


def test_nested_names_of_parameter_files(tmp_path):
    """Namespaces may be mappings, or stand in one name; a file may be empty."""
    text = 'ns:\n  sub:\n    n:\n      ros__parameters: {x: 010, y: "yes", z: {a: {b: 1.}}}\n'
    assert _values(tmp_path, text, namespace='/ns/sub') == {'x': 8, 'y': 'yes', 'z.a.b': 1.0}
    text = '/ns/sub/n: {ros__parameters: {x: 1}}\n'
    assert _values(tmp_path, text, namespace='/ns/sub') == {'x': 1}
    assert _values(tmp_path, '# nothing\n') == {}


@pytest.mark.parametrize(('text', 'value'), [
    ('on', True), ('Y', True), ('n', False), ('TRUE', True), ('tRue', 'tRue'), ('"on"', 'on'),
    ('7', 7), ('+7', 7), ('017', 15), ('08', 8.0), ('0x1F', 31), ('0o17', '0o17'),
    ('0b11', '0b11'), ('1_000', '1_000'), ('1:30', '1:30'), ('9223372036854775807', 2 ** 63 - 1),
    ('9223372036854775808', 2.0 ** 63), ('99999999999999999999', 1e20),
    ('1e3', 1000.0), ('.5', 0.5), ('5.', 5.0), ('1.0e-05', 1e-5), ('1e+16', 1e16), ('0x1p3', 8.0),
    ('1e999', '1e999'), ('1e-999', '1e-999'), ('5e-324', '5e-324'),
    ('.inf', float('inf')), ('-.INF', -float('inf')), ('+.inf', float('inf')),
    ('inf', float('inf')), ('Infinity', float('inf')), ('.iNf', '.iNf'),
    ('~', '~'), ('null', 'null'), ('=', '='), ('2026-11-23', '2026-11-23'),
    ('!!str 5', '5'), ('!!int "5"', '5'), ('!!float 5', 5), ('&anchor 5', 5),
    ('"a\\0b"', 'a'), ("''", ''), ('|-\n      5', 5), ('|\n      5\n', '5\n'),
    ('a\n      b', 'a b'),
    ('[1, 2]', [1, 2]), ('[1.0]', [1.0]), ('[!!str 1, a]', ['1', 'a']), ('[]', None),
    ('[[1, 2]]', [1, 2]), ('[1, [2]]', [2]), ('[[1], 2]', 2)])
def test_values_as_rcl_reads_them(tmp_path, text, value):
    """rcl goes by C's strtoll and strtod and by quotes, not by YAML's types."""
    for found in (_values(tmp_path, more=['-p', f'x:={text}']),
                  _values(tmp_path, f'n:\n  ros__parameters:\n    x: {text}\n')
                  if text != '[[1], 2]' else {'x': value}):
        assert found == {'x': value}
        assert type(found['x']) is type(value)


@pytest.mark.parametrize('text', ['nan', '.nan', '.NaN', '-nan', 'nan(1)'])
def test_no_number(tmp_path, text):
    assert math.isnan(_values(tmp_path, more=['-p', f'x:={text}'])['x'])


def test_a_value_replaces_one_of_its_own_type_alone(tmp_path):
    """Of several types the first of bool, int, float, str, lists counts, whatever came last."""
    def section(values):
        return f'n: {{ros__parameters: {values}}}\n'
    assert _values(tmp_path, section('{x: 7}'), section('{x: a}'), section('{x: 8}')) == {'x': 8}
    assert _values(tmp_path, section('{x: 7}'), section('{x: 0.5}')) == {'x': 7}
    assert _values(tmp_path, section('{x: [a]}'), section('{x: [1]}')) == {'x': [1]}
    assert _values(tmp_path, section('{x: [a]}'), section('{x: []}')) == {'x': ['a']}
    assert _values(tmp_path, section('{x: 7, x: a}'), more=['-p', 'n:x:=b']) == {'x': 7}


def test_nested_parameters_are_new_ones(tmp_path):
    """They do not keep what they were given before; -p reaches the first of them."""
    first, second = (f'/**: {{ros__parameters: {{f: {{x: {x}}}}}}}\n' for x in ('7', 'a'))
    assert _values(tmp_path, first, second) == {'f.x': 'a'}
    assert _values(tmp_path, first, more=['-p', 'f.x:=8']) == {'f.x': 8}
    assert _values(tmp_path, first, second, more=['-p', 'f.x:=8']) == {'f.x': 'a'}


def test_node_with_and_without_slash_are_two_sections(tmp_path):
    """They count in the order in which they came first."""
    plain, slash = 'n: {ros__parameters: {x: %d}}\n', '/n: {ros__parameters: {x: %d}}\n'
    assert _values(tmp_path, plain % 1, slash % 2, plain % 3) == {'x': 2}
    assert _values(tmp_path, slash % 1, plain % 2, slash % 3) == {'x': 2}


@pytest.mark.parametrize(('text', 'values'), [
    ('n: {ros__parameters: {x: 1}}\n---\nn: {ros__parameters: {y: 2}}\n', {'x': 1, 'y': 2}),
    ('n: {ros__parameters: {<<: {x: 1}}}\n', {'<<.x': 1}),
    ('n: {ros__parameters: {x: [{y: 1}]}}\n', {'x.y': [1]}),
    ('n: {ros__parameters_: {x: 1}}\n', {'x': 1}),
    ('n: {ros__parameters: {}}\n', {}), ('n: {}\n', {}), ('text\n', {})])
def test_unusual_parameter_files(tmp_path, text, values):
    assert _values(tmp_path, text) == values


@pytest.mark.parametrize(('text', 'message'), [
    ('n:\n  ros__parameters:\n    a: [[1], [2]]\n', 'at line 3'),
    ('n:\n  ros__parameters:\n    a: [1, 2.0]\n', 'one type.* at line 3'),
    ('n:\n  ros__parameters:\n    a: [{x: 1, y: 2}, {x: 3}]\n', 'at line 3'),
    ('n:\n  ros__parameters: 3\n', 'at line 2'),
    ('n:\n  ros__parameters:\n', 'at line 2'),
    ('n:\n  ros__parameters:\n    a:\n', 'no value at line 3'),
    ('n:\n  ros__parameters:\n    a: {}\n    b: 1\n', 'at line 4'),
    ('n:\n  ros__parameters: {a: &a 1, b: *a}\n', 'aliases .* at line 2'),
    ('my-node:\n  ros__parameters: {a: 1}\n', "'my-node' .* at line 2"),
    ('/ns: {/n: {ros__parameters: {a: 1}}}\n', 'at line 1'),
    ('ros__parameters: {a: 1}\n', 'without a node name'),
    ('n: {a: [1}\n', 'line 1')])
def test_wrong_parameter_files(tmp_path, text, message):
    """The text names the file and the line."""
    path = tmp_path / 'wrong.yaml'
    path.write_text(text)
    with pytest.raises(RuntimeError, match=f'wrong.yaml.*{message}'):
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
    """Whatever is given, the only exceptions are documented ones."""
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
