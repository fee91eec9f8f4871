"""What hangs on what in a URDF: the tree of joints, and what closes loops in it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
import re

from mb_import.drawing import drawn_poses
from mb_import.joint_tree import JointTree, joint_tree, reversed_joint, still
from mb_import.machine import WORLD, Link, LinkJoint, Machine
from mb_import.notes import Notes
from mb_import.options import FIXED, FLOATING, ImportOptions
from mb_import.readers.urdf.elements import children
from mb_import.readers.urdf.frame_pairs import read_pairs_beside
from mb_import.readers.urdf.gazebo_joints import read_gazebo_joint
from mb_import.readers.urdf.joints import read_joint
from mb_import.readers.urdf.loops import TAGS, read_loops
from mb_import.readers.urdf.second_parents import extent, where_drawn
from mb_import.xml_text import Element
from mb_model.space_api import Pose

_MOST = 2000                # loops
_END = re.compile(r'(?P<name>(?:clos|loop).*?)(?P<gap>[_.-]?)(?P<end>[1A])$')


@dataclass(frozen=True)
class Structure:
    """joints: a tree from the world; closures; motors: joints of the YAML file, None without."""

    joints: dict[str, LinkJoint]
    closures: dict[str, LinkJoint]
    motors: list[str] | None


def structure(robot: Element, links: Mapping[str, Link], frames: Mapping[str, tuple[str, Pose]],
              path: Path, options: ImportOptions, notes: Notes) -> Structure:
    """Return the Structure of <robot>, which was read from a file; raises MechanismError."""
    beside = read_pairs_beside(path, notes)
    joints = [_from_world(read_joint(element, notes), notes)
              for element in children(robot, 'joint')]
    if beside:
        joints = [beside.retyped(joint, notes) for joint in joints]
    tying, closing = _gazebo_joints(robot, links, joints, notes)
    tree = _tree(links, [*joints, *tying], options, notes)
    at_joints = {joint.name: (joint.links[1], still()) for joint in tree.joints.values()}
    paired = beside.closures(links, {**at_joints, **frames}, notes) if beside else ()
    closures = dict(tree.closures)
    for joint in (*closing, *read_loops(list(children(robot, *TAGS)), frames, notes),
                  *paired):
        if len(closures) >= _MOST:
            raise notes.error('loops', f'there are more than {_MOST}')
        joint = _with_name(joint, tree.joints.keys() | closures.keys(), notes)
        for link in joint.links:
            if link != WORLD and link not in links:
                raise notes.error(f'loop {joint.name}', f'there is no link {link}')
        if joint.links[0] == joint.links[1]:
            raise notes.error(f'loop {joint.name}', f'ties {joint.links[0]} to itself')
        closures[joint.name] = joint
    closed = {end for loop in options.loops.values() for end in loop.frames}
    _note_open_ends(links, closed.union(*(one.links for one in closures.values())), notes)
    return Structure(tree.joints, closures, beside.motors if beside else None)


def _note_open_ends(links: Mapping[str, Link], closed: Collection[str], notes: Notes) -> None:
    """Note pairs of links that are named as ends of a loop, but that nothing closes.

    onshape-to-robot writes closing_NAME_1 and closing_NAME_2, older versions closedloop1_A and
    closedloop1_B.
    """
    for first in links:
        if (match := _END.match(first)) is None or first in closed:
            continue
        second = match['name'] + match['gap'] + {'1': '2', 'A': 'B'}[match['end']]
        if second in links:
            notes.left_out(f'link {first}',
                           f'it looks like the end of a loop with {second}; import: loops: '
                           f'{{{match["name"]}: {{kind: revolute, frames: [{first}, {second}]}}}} '
                           'closes it')


def _with_name(joint: LinkJoint, taken: Iterable[str], notes: Notes) -> LinkJoint:
    """Return a closure with a name of its own."""
    if joint.name:
        if joint.name in taken:
            raise notes.error(f'loop {joint.name}', 'there is a joint of this name')
        return joint
    name = '_to_'.join(joint.links)
    while name in taken:
        name += '_'
    return replace(joint, name=name)


def _tree(links: Mapping[str, Link], joints: Sequence[LinkJoint], options: ImportOptions,
          notes: Notes) -> JointTree:
    """Return the tree of joints; says which of them close loops."""
    held = any(WORLD in joint.links for joint in joints)
    moves = any(joint.kind != 'weld' for joint in joints)
    tree = joint_tree(links, joints, notes, base=options.base,
                      default_base=FLOATING if held or not moves else FIXED)
    poses = drawn_poses(Machine('', links, tree.joints), {}) if tree.closures else {}
    size = extent(poses)
    closures = {}
    holding = {joint.links[1]: name for name, joint in tree.joints.items()}
    described = {joint.name for joint in joints}
    for name, joint in tree.closures.items():
        link = joint.links[1]
        notes.changed(f'joint {name}', f'closes a loop: {link} hangs on joint {holding[link]} '
                                       'already')
        is_root = holding[link] not in described        # so its frame is at no other joint
        closures[name] = joint if is_root else where_drawn(joint, poses, size)
        if closures[name] is not joint:
            notes.guessed(f'joint {name}', f'it holds {link} where it is drawn, not at the origin '
                                           f'of {link}, to which another joint leads; import: '
                                           'loops says otherwise')
    return JointTree(tree.joints, closures)


def _from_world(joint: LinkJoint, notes: Notes) -> LinkJoint:
    """Return a joint whose child is not the world, which hangs on nothing."""
    if joint.links[1] != WORLD:
        return joint
    notes.changed(f'joint {joint.name}', f'its child is the world, which does not move; so '
                                         f'{joint.links[0]} hangs on the world')
    return reversed_joint(joint)


def _gazebo_joints(robot: Element, links: Mapping[str, Link], joints: Sequence[LinkJoint],
                   notes: Notes) -> tuple[list[LinkJoint], list[LinkJoint]]:
    """Return joints of <gazebo>: which tie what hangs apart, and which close loops."""
    elements = list(_in_gazebo(robot))
    if not elements:
        return [], []
    tree = joint_tree(links, joints, Notes(notes.file), base=FIXED, default_base=FIXED)
    poses = drawn_poses(Machine('', links, tree.joints), {})
    tying, closing, tied = [], [], _Tied()
    for joint in joints:
        tied.tie(joint)
    for element in elements:
        if (given := read_gazebo_joint(element, poses, notes)) is None:
            continue
        joint = _from_world(given, notes)
        (tying if tied.tie(joint) else closing).append(joint)
    return tying, closing


def _in_gazebo(robot: Element) -> Iterator[Element]:
    return (joint for gazebo in children(robot, 'gazebo') for joint in children(gazebo, 'joint'))


class _Tied:
    """Which links hang together: each leads to another one of its group, or to itself."""

    def __init__(self) -> None:
        self._next: dict[str, str] = {}

    def tie(self, joint: LinkJoint) -> bool:
        """Tie the links of a joint; return whether they were apart."""
        first, second = map(self._last, joint.links)
        self._next[first] = second
        return first != second

    def _last(self, link: str) -> str:
        """Return the link that stands for a group, and lead there at once."""
        last = link
        while self._next.get(last, last) != last:
            last = self._next[last]
        while self._next.get(link, link) != last:
            self._next[link], link = last, self._next.get(link, last)
        return last
