"""The Recording in a rosbag2 bag, read without a ROS process."""

from collections.abc import Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from mb_estimators.recording.recording import Recording
from mb_estimators.recording.result import Track
from mb_estimators.timeline import HeldInputs, inputs_class
from mb_model import Mechanism, comparable_motion
from mb_model.file_api import STATE_TYPE
from mb_sensors import Sensor, open_bag

COMMAND_TOPIC, COMMAND_TYPE = 'valve_command', 'mb_interfaces/msg/ValveCommand'
FORCES_TYPE = 'sensor_msgs/msg/JointState'


def valve_commands(valves: Sequence[str], message: Any) -> list[float]:
    """Return the commands (u) of valves by name in a ValveCommand.

    Raises ValueError for unknown and missing valves, and for commands that are not in -1..1.
    """
    given = dict(zip(message.valve, message.command, strict=False))
    if len(message.valve) != len(message.command) or set(given) != set(valves):
        raise ValueError(f'{COMMAND_TOPIC}: {len(message.command)} commands for '
                         f'{", ".join(message.valve) or "no valve"}, expected one for each of '
                         f'{", ".join(valves)}')
    for name, command in given.items():
        if not (isfinite(command) and -1.0 <= command <= 1.0):
            raise ValueError(f'{COMMAND_TOPIC}: {name}: {command} must be in -1..1')
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


TRUTH = '/prototype/state'
ARRAYS = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')      # of a state


def read_recording(folder: str | Path, sensors: Sequence[Sensor], truth: str | None = None,
                   valves: Sequence[str] = (), forces: str = '',
                   independent: Sequence[str] = (), mechanism: Mechanism | None = None,
                   torques_are: str = '') -> Recording:
    """Return the Recording of sensors (Sensor objects) in a bag, see mb_sensors' Bag.readings.

    truth: topic of the MechanismStates that hold the true motion; None: /prototype/state, if the
    bag has it.  valves: whose commands are the inputs, from the topic valve_command; commands that
    cannot be are left out.  forces: topic of known forces on the degrees of freedom `independent`,
    which are the inputs then; empty: none; torques_are: see inputs_class.  mechanism: that moves;
    without it orientations that are degrees of freedom are not known.  Raises OSError, ValueError.
    """
    with open_bag(folder, 'ValveCommand') as bag:
        stamps, readings = bag.readings(sensors)
        states = _states(bag, truth)
        inputs = None
        if valves:
            inputs = _inputs(bag, COMMAND_TOPIC, COMMAND_TYPE, partial(valve_commands, valves),
                             HeldInputs)
        elif forces:
            inputs = _inputs(bag, forces, FORCES_TYPE, partial(known_forces, independent),
                             inputs_class(forces, torques_are))
    track = _track(stamps, states, mechanism) if states else None
    return Recording(stamps, readings, track, inputs)


def _inputs(bag, name, kind, values_of, new):
    """Return the `new` inputs of a topic; as they are at rest where there are none."""
    inputs = new()
    for stamp, values in bag.of(bag.named(name, kind), values_of):
        inputs.add(stamp, values)
    return inputs


def _states(bag, topic):
    """Return the true states by stamp; none if none are asked for and none are there."""
    if topic is None and not bag.has(TRUTH):
        return {}
    return dict(bag.alike(bag.named(topic or TRUTH, STATE_TYPE), _form))


def _form(state):
    """Return what all states have in common."""
    return tuple(len(getattr(state, name)) for name in ARRAYS)


def _track(stamps, states, mechanism):
    """Return the true motion at the stamps, NaN where no state has exactly that stamp."""
    arrays = [np.full((len(stamps), size), np.nan) for size in _form(next(iter(states.values())))]
    for k, stamp in enumerate(stamps):
        if stamp in states:
            for name, values in zip(ARRAYS, arrays, strict=True):
                values[k] = getattr(states[stamp], name)
    if mechanism is None:
        z, zd, zdd, *_ = arrays
        return Track(z, zd, zdd)
    return Track(**vars(comparable_motion(mechanism, *arrays)))
