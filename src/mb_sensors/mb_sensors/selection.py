"""Sensors of a mechanism by name."""

from collections.abc import Iterable, Mapping
import re
from typing import Any

import numpy as np

from mb_model import Mechanism, SettingError
from mb_model.file_api import ExpressionError, evaluate_expression as evaluate, shown
from mb_sensors.encoder_turns import take_turns
from mb_sensors.kind_parts.channel import CHANNEL
from mb_sensors.kind_parts.joint_states import JointStateMessage
from mb_sensors.kind_parts.sensor_kind import TURNS, SensorError
from mb_sensors.kinds import channel_record, nothing_record, sensor_kinds
from mb_sensors.mounting_points import MountingInPlane, MountingInSpace
from mb_sensors.sensor import NoiseSettings, Sensor

_TOPIC = re.compile(r'(?:/|~/)?[A-Za-z_][A-Za-z0-9_]*(?:/[A-Za-z_][A-Za-z0-9_]*)*')
_LONGEST = 200          # characters of a topic; with namespaces before it ROS takes 247


def sensors_of(mechanism: Mechanism, names: str | Sensor | Iterable[str | Sensor]) -> list[Sensor]:
    """Return the Sensors of a mechanism that are named, each once, in the order given.

    names: names of sensors or sensor groups, one or a list; Sensor objects are taken as they are.
    Raises SensorError for an unknown name and for a sensor that is described wrongly.
    """
    chosen: dict[str, Sensor] = {}
    for name in [names] if isinstance(names, (str, Sensor)) else names:
        if isinstance(name, Sensor):
            chosen.setdefault(name.name, name)
            continue
        for member in mechanism.sensor_groups.get(name, (name,)):
            if member not in mechanism.sensors:
                raise SensorError(_unknown(mechanism, name, member))
            chosen.setdefault(member, read_sensor(mechanism, member))
    return list(chosen.values())


def read_sensor(mechanism: Mechanism, name: str) -> Sensor:
    """Return one sensor from its entry in the mechanism file.  Raises SensorError."""
    path = f'{mechanism.file}: sensors.{name}'
    entry = mechanism.sensors[name]
    if not isinstance(entry, dict):
        raise SensorError(f'{path}: {shown(entry)} must be a mapping with kind, sigma, ...')
    entry = dict(entry)
    kind = entry.pop('kind', None)
    known = sensor_kinds()
    if not isinstance(kind, str) or kind not in known:
        raise SensorError(f'{path}.kind: {shown(kind)} must be one of {", ".join(known)}')
    dimension = mechanism.dimension
    if not known[kind].known_in(dimension):
        having = ', '.join(name for name, one in known.items() if one.known_in(dimension))
        raise SensorError(f'{path}.kind: {kind}: not for a mechanism of dimension {dimension}, '
                          f'expected one of {having}')
    described = known[kind].of(dimension)
    topic = entry.pop('topic', name)
    if not isinstance(topic, str) or len(topic) > _LONGEST or not _TOPIC.fullmatch(topic):
        raise SensorError(f'{path}.topic: {shown(topic)} must be the name of a topic')
    joint, interface = (_named(path, entry, key, what) for key, what in (
        ('joint_name', 'a joint'), ('interface', 'a state interface')))
    if joint and not interface and not isinstance(known[kind].message, JointStateMessage):
        having = ', '.join(name for name, one in known.items() if one.known_in(dimension)
                           and isinstance(one.message, JointStateMessage))
        raise SensorError(f'{path}.joint_name: readings of this kind are no joints of a '
                          f'JointState, only {having} have one, and sensors with an interface')
    turns = (take_turns(mechanism, path, kind, entry)
             if TURNS.keys() <= described.keys.keys() else None)
    mounting = MountingInPlane if dimension == 2 else MountingInSpace
    body, quantities = described.read(mounting(mechanism, path, entry, described.keys))
    channels = tuple(f'{name}.{quantity}' if quantity else name for quantity in quantities)
    if interface and len(channels) > 1:
        raise SensorError(f'{path}.interface: {interface}: its readings are {len(channels)} '
                          'numbers, expected a sensor of one')
    actual = np.concatenate([np.empty(0, CHANNEL), *(
        nothing_record() if fields is None else channel_record(kind, dimension, **fields)
        for fields in quantities.values() if described.value is not None)])
    if turns is not None and turns.counts:
        actual = channel_record('angle_encoder', dimension,
                                coordinate=mechanism.coordinates.index(turns.coordinate))
        actual['whole_turns_unknown'] = 0
    records = actual.copy()
    records['g_sensitivity'] = 0.0
    return Sensor(name, kind, body, channels or (name,), known[kind].unit,
                  _noise_settings(mechanism, path, entry),
                  records, actual, topic, dimension, turns, joint, interface)


def _named(path: str, entry: dict[str, Any], key: str, what: str) -> str:
    """Take a name out of a sensor's entry, '' if there is none."""
    name = entry.pop(key, None)
    if name is not None and (not isinstance(name, str) or not name):
        raise SensorError(f'{path}.{key}: {shown(name)} must be the name of {what}')
    return name or ''


def _unknown(mechanism: Mechanism, name: str, member: str) -> str:
    """Return the message for a sensor that does not exist."""
    if name != member:
        return f'{mechanism.file}: sensor_groups.{name}: {member}: unknown sensor'
    known = [*mechanism.sensors, *mechanism.sensor_groups]
    expected = f'expected one of {", ".join(known)}' if known else 'which has none'
    return f'{name}: unknown sensor of {mechanism.name}, {expected}'


def _noise_settings(mechanism: Mechanism, path: str, entry: Mapping[str, Any]) -> NoiseSettings:
    """Make the settings from the rest of a sensor's entry; numbers may be expressions."""
    values = {}
    for key, value in entry.items():
        try:
            text = isinstance(value, str)
            values[key] = evaluate(value, mechanism.parameters) if text else value
        except ExpressionError as error:
            raise SensorError(f'{path}.{key}: {shown(value)} {error}') from None
    try:
        return NoiseSettings.from_mapping(values)
    except SettingError as error:
        raise SensorError(f'{path}.{error}') from None
