"""Torques of drives from messages: published ones, commanded or measured, or what motors read."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_contact.arguments import ContactError, one_on_each
from mb_contact.detection.gathered import Gathered
from mb_estimators import COMMANDS, READINGS, ReadInputs, inputs_class
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.file_api import stamp_of
from mb_sensors import by_topic

PUBLISHED = 'prototype/drive_torques'


class PublishedTorques:
    """Efforts of the drives on a topic of their own, as a controller or a driver publishes them.

    inputs: how they act over time, see mb_estimators.inputs_class.
    """

    type_name = 'sensor_msgs/msg/JointState'

    def __init__(self, drives: Sequence[str], torques_are: str = '',
                 topic: str = PUBLISHED) -> None:
        self._drives, self.topic = drives, topic
        self.inputs = inputs_class(topic, torques_are)

    def take(self, message: Any) -> list[tuple[int, FloatArray]]:
        """Return [(stamp [ns], torques (d))] of a JointState with efforts; raises ValueError."""
        efforts = dict(zip(message.name, message.effort, strict=False))
        missing = [name for name in self._drives if name not in efforts]
        if missing or len(message.name) != len(message.effort):
            given = ', '.join(message.name) or 'no name'
            raise ValueError(f'{len(message.effort)} efforts of {given}, expected efforts of '
                             f'{", ".join(self._drives)}')
        return [(stamp_of(message), np.array([efforts[name] for name in self._drives]))]


class MeasuredTorques:
    """Readings of motor_torque sensors on one topic, in any number of messages an instant."""

    inputs = ReadInputs

    def __init__(self, mechanism: Mechanism, drives: Sequence[str], names: Sequence[str],
                 limit: float = np.inf) -> None:
        """Set up for sensors or sensor groups of a mechanism, by name.

        limit: no drive gives more [N or N m].  Raises ContactError, SensorError.
        """
        sensors, self._limit = one_on_each(
            mechanism, 'torque_sensors', names, 'motor_torque', drives), limit
        topics = by_topic(sensors)
        if len(topics) > 1:
            raise ContactError(f'{mechanism.file}: torque_sensors: topics {", ".join(topics)}, '
                               'expected one topic of all')
        (self.topic, self._topic), = topics.items()
        self.type_name = self._topic.message_type
        self._drives, self._of_sensor = drives, {sensor.name: sensor.body for sensor in sensors}
        self._gathered = Gathered(drives)

    def take(self, message: Any) -> list[tuple[int, FloatArray]]:
        """Return [(stamp [ns], torques (d))] that a message completes.

        Raises ValueError for a message with a number that is no torque of a drive.
        """
        read = {self._of_sensor[name]: values[0] for name, values in self._topic.readings(message)
                if values and name in self._of_sensor}
        if not read:
            raise ValueError(f'no torque of {", ".join(self._drives)}')
        for drive, torque in read.items():
            if not (np.isfinite(torque) and abs(torque) <= self._limit):
                raise ValueError(f'{drive}: a torque of {torque:g} must be finite, and within '
                                 f'{self._limit:g} either way')
        return self._gathered.take(stamp_of(message), read)


def torque_source(mechanism: Mechanism, drives: Sequence[str], sensors: Sequence[str] = (),
                  limit: float = np.inf, torques_are: str = '',
                  topic: str = PUBLISHED) -> PublishedTorques | MeasuredTorques:
    """Return MeasuredTorques of sensors, by name, PublishedTorques of a topic without any.

    limit: of what is measured [N or N m]; torques_are: see inputs_class.  Raises ContactError,
    SensorError.
    """
    if not sensors:
        return PublishedTorques(drives, torques_are, topic)
    if torques_are == COMMANDS:
        raise ContactError(f'torques_are: {COMMANDS}: torque_sensors have {READINGS}, expected '
                           f'{READINGS} or nothing')
    return MeasuredTorques(mechanism, drives, sensors, limit)
