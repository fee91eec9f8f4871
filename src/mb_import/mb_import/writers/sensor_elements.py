"""Elements <sensor> of Gazebo, for SDF and for <gazebo> of URDF."""

from collections.abc import Iterator
from xml.etree import ElementTree

from mb_import.machine import Machine, MachineSensor
from mb_import.notes import Notes
from mb_import.writers.text import Element, add, text_of, xyz_rpy

_TAGS = {'rate': 'angular_velocity', 'acceleration': 'linear_acceleration'}
_PARTS = 'gyroscope', 'accelerometer'


def sensor_elements(machine: Machine, notes: Notes) -> Iterator[tuple[MachineSensor, Element]]:
    """Yield sensors on links and in joints with their elements; notes which have none.

    A gyroscope and an accelerometer on one link, of one topic, are an IMU.
    """
    written: list[str] = []
    for sensor in machine.sensors.values():
        if sensor.name in written:
            continue
        if sensor.kind not in (*_PARTS, 'force_torque'):
            notes.left_out(f'sensors.{sensor.name}', f'{sensor.kind}: there is no <sensor> of this '
                                                     'kind')
            continue
        parts = [sensor, *(one for one in machine.sensors.values() if _completes(one, sensor))][:2]
        if sensor.kind in _PARTS and len(parts) == 1:
            notes.changed(f'sensors.{sensor.name}', 'written as an IMU, which has both')
        written += [one.name for one in parts]
        yield sensor, _element(parts)


def _completes(one: MachineSensor, other: MachineSensor) -> bool:
    """Whether two sensors are the parts of an IMU; where a gyroscope is does not matter."""
    return ({one.kind, other.kind} == {*_PARTS} and one.link == other.link and one.topic != ''
            and one.topic == other.topic)


def _element(parts: list[MachineSensor]) -> Element:
    first = next((one for one in parts if one.kind == 'accelerometer'), parts[0])
    type_ = 'force_torque' if first.kind == 'force_torque' else 'imu'
    name = first.topic if len(parts) > 1 else first.name
    element = ElementTree.Element('sensor', name=name.strip('/').replace('/', '_'), type=type_)
    if first.pose is not None and type_ == 'imu':
        add(element, 'pose', ' '.join(xyz_rpy(first.pose)))
    if first.frequency:
        add(element, 'update_rate', text_of(first.frequency))
    if first.topic:
        add(element, 'topic', first.topic)
    what = add(element, type_)
    for part in parts:
        for quantity, sigma in part.sigmas.items():
            axes = add(what, _TAGS.get(quantity, quantity))
            for axis in 'xyz':
                noise = add(add(axes, axis), 'noise', type='gaussian')
                add(noise, 'stddev', text_of(sigma))
                if part.biases.get(quantity):
                    add(noise, 'bias_stddev', text_of(part.biases[quantity]))
    return element
