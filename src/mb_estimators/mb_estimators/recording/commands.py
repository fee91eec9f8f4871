"""Commands of valves from messages, of rclpy or of a bag that is read without ROS."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

TOPIC, COMMAND_TYPE = 'valve_command', 'mb_interfaces/msg/ValveCommand'


def valve_commands(valves: Sequence[str], message: Any) -> list[float]:
    """Return the commands (u) of valves by name in a ValveCommand.

    Raises ValueError for unknown and missing valves, and for commands that are not in -1..1.
    """
    given = dict(zip(message.valve, message.command, strict=False))
    if len(message.valve) != len(message.command) or set(given) != set(valves):
        raise ValueError(f'{TOPIC}: {len(message.command)} commands for '
                         f'{", ".join(message.valve) or "no valve"}, expected one for each of '
                         f'{", ".join(valves)}')
    for name, command in given.items():
        if not (isfinite(command) and -1.0 <= command <= 1.0):
            raise ValueError(f'{TOPIC}: {name}: {command} must be in -1..1')
    return [given[name] for name in valves]
