"""The readings in a rosbag2 bag, read without a ROS process."""

from contextlib import suppress
from pathlib import Path

import numpy as np
from rosbags.rosbag2 import Reader, ReaderError

from mb_estimators.inputs import HeldInputs
from mb_estimators.recording.commands import COMMAND_TYPE, TOPIC, valve_commands
from mb_estimators.recording.messages import READING_MESSAGES
from mb_estimators.recording.recording import Recording
from mb_estimators.result import Track
from mb_model.simulation.bag import STATE_TYPE, message_types
from mb_sensors.sampling import NANOSECONDS

TRUTH = '/prototype/state'


def read_recording(folder, sensors, truth=None, valves=()):
    """Return the Recording of sensors (Sensor objects) in a bag.

    The topic of a sensor ends in its name.  truth: topic of the MechanismStates that hold the true
    motion; None: /prototype/state, if the bag has it.  valves: whose commands are the inputs, from
    the topic valve_command.  Readings that are not finite, and others than the first of a sensor at
    one stamp, are left out, and commands that cannot be.  Raises OSError, ValueError.
    """
    if not Path(folder).exists():
        raise FileNotFoundError(f'{folder}: no such bag')
    try:
        with Reader(folder) as reader:
            messages = _Messages(reader, folder)
            instants = {}
            for k, sensor in enumerate(sensors):
                for stamp, values in _readings(messages, sensor):
                    instants.setdefault(stamp, {}).setdefault(k, values)
            states = _states(messages, truth)
            inputs = _inputs(messages, valves) if valves else None
    except (ReaderError, FileNotFoundError) as error:
        raise ValueError(f'{folder}: not a readable bag ({error})') from None
    if not instants:
        raise ValueError(f'{folder}: no reading of {", ".join(s.name for s in sensors)} in it')
    stamps = np.array(sorted(instants))
    return Recording(stamps, _rows(sensors, [instants[stamp] for stamp in stamps]),
                     _track(stamps, states) if states else None, inputs)


class _Messages:
    """The messages of a bag, by topic."""

    def __init__(self, reader, folder):
        self._reader, self._folder, self._types = reader, folder, message_types('ValveCommand')

    def named(self, name, kind):
        """Return the topic that ends in a name; raises ValueError if there is no such, or two.

        That of a simulated machine, which has the truth of a pressure, does not count beside it.
        """
        found = [c.topic for c in self._reader.connections
                 if c.msgtype == kind and f'/{c.topic}'.endswith(f'/{name.lstrip("/")}')]
        if len(found) > 1:
            found = [topic for topic in found if '/prototype/' not in topic]
        if len(found) != 1:
            others = [c.topic for c in self._reader.connections if c.msgtype == kind]
            raise ValueError(f'{self._folder}: {name}: expected one topic of this name and of type '
                             f'{kind}, found {", ".join(found or others) or "none"}')
        return found[0]

    def has(self, topic):
        """Tell whether there is a topic."""
        return any(c.topic == topic for c in self._reader.connections)

    def of(self, topic):
        """Yield (stamp [ns], message) of a topic."""
        chosen = [c for c in self._reader.connections if c.topic == topic]
        for connection, _, data in self._reader.messages(chosen):
            message = self._types.deserialize_cdr(data, connection.msgtype)
            stamp = message.header.stamp
            yield stamp.sec * NANOSECONDS + stamp.nanosec, message


def _readings(messages, sensor):
    """Yield (stamp, values) of the usable readings of a sensor."""
    kind, extract = READING_MESSAGES[sensor.kind]
    for stamp, message in messages.of(messages.named(sensor.name, kind)):
        name, values = extract(sensor, message)
        usable = name == sensor.name and len(values) == len(sensor.channels)
        if usable and np.isfinite(values).all():
            yield stamp, values


def _inputs(messages, valves):
    """Return the HeldInputs of the commands of valves; as they are at rest where there are none."""
    inputs = HeldInputs()
    for stamp, message in messages.of(messages.named(TOPIC, COMMAND_TYPE)):
        with suppress(ValueError):
            inputs.add(stamp, valve_commands(valves, message))
    return inputs


def _states(messages, topic):
    """Return the true states by stamp; none if none are asked for and none are there."""
    if topic is None and not messages.has(TRUTH):
        return {}
    return dict(messages.of(messages.named(topic or TRUTH, STATE_TYPE)))


def _rows(sensors, instants):
    """Return readings (k, channels) of {place of the sensor: values} at every instant."""
    ends = np.cumsum([len(sensor.channels) for sensor in sensors])
    rows = np.full((len(instants), ends[-1]), np.nan)
    for row, instant in zip(rows, instants, strict=True):
        for k, values in instant.items():
            row[ends[k] - len(values):ends[k]] = values
    return rows


def _track(stamps, states):
    """Return the true motion at the stamps, NaN where no state has exactly that stamp."""
    g = len(next(iter(states.values())).z)
    track = Track(*(np.full((len(stamps), g), np.nan) for _ in range(3)))
    for k, stamp in enumerate(stamps):
        if stamp in states:
            for name in ('z', 'zd', 'zdd'):
                getattr(track, name)[k] = getattr(states[stamp], name)
    return track
