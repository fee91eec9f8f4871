"""The three-simulation method: prototype, uncorrected model and observer, side by side.

    ros2 launch mb_bringup three_simulation.launch.py mechanism:=five_bar duration:=5.0

The prototype gives truth and time, drivers turn the truth into readings, the estimator corrects a
deliberately wrong model with them, and the accuracy monitor ends the run with a report.
"""

from math import pi
import os
from pathlib import Path
import shutil
import sys
from tempfile import gettempdir

from ament_index_python.packages import (
    PackageNotFoundError,
    get_package_prefix,
    get_package_share_directory,
)
from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    EmitEvent,
    ExecuteProcess,
    OpaqueFunction,
    RegisterEventHandler,
    TimerAction,
)
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from mb_bringup.prototypes import ENGINES
from mb_bringup.results import new_folder
from mb_bringup.sensor_nodes import SOURCES, sensor_nodes
from mb_estimators.plugins import available_filters
from mb_model import load_mechanism
from mb_sensors import sensors_of

ARGUMENTS = {
    'mechanism': ('four_bar', 'Name of a mechanism or path of its file'),
    'estimator': ('error_ekf', 'Filter that corrects the model'),
    'sensors': ('', 'Sensors or sensor groups of the mechanism, as "[a, b]" or "a, b"; '
                'empty: all its angle encoders'),
    'sources': ('simulated', 'Where readings come from; emulated: devices on a CAN bus and serial '
                'lines, each a process that takes the truth'),
    'prototype': ('mujoco', 'Simulator that gives the truth'),
    'duration': ('10.0', 'Simulated time [s]'),
    'real_time_factor': ('1.0', 'Simulated over wall time'),
    'publish_rate': ('200.0', 'States of prototype and model per simulated second [Hz]'),
    'seed': ('0', 'Seed of the sensor noise'),
    'gravity_error': ('-1.0', "What is added to the magnitude of the model's gravity [m/s^2]"),
    'start_error': (repr(pi / 16), 'What is added to each degree of freedom of the model at the '
                    'start [rad or m]'),
    'config': ('', 'Parameters of nodes: a file, or the name of one in mb_bringup/config; '
               'empty: <mechanism>, if there is one of that name'),
    'results': ('results', 'Folder in which the folder of this run is made'),
    'record': ('true', 'Record every topic into a bag beside the report'),
    'rviz': ('false', 'Show the three mechanisms in rviz'),
}
CHOICES = {'estimator': available_filters(), 'prototype': ENGINES, 'record': ('true', 'false'),
           'rviz': ('true', 'false'), 'sources': SOURCES}
START_TIME = 1.0        # stamp of the first state [s]; zero means "not set" to ROS
PATIENCE = 2.0          # wall time that the estimator waits for a driver that is behind [s]
GRACE = 2.0             # wall time between a failure and the end of all [s]
SHARE = Path(get_package_share_directory('mb_bringup'))


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description,
                              choices=list(CHOICES[name]) if name in CHOICES else None)
        for name, (default, description) in ARGUMENTS.items()]
    return LaunchDescription([*declared, OpaqueFunction(function=start_everything)])


def start_everything(context):
    """Return the processes of one run, and what ends it."""
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    mechanism = load_mechanism(given['mechanism'])
    sensors = chosen_sensors(mechanism, given['sensors'])
    common = {'mechanism': given['mechanism'], 'start_time': START_TIME}
    pace = {'duration': number(given, 'duration'), 'publish_rate': number(given, 'publish_rate'),
            'real_time_factor': number(given, 'real_time_factor')}
    errors = {'model_errors.gravity': number(given, 'gravity_error'),
              'model_errors.z0': number(given, 'start_error')}
    seed = number(given, 'seed', int)
    config = config_files(mechanism, given['config'])

    def node(package, executable, parameters, **options):
        return Node(package=package, executable=executable, parameters=[*config, parameters],
                    **{'name': executable, 'output': 'screen', **options})

    def follower(package, executable, parameters, **options):
        return node(package, executable, {**common, **parameters, 'use_sim_time': True}, **options)

    drivers, emulators = sensor_nodes(
        sensors, seed, given['sources'], f'{gettempdir()}/mb_{os.getpid()}',
        int(os.environ.get('ROS_DOMAIN_ID', '0')))
    shown = ([follower('mb_bringup', 'markers', {}), viewer()] if given['rviz'] == 'true' else [])
    folder = new_folder(given['results'])       # last: wrong arguments leave nothing behind
    names = [sensor.name for sensor in sensors]
    monitor = node(
        'mb_bringup', 'accuracy_monitor',
        {**common, **pace, **errors, 'estimator': given['estimator'],
         'sensors': names, 'engine': given['prototype'], 'seed': seed, 'folder': str(folder)},
        output_format='{line}', emulate_tty=sys.stdout.isatty())
    others = [
        follower('mb_model', 'model_simulation',
                 {**errors, 'publish_rate': pace['publish_rate']}),
        follower('mb_estimators', 'estimator',
                 {**errors, 'estimator': given['estimator'], 'sensors': names,
                  'reorder_window': PATIENCE * pace['real_time_factor']}),
        *(follower('mb_sensors', one.executable, one.parameters, name=one.name)
          for one in (*emulators, *drivers))]
    awaited = ['/accuracy_monitor', '/model_simulation', '/estimator',
               *(f'/{one.name}' for one in (*emulators, *drivers))]
    others += shown
    if given['record'] == 'true':
        others.append(recorder(folder))
        awaited.append('/rosbag2_recorder')
    prototype = node('mb_bringup', 'prototype', {
        **common, **pace, 'engine': given['prototype'], 'wait_for_nodes': awaited})
    processes = [monitor, *others, prototype]
    return [*(end_with(process, always=process is monitor) for process in processes), *processes]


def chosen_sensors(mechanism, text):
    """Return the Sensors that are named in a text, or all angle encoders of the mechanism."""
    names = [name.strip() for name in text.strip('[ ]').split(',') if name.strip()]
    if names:
        return sensors_of(mechanism, names)
    encoders = [sensor for sensor in sensors_of(mechanism, list(mechanism.sensors))
                if sensor.kind == 'angle_encoder']
    if not encoders:
        raise ValueError(f'sensors: {mechanism.name} has no angle encoder, choose from '
                         f'{", ".join(mechanism.sensors)}')
    return encoders


def config_files(mechanism, given):
    """Return the parameter files: that of a path or name, or that of the mechanism if it has one.

    Raises ValueError if there is no such file.
    """
    path = Path(given)
    named = SHARE / 'config' / f'{given or mechanism.name}.yaml'
    if given and path.is_file():
        return [str(path)]
    if given and not named.is_file():
        names = sorted(file.stem for file in named.parent.glob(f'{mechanism.name}*.yaml'))
        raise ValueError(f'config: {given}: no such file, nor one of {", ".join(names)}')
    return [str(named)] if named.is_file() else []


def number(given, name, kind=float):
    """Return the value of an argument as a number."""
    try:
        return kind(given[name])
    except ValueError:
        wanted = 'a whole number' if kind is int else 'a number'
        raise ValueError(f'{name}: {given[name]!r} must be {wanted}') from None


def recorder(folder):
    """Return the process that records every topic, with queues as long as those of the streams."""
    ros2 = shutil.which('ros2') or str(Path(sys.executable).with_name('ros2'))
    return ExecuteProcess(
        name='bag', output='screen',
        cmd=[ros2, 'bag', 'record', '--all', '--output', str(folder / 'bag'),
             '--qos-profile-overrides-path', str(SHARE / 'config' / 'record_qos.yaml')])


def viewer():
    """Return rviz, showing the three mechanisms; raises ValueError where there is none."""
    try:
        get_package_prefix('rviz2')
    except PackageNotFoundError:
        raise ValueError('rviz: rviz2 is not installed here; other viewers can show what '
                         '`ros2 run mb_bringup markers` publishes') from None
    return Node(package='rviz2', executable='rviz2', output='screen',
                arguments=['-d', str(SHARE / 'rviz' / 'three_simulation.rviz')])


def end_with(process, always):
    """End the run when a process ends: always, or only if it failed."""
    def ended(event, context):
        if context.is_shutdown or not (always or event.returncode):
            return None
        if event.returncode:
            # Others may be starting still: interrupted then, they bury the error in tracebacks.
            end = EmitEvent(event=Shutdown(reason=f'{event.process_name} failed'))
            return TimerAction(period=GRACE, actions=[end])
        return EmitEvent(event=Shutdown(reason='the run is over'))
    return RegisterEventHandler(OnProcessExit(target_action=process, on_exit=ended))
