"""A rosbag2 bag that is read without a ROS process: its messages, and readings of sensors in it."""

from contextlib import contextmanager
from pathlib import Path

import numpy as np
from rosbags.rosbag2 import Reader, ReaderError

from mb_model.simulation.bag import message_types, stamp_of
from mb_sensors.topics import SensorTopic


@contextmanager
def open_bag(folder, *types):
    """Open the Bag of a folder; types: further messages of mb_interfaces that are read, by name.

    Raises FileNotFoundError, ValueError, also later, where the bag is damaged.
    """
    if not Path(folder).exists():
        raise FileNotFoundError(f'{folder}: no such bag')
    try:
        with Reader(folder) as reader:
            yield Bag(reader, folder, message_types(*types))
    except (ReaderError, FileNotFoundError) as error:
        raise ValueError(f'{folder}: not a readable bag ({error})') from None


class Bag:
    """The messages of an open bag, by topic."""

    def __init__(self, reader, folder, types):
        self._reader, self._folder, self._types = reader, folder, types

    def named(self, name, kind):
        """Return the topic that ends in a name; raises ValueError if there is no such, or two.

        One of exactly this name, with its first slash, is it.  That of a simulated machine, which
        has the truth of a pressure, does not count beside another.
        """
        found = [c.topic for c in self._reader.connections
                 if c.msgtype == kind and f'/{c.topic}'.endswith(f'/{name.lstrip("/")}')]
        if name in found:
            return name
        if len(found) > 1:
            found = [topic for topic in found if '/prototype/' not in topic]
        if len(found) != 1:
            others = [c.topic for c in self._reader.connections if c.msgtype == kind]
            raise ValueError(f'{self._folder}: {name}: expected one topic of this name and of type '
                             f'{kind}, found {", ".join(found or others) or "none"}')
        return found[0]

    @property
    def topics(self):
        """Names of all topics."""
        return list(dict.fromkeys(c.topic for c in self._reader.connections))

    def has(self, topic):
        """Tell whether there is a topic."""
        return any(c.topic == topic for c in self._reader.connections)

    def count(self, topic):
        """Return how many messages of a topic there are."""
        return sum(c.msgcount for c in self._reader.connections if c.topic == topic)

    def of(self, topic):
        """Yield (stamp [ns], message) of a topic, nothing if there is no such."""
        for _, _, stamp, message in self.arrivals([topic]):
            yield stamp, message

    def arrivals(self, topics):
        """Yield (topic, arrival [ns], stamp [ns], message) of topics in the order of arrival."""
        chosen = [c for c in self._reader.connections if c.topic in topics]
        # A reader that is asked for no connection gives those of all.
        for connection, arrival, data in self._reader.messages(chosen) if chosen else ():
            message = self._types.deserialize_cdr(data, connection.msgtype)
            yield connection.topic, arrival, stamp_of(message), message

    def readings(self, sensors):
        """Return (stamps (k) [ns], readings (k, channels)) of Sensors, NaN where there is none.

        Topics end in those of the sensors.  Readings that are not finite, and others than the
        first of a sensor at one stamp, are left out.  Raises ValueError if none are left.
        """
        instants = {}
        for k, sensor in enumerate(sensors):
            for stamp, values in self._readings_of(sensor):
                instants.setdefault(stamp, {}).setdefault(k, values)
        if not instants:
            raise ValueError(f'{self._folder}: no reading of {", ".join(s.name for s in sensors)} '
                             'in it')
        stamps = np.array(sorted(instants))
        return stamps, _rows(sensors, [instants[stamp] for stamp in stamps])

    def _readings_of(self, sensor):
        """Yield (stamp, values) of the usable readings of a sensor."""
        topic = SensorTopic([sensor])
        for stamp, message in self.of(self.named(sensor.topic, topic.message_type)):
            (name, values), = topic.readings(message)
            usable = name == sensor.name and len(values) == len(sensor.channels)
            if usable and np.isfinite(values).all():
                yield stamp, values


def _rows(sensors, instants):
    """Return readings (k, channels) of {place of the sensor: values} at every instant."""
    ends = np.cumsum([len(sensor.channels) for sensor in sensors])
    rows = np.full((len(instants), ends[-1]), np.nan)
    for row, instant in zip(rows, instants, strict=True):
        for k, values in instant.items():
            row[ends[k] - len(values):ends[k]] = values
    return rows
