"""Inputs of filters from messages, of rclpy or of a bag: commands of valves, known forces."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

TOPIC, COMMAND_TYPE = 'valve_command', 'mb_interfaces/msg/ValveCommand'
FORCES_TYPE = 'sensor_msgs/msg/JointState'


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


def known_forces(independent: Sequence[str], message: Any) -> list[float]:
    """Return the forces on degrees of freedom by name (g) in a JointState with efforts.

    They are zero where it names none.  Raises ValueError for unknown names, and for
    forces that are not finite.
    """
    given = dict(zip(message.name, message.effort, strict=False))
    if len(message.name) != len(message.effort) or not given.keys() <= set(independent):
        raise ValueError(f'known forces: {len(message.effort)} efforts of '
                         f'{", ".join(message.name) or "nothing"}, expected one each of '
                         f'{", ".join(independent)}')
    for name, force in given.items():
        if not isfinite(force):
            raise ValueError(f'known forces: {name}: {force} must be finite')
    return [float(given.get(name, 0.0)) for name in independent]
