"""Nodes as words for a process of several, and what all processes of ours have in common."""

from collections.abc import Mapping, Sequence
import os
from typing import Any

from launch_ros.actions import Node

from mb_bringup.interrupted import before_node
from mb_bringup.onlookers import CALM
from mb_model.file_api import value_text
from mb_ros.program import LAUNCH


def part(package: str, executable: str, name: str, config: Sequence[Any],
         parameters: Mapping[str, Any], remappings: Sequence[tuple[str, str]] = ()) -> list[Any]:
    """Return the words that name a node and its parameters to compose; config: parameter files."""
    words = [f'{package}/{executable}', '--ros-args', '-r', f'__node:={name}']
    for topic, other in remappings:
        words += ['-r', f'{topic}:={other}']
    for file in config:
        words += ['--params-file', file]
    for key, value in parameters.items():
        words += ['-p', f'{key}:={value_text(value)}']
    return words


def programs(executable: str, parts: Sequence[Any], name: str, **options: Any) -> Any:
    """Return the process of nodes in one executor: `compose`, or `keep` that lets them come back.

    parts: of each node, as part() returns them; name: of the process; options: of launch's Node.
    """
    words = [word for part in parts for word in (*part, '--')]
    return Node(package='mb_ros', executable=executable, exec_name=name, arguments=words[:-1],
                **every_process(**options))


def every_process(prefix: str = '', **options: Any) -> Any:
    """Return options of launch's Node and the options of all ours: they end with this launch.

    prefix: words before the command.
    """
    return {'output': 'screen', 'sigterm_timeout': CALM,
            'prefix': ' '.join(filter(None, [*before_node(), prefix])),
            'additional_env': {LAUNCH: str(os.getpid())}, **options}
