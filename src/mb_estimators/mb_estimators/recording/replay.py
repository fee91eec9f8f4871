"""The readings of a bag fed to an estimator in the order in which they came, as when it ran."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

from mb_estimators.recording.bag import (
    COMMAND_TOPIC,
    COMMAND_TYPE,
    FORCES_TYPE,
    known_forces,
    valve_commands,
)
from mb_estimators.stream import EstimateStream, Step
from mb_model import Mechanism
from mb_sensors import Sensor, by_topic


class Replayed(Protocol):
    """What readings are fed to: an EstimatorSetup."""

    settings: Any
    mechanism: Mechanism
    sensors: tuple[Sensor, ...]
    stream: EstimateStream

    @property
    def takes_commands(self) -> bool:
        """Whether commands of valves are inputs of the filter."""


def replay(bag: Any, setup: Replayed,
        report: Callable[[str], object] = lambda problem: None) -> Iterator[tuple[int, list[Step]]]:
    """Yield (arrival [ns], Steps) of every message in a Bag that completes some.

    setup: EstimatorSetup; report: called with problems of inputs.  The estimates equal
    the estimates of a node that got the same messages, bit by bit.  Raises ValueError.
    """
    takers = {}
    for name, topic in by_topic(setup.sensors).items():
        takers[bag.named(name, topic.message_type)] = partial(_take_readings, setup, topic)
    if setup.takes_commands and setup.mechanism.circuit:
        takers[bag.named(COMMAND_TOPIC, COMMAND_TYPE)] = partial(
            _take_inputs, setup, partial(valve_commands, setup.mechanism.circuit.valves), report)
    if setup.settings.known_forces:
        takers[bag.named(setup.settings.known_forces, FORCES_TYPE)] = partial(
            _take_inputs, setup, partial(known_forces, setup.mechanism.independent), report)
    for topic, arrival, stamp, message in bag.arrivals(takers):
        steps = takers[topic](stamp, message)
        if steps:
            yield arrival, steps


def _take_readings(setup, topic, stamp, message):
    return setup.stream.add_all(stamp, topic.readings(message))


def _take_inputs(setup, values_of, report, stamp, message):
    try:
        values = values_of(message)
    except ValueError as error:
        report(str(error))
        return []
    return setup.stream.add_input(stamp, values)
