"""Processes that look on: monitors, viewers, the recorder of the bag, and rviz with its view."""

from collections.abc import Mapping, Sequence
from math import pi
from pathlib import Path
import shutil
import sys
from typing import Any

from launch.actions import ExecuteProcess
from launch_ros.actions import Node
import numpy as np
import yaml

from mb_bringup.arguments import SHARE
from mb_evaluation.robot import in_world
from mb_evaluation.scene import extent
from mb_model import Mechanism
from mb_model.file_api import write_whole
from mb_ros.qos import DEEPEST

DISTANCE = 1.6              # of the camera, in the mechanism's size
FRONT, ABOVE = 0.25, 1.5    # pitch of the camera [rad]
YAW = 1.5 * pi              # x to the right
CALM = '15'             # wall time that a process has to end by itself: a bag is closed then [s]
NICENESS = '10'         # of onlookers: of 19, the nicest
QUEUE = {'history': 'keep_last', 'depth': DEEPEST, 'reliability': 'reliable',
         'durability': 'transient_local'}       # of a replayed stream
# Of a recorded one: a busy disk loses nothing.  Drivers of other makes may be volatile or best
# effort: the recorder asks for what is offered where it subscribes.
RECORDED_QUEUE = QUEUE | {'reliability': 'best_available', 'durability': 'best_available'}
STREAMS = (
    '/prototype/state', '/prototype/hydraulics', '/prototype/drive_torques', '/prototype/contacts',
    '/model_simulation/state', '/estimator/state', '/estimator/status', '/estimator/joint_states',
    '/estimator/hydraulics', '/payload_estimator/payload', '/contact_detector/contact',
    '/tool_scales/payload', '/tool_scales/edge')


def configuration_of(name: str, mechanism: Mechanism) -> str:
    """Return the configuration of a launch file, as text, with a view of a Mechanism."""
    configuration = yaml.safe_load((SHARE / 'rviz' / f'{name}.rviz').read_text())
    configuration['Visualization Manager']['Views']['Current'] |= view_of(mechanism)
    return yaml.safe_dump(configuration, sort_keys=False)


def view_of(mechanism: Mechanism) -> dict[str, Any]:
    """Return where rviz's camera looks to see a Mechanism: entries of its orbiting view."""
    size, least, greatest = extent(mechanism)
    focus = in_world(mechanism, 0.5 * (least + greatest))
    level = mechanism.dimension == 2 and not np.any(mechanism.gravity)
    size = max(size, float(np.linalg.norm(greatest - least)))
    return {'Distance': round(DISTANCE * size, 3),
            'Focal Point': dict(zip('XYZ', (round(float(k), 3) for k in focus), strict=True)),
            'Pitch': ABOVE if level else FRONT, 'Yaw': round(YAW, 3)}


def after_others() -> list[str]:
    """Return the words before a command that give other processes precedence."""
    nice = shutil.which('nice')
    return [nice, '-n', NICENESS] if nice else []


def recorder(folder: Path, readings: Sequence[str], before: Sequence[str] = ()) -> Any:
    """Return the process that records every topic.

    readings: topics of sensors, streams as well; before: words before the command.
    """
    queues = written_queues((*STREAMS, *(f'/{topic}' for topic in readings)),
                            folder / 'record_qos.yaml', RECORDED_QUEUE)
    return ExecuteProcess(
        name='bag', output='screen', sigterm_timeout=CALM,
        cmd=[*before, *with_launch(), *after_others(), ros2_command(), 'bag', 'record', '--all',
             '--output', str(folder / 'bag'), '--qos-profile-overrides-path', str(queues)])


def written_queues(topics: Sequence[str], path: Path,
                   queue: Mapping[str, object] = QUEUE) -> Path:
    """Write a file that gives topics a queue, as of streams; return its path."""
    write_whole(path, yaml.safe_dump({topic: dict(queue) for topic in topics}))
    return path


def with_launch():
    """Return the words before a command that let it end with `ros2 launch`, however that ends.

    A launched node of ours sees to it by itself.
    """
    setter = shutil.which('setpriv')
    return [setter, '--pdeathsig', 'TERM'] if setter else []


def ros2_command():
    """Return the path of the command `ros2`."""
    return shutil.which('ros2') or str(Path(sys.executable).with_name('ros2'))


def rviz(name: str, mechanism: Mechanism, folder: Path) -> Any:
    """Return rviz in front of a Mechanism, configured in a folder as for a launch file."""
    path = folder / f'{name}.rviz'
    write_whole(path, configuration_of(name, mechanism))
    return Node(package='rviz2', executable='rviz2', exec_name='rviz2', output='screen',
                arguments=['-d', str(path)],
                prefix=' '.join([*with_launch(), *after_others()]),
                parameters=[{'use_sim_time': True}])
