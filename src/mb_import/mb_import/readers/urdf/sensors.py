"""Sensors in URDF: <sensor> of Gazebo and of URDF itself."""

from collections.abc import Collection, Mapping, Sequence

from mb_import.machine import LinkJoint, MachineSensor
from mb_import.notes import Notes
from mb_import.readers.sdf.poses import read_pose
from mb_import.readers.urdf.elements import attribute, children, named, only, origin_of
from mb_import.sensor_elements import FORCE_TORQUE, kind_of, read_sensor
from mb_import.xml_text import Element
from mb_model.space_api import Pose


def read_gazebo_sensors(elements: Sequence[Element], links: Collection[str],
                        joints: Mapping[str, LinkJoint],
                        notes: Notes) -> dict[str, MachineSensor]:
    """Return the sensors in all <gazebo reference>; raises MechanismError."""
    sensors: dict[str, MachineSensor] = {}
    for gazebo in elements:
        reference = (attribute(gazebo, 'reference') or '').strip()
        for element in children(gazebo, 'sensor'):
            _add(sensors, element, reference, links, joints, notes)
    return sensors


def read_own_sensors(elements: Sequence[Element], links: Collection[str],
                     joints: Mapping[str, LinkJoint], notes: Notes) -> dict[str, MachineSensor]:
    """Return the sensors that are children of <robot>; raises MechanismError."""
    sensors: dict[str, MachineSensor] = {}
    for element in elements:
        parent = only(element, 'parent', notes, f'sensor {named(element, notes)}')
        reference = attribute(parent, 'link') or attribute(parent, 'joint') or ''
        _add(sensors, element, reference, links, joints, notes)
    return sensors


def mount_of(kind: str, reference: str, links: Collection[str],
             joints: Mapping[str, LinkJoint]) -> dict[str, str]:
    """Return link or joint of a sensor: forces are measured in the joint that holds a link."""
    if kind != FORCE_TORQUE:
        return {'link': reference}
    holding = next((name for name, joint in joints.items() if joint.links[1] == reference), '')
    return {'joint': holding if reference in links else reference}


def _add(sensors: dict[str, MachineSensor], element: Element, reference: str,
         links: Collection[str], joints: Mapping[str, LinkJoint], notes: Notes) -> None:
    """Add what a <sensor> on a link or joint measures, if a kind of ours does."""
    name, kind = named(element, notes), kind_of(element)
    item = f'sensor {name}'
    if kind and reference not in links and reference not in joints:
        notes.left_out(item, f'there is no link or joint {reference}'.rstrip())
        return
    if name in sensors:
        raise notes.error(item, 'there are two sensors of this name')
    mount = mount_of(kind if reference in links else FORCE_TORQUE, reference, links, joints)
    home = joints.get(mount.get('joint', ''), reference)
    sensor = read_sensor(element, name, home, _pose(element, item, notes), notes)
    if sensor is not None:
        sensors[name] = sensor


def _pose(element: Element, item: str, notes: Notes) -> Pose:
    """Return the pose of a sensor in its link's frame."""
    if next(children(element, 'origin'), None) is not None:
        return origin_of(element, notes, item)
    pose, base = read_pose(element, notes, item)
    if base:
        notes.left_out(f'{item}: pose', 'relative_to: it is taken for relative to the link')
    return pose
