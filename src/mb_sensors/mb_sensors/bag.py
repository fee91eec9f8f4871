"""A rosbag2 bag that is read without a ROS process: its messages, and readings of sensors in it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_model.file_api import BagReader, open_reader
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor
from mb_sensors.topics import DISTURBED, SensorTopic

FAR = 3600 * NANOSECONDS    # from any other reading: then a stamp is taken for damaged ...
FEW = 0.01                  # as is a group of less than this share of all ...
MOST_FAR = 0.1              # ... unless this share of all are so


def open_bag(folder: str | Path, *types: str, **options: Any) -> AbstractContextManager['Bag']:
    """Open the Bag of a folder; types: further messages of mb_interfaces that are read, by name.

    options: see open_reader.  Raises FileNotFoundError, BagError, also later.
    """
    return open_reader(folder, *types, of=Bag, **options)


class Bag(BagReader):
    """The messages of an open bag, by topic, and the readings of sensors in them."""

    def named(self, name: str, kind: str) -> str:
        """Return the topic that ends in a name; raises ValueError if there is no such, or two.

        A topic of exactly this name, with its first slash, comes first.  A topic of a simulated
        machine, with the truth of a pressure, does not count beside another.  Readings that were
        disturbed after that count as they were received.  Then a topic without a namespace comes
        first: not the joint_states of an estimator beside what it reads.
        """
        alike = [topic for topic, other in self.kinds.items() if other == kind]
        matches = [topic for topic in alike if f'/{topic}'.endswith(f'/{name.lstrip("/")}')]
        if name in matches:
            return name
        if len(matches) > 1:
            matches = [topic for topic in matches if '/prototype/' not in topic]
            matches = [topic for topic in matches if f'/{DISTURBED}/' in topic] or matches
            matches = [topic for topic in matches if topic == f'/{name}'] or matches
        if len(matches) != 1:
            raise ValueError(f'{self._folder}: {name}: expected one topic of this name and of type '
                             f'{kind}, found {", ".join(matches or alike) or "none"}')
        return matches[0]

    def arrivals(self, topics: Iterable[str]) -> Iterator[tuple[str, int, int, Any]]:
        """Yield (topic, arrival [ns], stamp [ns], message) of topics in the order of arrival."""
        for topic, arrival, message in self.messages(topics):
            yield topic, arrival, self.time_of(topic, arrival, message), message

    def readings(self, sensors: Sequence[Sensor]) -> tuple[IntArray, FloatArray]:
        """Return (stamps (k) [ns], readings (k, channels)) of Sensors, NaN where there is none.

        Topics end in the topics of the sensors.  Readings that are not finite, and others than the
        first of a sensor at one stamp, are left out.  So are single ones and small groups an hour
        from all others, as damaged: steps across them would not end.  Raises ValueError if none
        are left.
        """
        instants: dict[int, dict[int, Any]] = {}
        for k, sensor in enumerate(sensors):
            for stamp, values in self._readings_of(sensor):
                instants.setdefault(stamp, {}).setdefault(k, values)
        if not instants:
            raise ValueError(f'{self._folder}: no reading of {", ".join(s.name for s in sensors)} '
                             'in it')
        stamps = np.array(sorted(instants))
        far = _far(stamps)
        for stamp in stamps[far]:
            self.count_damaged({self.named(sensors[k].topic, SensorTopic([sensors[k]]).message_type)
                                for k in instants[stamp]})
        stamps = stamps[~far]
        return stamps, _rows(sensors, [instants[stamp] for stamp in stamps])

    def _readings_of(self, sensor: Sensor) -> Iterator[tuple[int, list[float]]]:
        """Yield (stamp, values) of the usable readings of a sensor."""
        topic = SensorTopic([sensor])
        for stamp, message in self.of(self.named(sensor.topic, topic.message_type)):
            for name, values in topic.readings(message):
                usable = name == sensor.name and len(values) == len(sensor.channels)
                if usable and np.isfinite(values).all():
                    yield stamp, values
        if topic.missing:
            raise ValueError(f'{self._folder}: {topic.missing}')


def _far(stamps: IntArray) -> BoolArray:
    """Return which of increasing stamps (k) [ns] are FAR from all others; none if many are."""
    group = np.cumsum(np.diff(stamps, prepend=stamps[0]) >= FAR)
    sizes = np.bincount(group)
    far = ((sizes == 1) | (sizes < FEW * len(stamps)))[group]
    return far if far.mean() <= MOST_FAR else np.zeros_like(far)


def _rows(sensors: Sequence[Sensor], instants: Sequence[Mapping[int, Any]]) -> FloatArray:
    """Return readings (k, channels) of {number of the sensor: values} at every instant."""
    ends = np.cumsum([len(sensor.channels) for sensor in sensors])
    rows = np.full((len(instants), ends[-1]), np.nan)
    for row, instant in zip(rows, instants, strict=True):
        for k, values in instant.items():
            row[ends[k] - len(values):ends[k]] = values
    return rows
