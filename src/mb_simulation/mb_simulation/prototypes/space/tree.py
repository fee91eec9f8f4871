"""A mechanism in space as a tree of bodies: which joints carry bodies, and which close loops."""

from dataclasses import dataclass
from typing import Any

from mb_model import Mechanism

GROUND = 'ground'       # what files call what does not move
# Joints that carry a body rather than close a loop, the first ones first.  Sections of a body that
# bends are bodies that hang on it, or that carry it.
_CARRY = ('first_section', 'section', 'weld', 'prismatic', 'cylindrical', 'screw', 'planar',
          'universal', 'revolute', 'spherical')


@dataclass(frozen=True)
class Carried:
    """A body on its parent, by a joint of the mechanism; None: it floats over the ground."""

    body: str
    parent: str
    joint: Any


@dataclass(frozen=True)
class SpatialTree:
    """Bodies, parents before children, and the joints that close loops."""

    carried: tuple[Carried, ...]
    closures: tuple[Any, ...]


def spatial_tree(mechanism: Mechanism) -> SpatialTree:
    """Return the SpatialTree of a mechanism in space: Kruskal 1956, joints in the order of _CARRY.

    Of a kind, joints with coordinates come first.  Massless rods (distance, revolute_spherical)
    close loops.
    """
    group = {name: name for name in (GROUND, *mechanism.bodies)}

    def root(name):
        while group[name] != name:
            name = group[name]
        return name

    carrying, known = [], {one.joint for one in mechanism.described.coordinates.values()}
    order = sorted((joint for joint in mechanism.joints.values() if joint.kind in _CARRY),
                   key=lambda joint: (_CARRY.index(joint.kind), joint.name not in known))
    for joint in order:
        first, second = map(root, joint.bodies)
        if first != second:
            group[first] = second
            carrying.append(joint)
    carried, known = [], [GROUND]
    while len(known) <= len(mechanism.bodies):
        found = next(((joint, side) for joint in carrying for side in (0, 1)
                      if joint.bodies[side] in known and joint.bodies[1 - side] not in known), None)
        if found:
            joint, side = found
            carried.append(Carried(joint.bodies[1 - side], joint.bodies[side], joint))
        else:
            body = next(name for name in mechanism.bodies if name not in known)
            carried.append(Carried(body, GROUND, None))
        known.append(carried[-1].body)
    names = {joint.name for joint in carrying}
    return SpatialTree(tuple(carried), tuple(joint for joint in mechanism.joints.values()
                                             if joint.name not in names))
