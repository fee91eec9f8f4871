"""The readings in a rosbag2 bag: recorded at once, or fed to an estimator in their order."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from mb_estimators.recording.recording import Recording, Track
from mb_estimators.stream import EstimateStream, Step
from mb_estimators.timeline import HeldInputs, inputs_class
from mb_model import Mechanism
from mb_model.arrays import IntArray
from mb_model.file_api import STATE_TYPE
from mb_sensors import Sensor, by_topic, open_bag

COMMAND_TOPIC, COMMAND_TYPE = 'valve_command', 'mb_interfaces/msg/ValveCommand'
FORCES_TYPE = 'sensor_msgs/msg/JointState'


def _valve_commands(valves: Sequence[str], message: Any) -> list[float]:
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


def _known_forces(independent: Sequence[str], message: Any) -> list[float]:
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


class InputTopic(NamedTuple):
    """A topic with the inputs of a filter, live or in a bag.

    values: returns the inputs (u) in a message; raises ValueError; inputs: how they act over time.
    """

    name: str
    message_type: str
    values: Callable[[Any], list[float]]
    inputs: type[HeldInputs]


def input_topic(mechanism: Mechanism, takes_commands: bool, known_forces: str = '',
                torques_are: str = '') -> InputTopic | None:
    """Return the InputTopic of a filter, None for one without inputs.

    takes_commands: whether its inputs are commands of valves; known_forces: topic of forces on
    degrees of freedom, which are its inputs else; empty: none; torques_are: see inputs_class.
    """
    if takes_commands:
        return InputTopic(COMMAND_TOPIC, COMMAND_TYPE, partial(
            _valve_commands, mechanism.circuit.valves), HeldInputs) if mechanism.circuit else None
    return InputTopic(known_forces, FORCES_TYPE, partial(_known_forces, mechanism.independent),
                      inputs_class(known_forces, torques_are)) if known_forces else None


TRUTH = '/prototype/state'
ARRAYS = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')      # of a state


def read_recording(folder: str | Path, sensors: Sequence[Sensor], truth: str | None = None,
                   inputs: InputTopic | None = None,
                   mechanism: Mechanism | None = None) -> Recording:
    """Return the Recording of sensors (Sensor objects) in a bag, see mb_sensors' Bag.readings.

    truth: topic of the MechanismStates that hold the true motion; None: /prototype/state, if the
    bag has it.  inputs: topic of the filter's inputs, see `input_topic`; ones that cannot be are
    left out.  mechanism: that moves; without it orientations that are degrees of freedom are not
    known.  Raises OSError, ValueError.
    """
    with open_bag(folder, 'ValveCommand') as bag:
        stamps, readings = bag.readings(sensors)
        states = _states(bag, truth)
        held = inputs and _inputs(bag, inputs)
    track = _track(stamps, states, mechanism) if states else None
    return Recording(stamps, readings, track, held)


def _inputs(bag: Any, topic: InputTopic) -> HeldInputs:
    """Return the inputs of a topic; as they are at rest where there are none."""
    inputs = topic.inputs()
    for stamp, values in bag.of(bag.named(topic.name, topic.message_type), topic.values):
        inputs.add(stamp, values)
    return inputs


def _states(bag: Any, topic: str | None) -> dict[int, Any]:
    """Return the true states by stamp; none if none are asked for and none are there."""
    if topic is None and not bag.has(TRUTH):
        return {}
    return dict(bag.alike(bag.named(topic or TRUTH, STATE_TYPE), _form))


def _form(state: Any) -> tuple[int, ...]:
    """Return what all states have in common."""
    return tuple(len(getattr(state, name)) for name in ARRAYS)


def _track(stamps: IntArray, states: dict[int, Any], mechanism: Mechanism | None) -> Track:
    """Return the true motion at the stamps, NaN where no state has exactly that stamp."""
    arrays = [np.full((len(stamps), size), np.nan) for size in _form(next(iter(states.values())))]
    for k, stamp in enumerate(stamps):
        if stamp in states:
            for name, values in zip(ARRAYS, arrays, strict=True):
                values[k] = getattr(states[stamp], name)
    if mechanism is None:
        z, zd, zdd, *_ = arrays
        return Track(z, zd, zdd)
    return Track.of(mechanism, *arrays)


class Replayed(Protocol):
    """What readings are fed to: an EstimatorSetup."""

    sensors: tuple[Sensor, ...]
    stream: EstimateStream
    input_topic: InputTopic | None


def replay(bag: Any, setup: Replayed,
        report: Callable[[str], object] = lambda problem: None) -> Iterator[tuple[int, list[Step]]]:
    """Yield (arrival [ns], Steps) of every message in a Bag that completes some.

    setup: EstimatorSetup; report: called with problems of inputs, and sensors without a reading.
    The estimates equal the estimates of a node that got the same messages, bit by bit.  Raises
    ValueError.
    """
    topics = by_topic(setup.sensors)
    takers: dict[str, Callable[[int, Any], list[Step]]] = {
        bag.named(name, topic.message_type): partial(_take_readings, setup, topic)
        for name, topic in topics.items()}
    if inputs := setup.input_topic:
        takers[bag.named(inputs.name, inputs.message_type)] = partial(
            _take_inputs, setup, inputs, report)
    for topic, arrival, stamp, message in bag.arrivals(takers):
        steps = takers[topic](stamp, message)
        if steps:
            yield arrival, steps
    for one in topics.values():
        if one.missing:
            report(one.missing)


def _take_readings(setup: Replayed, topic: Any, stamp: int, message: Any) -> list[Step]:
    return setup.stream.add_all(stamp, topic.readings(message))


def _take_inputs(setup: Replayed, topic: InputTopic, report: Callable[[str], object], stamp: int,
                 message: Any) -> list[Step]:
    try:
        values = topic.values(message)
    except ValueError as error:
        report(str(error))
        return []
    return setup.stream.add_input(stamp, values)
