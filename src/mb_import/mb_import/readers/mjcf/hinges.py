"""Two points of one body that meet two of another: a hinge about the line through them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mb_import.machine import LinkJoint
from mb_import.notes import Notes
from mb_model.space_api import Pose, shortest

_NEAR = 1e-6         # relative difference of the distances of both pairs of points


def with_hinges(closures: Mapping[str, LinkJoint], notes: Notes) -> dict[str, LinkJoint]:
    """Return closures in which two balls between the same links are one hinge, with a note."""
    pairs: dict[frozenset[str], list[LinkJoint]] = {}
    for closure in closures.values():
        if closure.kind == 'spherical':
            pairs.setdefault(frozenset(closure.links), []).append(closure)
    hinges = dict(closures)
    for balls in pairs.values():
        hinge = _hinge(*balls) if len(balls) == 2 else None
        if hinge is not None:
            first, second = (ball.name for ball in balls)
            notes.changed(f'equality {second}', f'together with {first} a hinge about the line '
                                                'through both points')
            hinges[first] = hinge
            del hinges[second]
    return hinges


def _hinge(first: LinkJoint, second: LinkJoint) -> LinkJoint | None:
    """Return the hinge that two balls are, None if their points do not fit."""
    ends = second.frames if second.links == first.links else second.frames[::-1]
    lines = [end.at - frame.at for frame, end in zip(first.frames, ends, strict=True)]
    sizes = [float(np.linalg.norm(line)) for line in lines]
    if not sizes[0] or abs(sizes[0] - sizes[1]) > _NEAR * sizes[0]:
        return None
    here, there = (line / size for line, size in zip(lines, sizes, strict=True))
    one, other = first.frames
    axis = one.turn.T @ here
    turn = shortest(other.turn @ axis, there) @ other.turn
    return replace(first, kind='revolute', frames=(one, Pose(other.at, turn)), axis=axis)
