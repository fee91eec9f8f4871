"""From <robot> to a Machine."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mb_import.machine import LinkJoint, Machine
from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.readers.urdf.actuation import actuated, drives_of
from mb_import.readers.urdf.elements import attribute, children, leave_out_others, local
from mb_import.readers.urdf.frames import read_frames
from mb_import.readers.urdf.gazebo import plugin_mimics, sprung
from mb_import.readers.urdf.links import read_links
from mb_import.readers.urdf.loops import TAGS
from mb_import.readers.urdf.mimics import Mimic, followed, read_mimic
from mb_import.readers.urdf.ros2_control import read_interfaces
from mb_import.readers.urdf.sensors import read_gazebo_sensors, read_own_sensors
from mb_import.readers.urdf.structure import structure
from mb_import.readers.urdf.transmissions import read_transmissions
from mb_import.xml_text import Element, parse_xml, read_text
from mb_model.file_api import shown

_ROOTS = 'robot', 'root'       # the latter of xacro files that only others include
_KNOWN = ('link', 'joint', 'material', 'frame', 'fixed_frame', 'gazebo', 'sensor', 'transmission',
          'ros2_control', *TAGS)


def read(path: Path, options: ImportOptions, notes: Notes) -> Machine:
    """Return the Machine of a URDF file; raises MechanismError."""
    return machine_of(parse_xml(_robot_alone(read_text(path), notes), path.name), path, options,
                      notes)


def _robot_alone(text: str, notes: Notes) -> str:
    """Return a text up to the end of <robot>: other parsers do not look behind it."""
    whole, end, rest = text.rpartition('</robot>')
    if not end or not rest.strip() or rest.lstrip().startswith('<!--'):
        return text
    notes.left_out('robot', f'{shown(rest.strip())} behind </robot>')
    return whole + end


def machine_of(robot: Element, path: Path, options: ImportOptions, notes: Notes) -> Machine:
    """Return the Machine of <robot>, which was read from a file; raises MechanismError."""
    if local(robot.tag) not in _ROOTS:
        raise notes.error(f'<{local(robot.tag)}>', 'is no description of a robot, expected <robot>')
    leave_out_others(robot, ('name', 'version'), _KNOWN, notes, 'robot')
    links = read_links(list(children(robot, 'link')), notes)
    if any(element.tag.startswith('xacro:') for element in robot):
        raise notes.error('robot', 'it has elements of xacro: files with such end in .xacro')
    if not links:
        raise notes.error('robot', 'it has no <link>; a file of macros alone is no machine')
    frames = read_frames(list(children(robot, 'frame', 'fixed_frame')), links, notes)
    built = structure(robot, links, frames, path, options, notes)
    gazebo = list(children(robot, 'gazebo'))
    interfaces = read_interfaces(list(children(robot, 'ros2_control')), built.joints, links, notes)
    transmissions = read_transmissions(
        [*children(robot, 'transmission'), *interfaces.transmissions], built.joints, notes)
    mimics = _mimics(robot, [*interfaces.mimics, *plugin_mimics(gazebo, notes)], built.joints,
                     notes)
    joints, relations = followed(sprung(built.joints, links, gazebo, notes), mimics, notes)
    drives = drives_of(interfaces, transmissions.drives)
    joints = actuated({name: replace(joint, armature=joint.armature
                                     + transmissions.armatures.get(name, 0.0))
                       for name, joint in joints.items()}, drives, built.motors, interfaces.joints,
                      notes)
    sensors = read_own_sensors(list(children(robot, 'sensor')), links, joints, notes)
    for more in (read_gazebo_sensors(gazebo, links, joints, notes), interfaces.sensors):
        sensors = {**more, **sensors}
    return Machine(name=(attribute(robot, 'name') or '').strip() or path.stem, links=links,
                   joints=joints, closures=built.closures, relations=relations, sensors=sensors,
                   drives=drives, frames=frames)


def _mimics(robot: Element, others: Sequence[Mimic], joints: Mapping[str, LinkJoint],
            notes: Notes) -> dict[str, Mimic]:
    """Return follower -> Mimic; <mimic> counts before what others say of the same joint."""
    mimics = {mimic.joint: mimic for mimic in others if mimic.joint in joints}
    for element in children(robot, 'joint'):
        mimic = read_mimic(element, notes)
        if mimic is None:
            continue
        if mimics.get(mimic.joint, mimic) != mimic:
            notes.changed(f'joint {mimic.joint}: mimic', 'it counts before what else is said of '
                                                         'this joint')
        mimics[mimic.joint] = mimic
    return mimics
