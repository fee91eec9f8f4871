"""The codec of a DynamicJointState: state interfaces of joints, by the names of both.

As joint_state_broadcaster of ros2_control sends it.  Its package control_msgs need not be
installed, unless such messages are read or sent.
"""

from array import array
from collections.abc import Sequence
from importlib import import_module
from math import isnan, nan
from typing import Any

from mb_sensors.kind_parts.messages import Reader

MOST_NAMED = 100        # interfaces that are named where one is missing


class DynamicJointStateMessage:
    """The codec of a DynamicJointState, of sensors that read an interface of a joint each."""

    type_name = 'control_msgs/msg/DynamicJointState'
    together = 'sensors with an `interface` of a joint each'
    is_plain = True

    def __init__(self, interface: str) -> None:
        """Set up for the values of a state interface, such as position."""
        self.interface = interface

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""
        return (all(isinstance(sensor.message, DynamicJointStateMessage) for sensor in sensors)
                and len({_name(sensor) for sensor in sensors}) == len(sensors))

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> list[Any]:
        """Write the names; a slot is (values of a joint, index in these)."""
        package = import_module(type(message).__module__.rpartition('.')[0])
        message.header.frame_id = sensors[0].body
        names: dict[str, list[str]] = {}
        for joint, interface in map(_name, sensors):
            names.setdefault(joint, []).append(interface)
        message.joint_names = list(names)
        message.interface_values = [
            package.InterfaceValue(interface_names=own, values=array('d', [nan] * len(own)))
            for own in names.values()]
        parts = dict(zip(names, message.interface_values, strict=True))
        return [(parts[joint], names[joint].index(interface))
                for joint, interface in map(_name, sensors)]

    def put(self, message: Any, slots: Sequence[Any], values: Sequence[float]) -> None:
        """Write all values."""
        for (part, k), value in zip(slots, values, strict=True):
            part.values[k] = float(value)

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)]; see InterfaceReader."""
        return InterfaceReader(sensors)


class InterfaceReader:
    """The values of the interfaces of sensors; messages may have others, and some of them each.

    A NaN says that there is nothing: the hardware has not written it.
    """

    def __init__(self, sensors: Sequence[Any]) -> None:
        self._sensors = {_name(sensor): sensor for sensor in sensors}
        self._known: Any = None         # names in the last message
        self._indices: list[tuple[str, int, int]] = []       # of these: sensor, joint, interface
        self._absent = dict(self._sensors)      # that no message had yet
        self._having: dict[str, None] = {}      # joint/interface of all messages

    def __call__(self, message: Any) -> list[tuple[str, list[float]]]:
        names = list(message.joint_names), [
            list(one.interface_names) for one in message.interface_values]
        if names != self._known:        # mostly the same as before
            self._known, self._indices = names, self._indices_in(*names)
        parts = message.interface_values
        if not names[0] or len(parts) != len(names[0]) or any(
                len(one.values) != len(one.interface_names) for one in parts):
            return [(next(iter(self._sensors.values())).name, [])]
        readings = [(name, [parts[j].values[k]]) for name, j, k in self._indices]
        return [reading for reading in readings if not isnan(reading[1][0])]

    @property
    def missing(self) -> str:
        """Which sensors' interfaces no message has had yet, in words; empty before the first."""
        return '' if self._known is None else '; '.join(
            f'{sensor.name}: no interface {interface} of {joint} in messages on {sensor.topic}, '
            f'expected one of {", ".join(self._having) or "none: they have no interface"} (as '
            '`joint_name` and `interface` in the mechanism file)'
            for (joint, interface), sensor in self._absent.items())

    def _indices_in(self, joints: Sequence[str], interfaces: Sequence[Sequence[str]]
                   ) -> list[tuple[str, int, int]]:
        """Return where a message has the interfaces of sensors."""
        indices = []
        for j, (joint, names) in enumerate(zip(joints, interfaces, strict=False)):
            for k, interface in enumerate(names):
                if len(self._having) < MOST_NAMED:
                    self._having[f'{joint}/{interface}'] = None
                sensor = self._sensors.get((joint, interface))
                if sensor is not None:
                    self._absent.pop((joint, interface), None)
                    indices.append((sensor.name, j, k))
        return indices


def _name(sensor: Any) -> tuple[str, str]:
    """Return (joint, interface) of a Sensor."""
    joint, = sensor.joints
    return joint, sensor.message.interface
