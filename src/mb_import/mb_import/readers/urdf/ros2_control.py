"""<ros2_control>: which joints are commanded and measured, and what follows what."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mb_import.joint_tree import still
from mb_import.machine import LinkJoint, MachineSensor
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import attribute, children, leave_out_others, named
from mb_import.readers.urdf.mimics import Mimic
from mb_import.readers.urdf.sensors import mount_of
from mb_import.xml_text import Element, label, number

COMMANDS = 'effort', 'velocity', 'position'
_IMU = {'angular_velocity': 'gyroscope', 'linear_acceleration': 'accelerometer'}


@dataclass(frozen=True)
class Interfaces:
    """What hardware offers.

    commands: joint -> what it takes; joints: all that it knows; transmissions: elements;
    mimics: of joints that follow others.
    """

    commands: dict[str, tuple[str, ...]]
    joints: list[str]
    transmissions: list[Element]
    mimics: list[Mimic]
    sensors: dict[str, MachineSensor]


def read_interfaces(elements: Sequence[Element], joints: Mapping[str, LinkJoint],
                    links: Collection[str], notes: Notes) -> Interfaces:
    """Return the Interfaces of all <ros2_control>; raises MechanismError."""
    interfaces = Interfaces({}, [], [], [], {})
    for element in elements:
        item = label(element)
        leave_out_others(element, ('name', 'type', 'is_async', 'rw_rate', 'thread_priority'),
                         ('hardware', 'joint', 'sensor', 'transmission'), notes, item)
        for joint in children(element, 'joint'):
            _joint(joint, joints, interfaces, notes, item)
        for sensor in children(element, 'sensor'):
            _sensor(sensor, links, joints, interfaces, notes, item)
        interfaces.transmissions.extend(children(element, 'transmission'))
    return interfaces


def _joint(element: Element, joints: Mapping[str, LinkJoint], interfaces: Interfaces, notes: Notes,
           item: str) -> None:
    name = named(element, notes)
    item = f'{item}: joint {name}'
    if name not in joints or not joints[name].is_scalar:
        notes.left_out(item, 'there is no joint of this name with one coordinate')
        return
    leave_out_others(element, ('name', 'mimic'), ('command_interface', 'state_interface', 'param',
                                                  'limits'), notes, item)
    interfaces.joints.append(name)
    taken, measured = ([named(one, notes) for one in children(element, f'{what}_interface')]
                       for what in ('command', 'state'))
    commands = tuple(one for one in COMMANDS if one in taken)
    for other in sorted(set(taken) - set(COMMANDS)):
        notes.left_out(item, f'command_interface {other} is none of {", ".join(COMMANDS)}')
    _note_parameters(element, item, notes)
    if commands:
        interfaces.commands[name] = commands
    if 'position' in measured:
        encoder = f'{name}_encoder'
        interfaces.sensors[encoder] = MachineSensor(encoder, 'encoder', joint=name)
    for other in sorted(set(measured) - {'position', 'velocity'}):
        notes.left_out(item, f'state_interface {other}: no sensor measures it')
    _mimic(element, name, interfaces, notes, item)


def _mimic(element: Element, name: str, interfaces: Interfaces, notes: Notes, item: str) -> None:
    leader = _parameter(element, 'mimic')
    if leader:
        interfaces.mimics.append(Mimic(name, leader, *(
            number(_parameter(element, tag), notes, f'{item}: {tag}', default)
            for tag, default in (('multiplier', 1.0), ('offset', 0.0)))))


def _note_parameters(element: Element, item: str, notes: Notes) -> None:
    """Note limits and start values, which are of the controller."""
    for interface in children(element, 'command_interface', 'state_interface'):
        for parameter in children(interface, 'param'):
            notes.left_out(f'{item}: {label(interface)}',
                           f'{named(parameter, notes)}: it is of the controller')
    if list(children(element, 'limits')):
        notes.left_out(item, 'limits: they are of the controller')


def _parameter(element: Element, name: str) -> str:
    return next(((one.text or '').strip() for one in children(element, 'param')
                 if attribute(one, 'name') == name), '')


def _sensor(element: Element, links: Collection[str], joints: Mapping[str, LinkJoint],
            interfaces: Interfaces, notes: Notes, item: str) -> None:
    """Add a sensor: an IMU or a force-torque sensor, whose link is its frame_id."""
    name = named(element, notes)
    item = f'{item}: sensor {name}'
    parts = {named(one, notes).partition('.')[0] for one in children(element, 'state_interface')}
    kinds = [kind for part, kind in _IMU.items() if part in parts]
    kind = 'imu' if len(kinds) == 2 else kinds[0] if kinds else (
        'force_torque' if parts & {'force', 'torque'} else '')
    frame = _parameter(element, 'frame_id')
    if not kind:
        notes.left_out(item, f'{", ".join(sorted(parts)) or "nothing"}: no kind of sensor is known '
                             'by these')
    elif frame not in links:
        notes.left_out(item, f'its frame_id {frame or "is missing"}'
                             f'{" is no link" if frame else ""}, so nothing says where it is')
    else:
        interfaces.sensors[name] = MachineSensor(
            name, kind, **mount_of(kind, frame, links, joints), pose=still())
