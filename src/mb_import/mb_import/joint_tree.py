"""Links and joints of a description as a tree from the world, and what closes loops."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mb_import.machine import WORLD, Link, LinkJoint
from mb_import.notes import Notes
from mb_import.options import FIXED, FLOATING
from mb_model.space_api import Pose

_CLOSING = 'distance', 'in_line'        # kinds that no link hangs on
_MOST = 2000                            # links or joints


@dataclass(frozen=True)
class JointTree:
    """joints: a tree from WORLD, parents before children; closures: all others."""

    joints: dict[str, LinkJoint]
    closures: dict[str, LinkJoint]


def still() -> Pose:
    """Return the pose of a frame that agrees with the one outside."""
    return Pose(np.zeros(3), np.eye(3))


def joint_tree(links: Mapping[str, Link], joints: Sequence[LinkJoint], notes: Notes, *,
               base: str, default_base: str, placed: Mapping[str, Pose] | None = None) -> JointTree:
    """Return the JointTree of joints; what hangs on nothing gets a base joint to the world.

    base: of the options, '' to take default_base, fixed or floating, with a note.  A joint whose
    child hangs on another one already closes a loop; but if that is all that holds its parent, and
    the base floats, the parent hangs on the child.  placed: drawn poses of links that no joint
    leads to, at the origin else.  Raises MechanismError for links that are not there.
    """
    _check(links, joints, notes)
    tree: dict[str, LinkJoint] = {}
    reached = {WORLD}
    base, guessed = base or default_base, not base
    _grow(tree, reached, joints, back=base == FLOATING)
    for root in _roots(links, joints):
        if root not in reached:
            _add_base(tree, reached, root, notes, base, guessed, placed or {})
            _grow(tree, reached, joints, back=base == FLOATING)
    closures = {joint.name: joint for joint in joints if joint.name not in tree}
    for joint in closures.values():
        if joint.kind == 'free':
            raise notes.error(f'joint {joint.name}', f'{joint.links[1]} hangs on another joint, '
                                                     'and this one leaves it free')
    return JointTree(tree, closures)


def _check(links: Mapping[str, Link], joints: Sequence[LinkJoint], notes: Notes) -> None:
    """Names exist, each joint has one of its own, and there are not too many."""
    if max(len(links), len(joints)) > _MOST:
        raise notes.error('machine', f'has more than {_MOST} links or joints')
    named: set[str] = set()
    for joint in joints:
        if joint.name in named:
            raise notes.error(f'joint {joint.name}', 'there are two joints of this name')
        named.add(joint.name)
        for link in joint.links:
            if link != WORLD and link not in links:
                raise notes.error(f'joint {joint.name}', f'there is no link {link}')
        if joint.links[0] == joint.links[1]:
            raise notes.error(f'joint {joint.name}', f'ties {joint.links[0]} to itself')


def _grow(tree: dict[str, LinkJoint], reached: set[str], joints: Sequence[LinkJoint], *,
          back: bool) -> None:
    """Add joints whose parent is reached and whose child is not, until there are none.

    back: then, one by one, joints with a child that is reached, turned over.
    """
    waiting = [joint for joint in joints if joint.name not in tree and joint.kind not in _CLOSING]
    while waiting:
        later = []
        for joint in waiting:
            if joint.links[0] in reached and joint.links[1] not in reached:
                tree[joint.name] = joint
                reached.add(joint.links[1])
            elif not reached.issuperset(joint.links):
                later.append(joint)
        if len(later) == len(waiting):
            turned = next((joint for joint in later if back and joint.links[1] in reached), None)
            if turned is None:
                return
            tree[turned.name] = reversed_joint(turned)
            reached.add(turned.links[0])
            later.remove(turned)
        waiting = later


def _roots(links: Mapping[str, Link], joints: Iterable[LinkJoint]) -> list[str]:
    """Return links that no joint leads to, first, then all others: a ring has no root."""
    children = {joint.links[1] for joint in joints}
    return [*(name for name in links if name not in children),
            *(name for name in links if name in children)]


def _add_base(tree: dict[str, LinkJoint], reached: set[str], root: str, notes: Notes, base: str,
              guessed: bool, placed: Mapping[str, Pose]) -> None:
    """Tie a root to the world."""
    name = f'{root}_base'
    while name in tree:
        name += '_'
    if guessed:
        other = FLOATING if base == FIXED else FIXED
        notes.guessed(f'link {root}', f'taken for {base}, as nothing holds it; import: base: '
                                      f'{other} says otherwise')
    tree[name] = LinkJoint(name, 'weld' if base == FIXED else 'free', (WORLD, root),
                           (placed.get(root, still()), still()))
    reached.add(root)


def reversed_joint(joint: LinkJoint) -> LinkJoint:
    """Return a joint seen from its child: the child is the parent, and its axis the other way.

    So its coordinate stays what it is.  The axes of a universal joint change sides.
    """
    first = joint.axis if joint.second_axis is None else joint.second_axis
    return replace(joint, links=joint.links[::-1], frames=joint.frames[::-1],
                   axis=None if first is None else -first,
                   second_axis=None if joint.second_axis is None else joint.axis)
