"""The command `ros2`: what it loads, and what it says of wrong arguments."""
import importlib
import subprocess
import sys

import pytest


def ros2(*words):
    return subprocess.run([sys.executable, '-m', 'ros2cli.main', *words], text=True, check=False,
                          capture_output=True)


@pytest.mark.parametrize('words', [('--help',), ('topic',), ('pkg', 'list'), ('bag', 'info', '-h')])
def test_short_commands_load_neither_dds_nor_numpy(words):
    """They answer at once."""
    program = (f'import sys; from ros2cli.main import main\ntry: main({list(words)!r})\n'
               'except SystemExit: pass\n'
               "print('LOADED', {'rclpy', 'numpy'} & set(sys.modules))")
    run = subprocess.run([sys.executable, '-c', program], text=True, check=True,
                         capture_output=True)
    assert run.stdout.endswith('LOADED set()\n')


@pytest.mark.parametrize(('words', 'message'), [
    (('nope',), "invalid choice: 'nope'"),
    (('topic', 'nope'), "invalid choice: 'nope'"),
    (('topic', 'pub', '-r', '0', '/x', 'std_msgs/msg/String'), "'0' must be a number from"),
    (('topic', 'list', '--spin-time', '-1'), "'-1' must be a number from 0 to"),
    (('bag', 'record', '-a', '--max-bag-size', '5'), 'not part of ros_tools: --max-bag-size'),
])
def test_usage_errors(words, message):
    """Exit code 2, the reason, no traceback."""
    run = ros2(*words)
    assert run.returncode == 2
    assert message in run.stderr
    assert 'Traceback' not in run.stderr


@pytest.mark.parametrize(('words', 'message'), [
    (('pkg', 'create', 'mine'), 'ros2 pkg create is not part of ros_tools'),
    (('doctor',), 'ros2 doctor is not part of ros_tools'),
    (('interface', 'show', 'std_msgs/msg/Nope'), 'Could not find the interface'),
    (('interface', 'package', 'nope_msgs'), "Unknown package 'nope_msgs'"),
    (('topic', 'pub', '/x', 'std_msgs/msg/String', '[1'), 'not valid YAML'),
    (('topic', 'echo', '/x', '--field', '.'), "Invalid field value '.'"),
])
def test_errors(words, message):
    """Exit code 1, the reason, no traceback."""
    run = ros2(*words)
    assert run.returncode == 1
    assert message in run.stderr
    assert 'Traceback' not in run.stderr


@pytest.mark.parametrize('name', [
    'launch.actions.ForLoop', 'launch.substitutions.AnonName', 'rosbag2_py.ReadOrder',
    'launch_ros.actions.ComposableNodeContainer', 'launch_testing.tools'])
def test_what_is_missing_is_named(name):
    """By whatever form of import."""
    module, _, what = name.rpartition('.')
    with pytest.raises(ImportError, match=f'{name} is not part of ros_tools'):
        exec(f'from {module} import {what}')
    with pytest.raises(ImportError, match=f'{name} is not part of ros_tools'):
        getattr(importlib.import_module(module), what)
