"""The readings in a rosbag2 bag: recorded at once, or fed to an estimator in their order."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from mb_estimators.recording.input_topic import InputTopic
from mb_estimators.recording.recording import Recording, Track
from mb_estimators.stream import EstimateStream, Step
from mb_estimators.timeline import HeldInputs
from mb_model import Mechanism
from mb_model.arrays import IntArray
from mb_model.file_api import STATE_TYPE
from mb_sensors import Sensor, by_topic, open_bag

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
