"""realtime:=true: the estimator in C++ in the place of the node, in every launch file.

mb_realtime is stood for by a program that notes how it was started.
"""

from importlib.util import module_from_spec, spec_from_file_location
import os
from pathlib import Path
import re
import shutil
import subprocess

from ament_index_python.packages import PackageNotFoundError
from launch import LaunchContext
from launch.utilities import perform_substitutions
from launch_ros.actions import Node
from launched_nodes import LAUNCH_FILES
import pytest
import yaml

from mb_bringup import real_time, real_time_check
from mb_bringup.real_time_check import check_real_time
from mb_estimators import command_api

MACHINE = 'three_simulation', 'crane_payload', 'excavator_weighing', 'parallel_robot_contact'


@pytest.fixture
def prefix(tmp_path, monkeypatch):
    """Return the prefix of a package mb_realtime whose estimator notes its words and ends."""
    prefix = tmp_path / 'prefix'
    index = prefix / 'share' / 'ament_index' / 'resource_index' / 'packages'
    program = prefix / 'lib' / 'mb_realtime' / 'estimator'
    for folder in (index, program.parent):
        folder.mkdir(parents=True)
    (index / 'mb_realtime').touch()
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\n'
                       f'for one; do [ -f "$one" ] && cat "$one" >> {tmp_path}/given; done\n'
                       'exit 3\n')
    program.chmod(0o755)
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'{prefix}:{os.environ["AMENT_PREFIX_PATH"]}')
    return prefix


def started(file, **given):
    """Ask a launch file for its processes, with all arguments at their defaults but some."""
    spec = spec_from_file_location(file, LAUNCH_FILES[file])
    module, context = module_from_spec(spec), LaunchContext()
    spec.loader.exec_module(module)
    context.launch_configurations.update(
        {name: one.default for name, one in module.ARGUMENTS.items()} | given)
    return module.start_everything(context)


@pytest.mark.parametrize('file', MACHINE)
def test_every_launch_file_starts_it_beside_the_others(file, prefix, tmp_path, monkeypatch):
    """With all parameters of the node, less what C does not do."""
    asked, made = [], []
    monkeypatch.setattr(command_api, 'component_parameters',
                        lambda values, folder: asked.append(values) or {'library': str(folder)})
    monkeypatch.setattr(real_time, 'Node', lambda **given: made.append(given) or Node(**given))
    actions = started(file, realtime='true', disturbed='0.1', results=str(tmp_path / 'results'))
    words = [perform_substitutions(LaunchContext(), word) for one in actions
             if isinstance(one, Node) for word in one.cmd]
    assert 'mb_estimators/estimator' not in words
    (parameters,), (own,) = asked, made
    assert (own['package'], own['executable'], own['name']) == (
        'mb_realtime', 'estimator', 'estimator')
    assert own['remappings']
    assert all(new == f'disturbed/{old}' for old, new in own['remappings'])
    assert parameters['restart'] is False
    assert parameters['stuck_after'] == 0
    assert {'mechanism', 'estimator', 'sensors', 'start_time'} <= parameters.keys()
    assert {value for name, value in parameters.items() if name.endswith('.gate')} == {'reject'}
    assert 'checkpoint' not in parameters


def test_a_detector_in_another_process_gets_every_estimate(prefix, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(command_api, 'component_parameters',
                        lambda values, folder: asked.append(values) or {'library': str(folder)})
    started('parallel_robot_contact', realtime='true', results=str(tmp_path / 'results'))
    assert asked[0]['publish_rate'] == 0.0


def test_what_is_not_there_is_said_before_anything_starts(tmp_path, monkeypatch):
    def absent(name):
        raise PackageNotFoundError(name)
    monkeypatch.setattr(real_time_check, 'get_package_prefix', absent)
    with pytest.raises(ValueError, match=r'realtime: true: the package mb_realtime is not installed'
                       '; expected a ROS 2 with rclcpp, .*, or realtime:=false'):
        started('three_simulation', realtime='true', results=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_package_without_the_component_is_not_enough(prefix):
    (prefix / 'lib' / 'mb_realtime' / 'estimator').unlink()
    with pytest.raises(ValueError, match='mb_realtime has no component'):
        check_real_time(respawn=False)


def test_it_cannot_come_back(prefix):
    with pytest.raises(ValueError, match=r'no estimator in C.* expected respawn:=false'):
        check_real_time(respawn=True)


@pytest.mark.skipif(not shutil.which('cc'), reason='no compiler of C')
def test_the_program_is_started_with_the_compiled_filter(prefix, tmp_path):
    """It fails, and the run ends with it, as with any node."""
    done = subprocess.run(
        ['ros2', 'launch', 'mb_bringup', 'three_simulation.launch.py', 'duration:=1.0',
         'sensors:=crank_encoder, coupler_gyro', 'realtime:=true', 'record:=false',
         f'results:={tmp_path / "results"}'], text=True, capture_output=True, timeout=300)
    assert done.returncode, done.stdout
    assert re.search(r'estimator\S* failed with exit code 3', done.stdout + done.stderr)
    words = (tmp_path / 'words').read_text().split()
    assert words[0] == '--ros-args'
    assert '__node:=estimator' in words
    parameters = yaml.safe_load((tmp_path / 'given').read_text())['/**']['ros__parameters']
    assert parameters['use_sim_time'] is True
    assert Path(parameters['library']).name == 'realtime_estimator_plugin.so'
    assert parameters['start_time'] == 1.0
