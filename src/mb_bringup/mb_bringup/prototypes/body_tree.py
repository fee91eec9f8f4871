"""A mechanism's bodies as a tree of revolute joints, rooted in the ground, plus loop closures.

Simulators of robots know trees; what closes a loop is added to the tree as a constraint.
"""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Joint:
    """A revolute joint that hangs `body` on `parent` (None: the ground) at a shared point."""

    body: str
    parent: str | None
    point: str


@dataclass(frozen=True)
class Closure:
    """The same point of two bodies (other None: the ground) that the tree leaves apart."""

    body: str
    other: str | None
    point: str


@dataclass(frozen=True)
class BodyTree:
    """Joints, parents before children, and the closures that complete the mechanism."""

    joints: tuple[Joint, ...]
    closures: tuple[Closure, ...]


def span(bodies, fixed_points):
    """Return the BodyTree of bodies (name -> names of their points), breadth first from the ground.

    Breadth first keeps the chains short, which keeps the error of the closures small.  Raises
    ValueError naming the bodies that hang on nothing fixed.
    """
    owner = dict.fromkeys(fixed_points)
    reached = deque(fixed_points)
    joints, closures = [], []
    waiting = dict(bodies)
    while reached:
        point = reached.popleft()
        for body in [name for name, points in waiting.items() if point in points]:
            joints.append(Joint(body, owner[point], point))
            for other in waiting.pop(body):
                if other == point:
                    continue
                if other in owner:
                    closures.append(Closure(body, owner[other], other))
                else:
                    owner[other] = body
                    reached.append(other)
    if waiting:
        raise ValueError(f'bodies {", ".join(waiting)}: not joined to any fixed point')
    return BodyTree(tuple(joints), tuple(closures))
