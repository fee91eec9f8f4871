"""From <robot> to a Machine."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mb_import.joint_tree import JointTree, joint_tree, reversed_joint
from mb_import.loops import overlay_loops
from mb_import.machine import WORLD, Link, LinkJoint, Machine
from mb_import.notes import Notes
from mb_import.options import FIXED, FLOATING, ImportOptions
from mb_import.readers.urdf.elements import attribute, children, leave_out_others, local
from mb_import.readers.urdf.frames import read_frames
from mb_import.readers.urdf.joints import read_joint
from mb_import.readers.urdf.links import read_links
from mb_import.readers.urdf.mimics import followed, read_mimic
from mb_import.xml_text import Element, parse_xml, read_text
from mb_model.file_api import shown

_ROOTS = 'robot', 'root'       # the latter of xacro files that only others include
_KNOWN = 'link', 'joint', 'material', 'frame', 'fixed_frame'


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
    if not links:
        raise notes.error('robot', 'it has no <link>')
    elements = list(children(robot, 'joint'))
    joints = [read_joint(element, notes) for element in elements]
    mimics = {mimic.joint: mimic for element in elements if (mimic := read_mimic(element, notes))}
    tree = _tree(links, joints, options, notes)
    in_tree, relations = followed(tree.joints, mimics, notes)
    frames = read_frames(list(children(robot, 'frame', 'fixed_frame')), links, notes)
    closures = {**tree.closures, **overlay_loops(options.loops, links, frames, notes)}
    return Machine(name=(attribute(robot, 'name') or '').strip() or path.stem, links=links,
                   joints=in_tree, closures=closures, relations=relations, frames=frames)


def _tree(links: Mapping[str, Link], joints: Sequence[LinkJoint], options: ImportOptions,
          notes: Notes) -> JointTree:
    """Return the tree of joints; says which of them close loops."""
    joints = [_from_world(joint, notes) for joint in joints]
    held = any(WORLD in joint.links for joint in joints)
    moves = any(joint.kind != 'weld' for joint in joints)
    tree = joint_tree(links, joints, notes, base=options.base,
                      default_base=FLOATING if held or not moves else FIXED)
    for name, joint in tree.closures.items():
        other = next(one.name for one in tree.joints.values() if one.links[1] == joint.links[1])
        notes.changed(f'joint {name}', f'closes a loop: {joint.links[1]} hangs on joint {other} '
                                       'already')
    return tree


def _from_world(joint: LinkJoint, notes: Notes) -> LinkJoint:
    """Return a joint whose child is not the world, which hangs on nothing."""
    if joint.links[1] != WORLD:
        return joint
    notes.changed(f'joint {joint.name}', f'its child is the world, which does not move; so '
                                         f'{joint.links[0]} hangs on the world')
    return reversed_joint(joint)
