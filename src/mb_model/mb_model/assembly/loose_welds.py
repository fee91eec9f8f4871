"""Welds that close loops of a machine in space, and cannot: their points can meet, frames cannot.

Tools that write pairs of frames call each of them rigid where a rod has a ball joint at both ends.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from mb_model.assembly.joint_closing import JointClosing
from mb_model.assembly.joint_tree import JointTree
from mb_model.assembly.rounded_axes import joints_in_loops
from mb_model.compilation.spatial.layout import size_of
from mb_model.mechanism_file.description import Description
from mb_model.space.body import GROUND

WELD, LOOSE = 'weld', 'spherical'


@dataclass(frozen=True)
class LooseWeld:
    """A weld that is to be a ball joint; because: the one whose loop does not close, or all.

    Loops of these share joints.  gap: how far they are open at their nearest to closing [m].
    """

    name: str
    because: tuple[str, ...]
    gap: float


def welds_in_loops(description: Description) -> list[str]:
    """Return the names of the welds that close loops."""
    looped = {*joints_in_loops(description)}
    return [name for name, joint in description.joints.items()
            if joint.kind == WELD and name in looped]


def loosened(description: Description, welds: Collection[str]) -> Description:
    """Return a Description with ball joints in place of welds."""
    return replace(description, joints={
        name: replace(joint, kind=LOOSE) if name in welds else joint
        for name, joint in description.joints.items()})


def loose_welds(description: Description) -> Iterator[LooseWeld]:
    """Yield the welds of loops that do not close with them.

    Loops that share joints close together or not at all: of these all welds.
    """
    welds = welds_in_loops(description)
    loops = _loops(loosened(description, welds))
    for block in _blocks(loops):
        names = sorted((name for name in block if name in welds), key=lambda one: len(loops[one]))
        judged = [((name,), loops[name]) for name in names]
        if len(block) > 1:
            judged.append((tuple(names), set[str]().union(*(loops[name] for name in block))))
        for because, joints in judged if names else ():
            if gap := JointClosing(_part(description, joints)).least_gap():
                yield from (LooseWeld(name, because, gap) for name in names)
                break


def _loops(description: Description) -> dict[str, set[str]]:
    """Return closure -> the joints of the loop that it closes, itself too."""
    tree = JointTree(description, size_of(description))
    return {joint.name: {joint.name, *tree.loop(joint)} for joint in tree.closures}


def _blocks(loops: dict[str, set[str]]) -> list[list[str]]:
    """Return closures whose loops share joints, directly or by way of others."""
    blocks: list[tuple[list[str], set[str]]] = []
    for name, joints in loops.items():
        met = [block for block in blocks if not block[1].isdisjoint(joints)]
        blocks = [block for block in blocks if block not in met]
        blocks.append(([*(one for block in met for one in block[0]), name],
                       joints.union(*(block[1] for block in met))))
    return [names for names, _ in blocks]


def _part(description: Description, joints: Collection[str]) -> Description:
    """Return the part of a Description with some joints, which floats if it has no ground."""
    kept = {name: joint for name, joint in description.joints.items() if name in joints}
    bodies = {body for joint in kept.values() for body in joint.bodies if body != GROUND}
    coordinates = {name: one for name, one in description.coordinates.items() if one.joint in kept}
    poses = JointTree(description, 1.0).drawn
    return replace(
        description, joints=kept, coordinates=coordinates, constraints={}, forces={},
        bodies={name: replace(body, pose=poses[name])
                for name, body in description.bodies.items() if name in bodies},
        start={name: value for name, value in description.start.items() if name in coordinates})

