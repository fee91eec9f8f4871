"""Programs of nodes on the command line: --help, and words that are wrong."""

from importlib.metadata import entry_points
import os
import subprocess

from ament_index_python.packages import get_package_prefix
import pytest

from mb_ros.node_main import NodeMain
from mb_ros.program import main_of

NODES = {f'{entry.dist.name.replace("-", "_")}/{entry.name}': entry
         for entry in entry_points(group='console_scripts')
         if entry.value.startswith('mb_ros.program:node.')}


def program(name, monkeypatch, *words):
    """Return main() of a node, PACKAGE/NODE, with words on its command line."""
    monkeypatch.setattr('sys.argv', [f'/lib/{name}', *words])
    return main_of(NODES[name].attr.removeprefix('node.'))


@pytest.mark.core
@pytest.mark.parametrize('name', NODES)
@pytest.mark.parametrize('help_word', ['--help', '-h'])
def test_every_node_prints_its_usage_and_ends(name, help_word, monkeypatch, capsys):
    main = program(name, monkeypatch, help_word)
    assert main() == 0
    printed, err = capsys.readouterr()
    usage, *middle, parameters = printed.strip().split('\n\n')
    several = name in ('mb_ros/compose', 'mb_ros/keep')
    assert usage.startswith('usage: ros2 run ' + (
        'mb_ros compose|keep ' if several else f'{name.replace("/", " ")} [--ros-args [-p NAME:='))
    assert isinstance(main, NodeMain) != several
    assert several or main.description.startswith(middle[0].split('\n')[0])
    assert len(middle) == (0 if several else 1)
    assert 'docs/reference/nodes.md' in parameters
    assert err == ''


def test_drivers_of_one_module_differ(monkeypatch):
    said = [program(f'mb_sensors/{kind}_driver', monkeypatch).description
            for kind in ('sensor', 'encoder', 'imu')]
    assert len(set(said)) == 3
    assert said[1].startswith('The driver of encoders')


@pytest.mark.parametrize(('words', 'complaint'), [
    (['duration:=1'], 'duration:=1: expected --ros-args [-p NAME:=VALUE]'),
    (['--duraton', '1'], '--duraton: expected --ros-args'),
    (['--ros-args', '--parm', 'x'], "'--parm', 'x': expected --ros-args"),
    (['--ros-args', '-p', 'x'], "parse parameter override rule: '-p x'"),
    (['--ros-args', '--params-file', '/no.yaml'], "parse params file: '--params-file /no.yaml'")])
def test_wrong_words_end_in_one_line(words, complaint, monkeypatch, capsys):
    assert program('mb_model/model_server', monkeypatch, *words)() == 2
    printed, err = capsys.readouterr()
    assert printed == ''
    assert err.count('\n') == 1
    assert err.startswith('mb_model model_server: ')
    assert complaint in err
    assert '/src/' not in err       # of rcl


def test_wrong_words_of_a_composed_node_are_named_with_it(monkeypatch, capsys):
    assert program('mb_ros/compose', monkeypatch, 'mb_model/model_server', 'x:=1')() == 2
    assert capsys.readouterr().err.startswith('mb_model/model_server: x:=1: expected --ros-args')


def test_the_program_of_a_shell_ends(tmp_path):
    """With its own exit codes."""
    file = os.path.join(get_package_prefix('mb_model'), 'lib/mb_model/model_server')
    for words, code in (['--help'], 0), (['x'], 2):
        done = subprocess.run([file, *words], check=False, capture_output=True, text=True,
                              timeout=240, cwd=tmp_path)
        assert done.returncode == code, done.stderr
