"""Axes that rounded numbers leave nearly parallel.

On each body, or bodies that are welded, axes of joints within _PARALLEL of each other are meant to
be parallel: '1.5708' is 4e-6 rad off a right angle.  Hinges of a loop that are not parallel by so
little leave it no motion.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.compilation.spatial.groups import rigid_groups
from mb_model.mechanism_file.description import Description
from mb_model.registry.joints import kind_of
from mb_model.space.joint import Joint

_PARALLEL = 2e-3        # rad
_EXACT = 1e-9           # rad
_NAMED = 3              # pairs of axes


@dataclass(frozen=True)
class RoundedAxis:
    """An axis that is not quite parallel to the axis of another joint on the same body, or weld."""

    joint: str
    side: int                            # on which of its bodies
    other: str                           # the joint
    body: str
    angle: float                         # off parallel [rad]
    axis: FloatArray                     # parallel to the other's, in the frame of the side (3)


def joints_in_loops(description: Description) -> list[str]:
    """Return the names of the joints of a Description without which no fewer bodies hang together.
    """
    return [name for name, joint in description.joints.items()
            if _are_tied(joint.bodies, (other.bodies for other in description.joints.values()
                                        if other is not joint))]


def _are_tied(bodies: tuple[str, str], ties: Iterable[tuple[str, str]]) -> bool:
    """Whether pairs of bodies lead from one body to another."""
    beside = dict[str, set[str]]()
    for first, second in ties:
        beside.setdefault(first, set()).add(second)
        beside.setdefault(second, set()).add(first)
    reached, newest = {bodies[0]}, [bodies[0]]
    while newest and bodies[1] not in reached:
        more = beside.get(newest.pop(), set()) - reached
        reached |= more
        newest += more
    return bodies[1] in reached


def rounded_axes(description: Description) -> Iterator[RoundedAxis]:
    """Yield the axes of a Description in space that are off axes of others on the same body.

    Axes next to an axis of the body's frame are meant to be along that.  Joints in no loop may lean
    by as little on purpose, as of a calibrated arm.
    """
    groups = rigid_groups(description)
    looped = joints_in_loops(description)
    clusters: dict[str, list[list[tuple[Joint, int, FloatArray]]]] = {}      # by group
    for joint in (description.joints[name] for name in looped):
        for side, body in enumerate(joint.bodies if kind_of(joint).axis else ()):
            _, axes = groups[body].members[body]
            direction = axes @ joint.frames[side][:, 2]
            known = clusters.setdefault(groups[body].name, [])
            for cluster in known:
                if _sine(direction, cluster[0][2]) < _PARALLEL:
                    cluster.append((joint, side, direction))
                    break
            else:
                known.append([(joint, side, direction)])
    for cluster in (one for known in clusters.values() for one in known):
        meant = _along_an_axis(cluster[0][2])
        for joint, side, direction in cluster:
            sine, body = _sine(direction, meant), joint.bodies[side]
            others = [other.name for other, _, _ in cluster if other is not joint]
            if sine > _EXACT and others:
                _, axes = groups[body].members[body]
                yield RoundedAxis(joint.name, side, others[0], body, float(np.arcsin(sine)),
                                  axes.T @ meant * np.sign(direction @ meant))


def _sine(first: FloatArray, second: FloatArray) -> float:
    """Return the sine of the angle between two unit vectors (3)."""
    return float(np.linalg.norm(np.cross(first, second)))


def in_words(one: RoundedAxis) -> str:
    """Return in words which two axes are how far off."""
    return (f'joints.{one.other} and joints.{one.joint} have axes on {one.body} that are '
            f'{one.angle:.3g} rad from parallel')


def rounded_hint(description: Description) -> str:
    """Return what to do about axes that are nearly parallel, behind a message; else empty."""
    if description.dimension != 3:
        return ''
    rounded = list(dict.fromkeys(in_words(one) for one in rounded_axes(description)))
    return (rounded and (f'; {"; ".join(rounded[:_NAMED])}: if numbers are rounded, write the same '
                        'axis, or `repairs: true` in the file')) or ''


def _along_an_axis(direction: FloatArray) -> FloatArray:
    """Return the axis of the frame that a direction (3) is next to within rounding, else itself."""
    nearest = np.zeros(3)
    largest = int(np.abs(direction).argmax())
    nearest[largest] = np.sign(direction[largest])
    return nearest if _sine(direction, nearest) < _PARALLEL else direction
