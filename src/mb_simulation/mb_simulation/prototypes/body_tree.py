"""A mechanism's bodies as a tree of joints, rooted in the ground, and the loop closures.

Simulators of robots use trees; a loop closure is added to the tree as a constraint.  A pin in
a slot becomes a joint that slides and turns; sliders are left to constraints only where others have
closed the loop already.
"""

from collections import deque
from dataclasses import dataclass

from mb_model.space_api import require_plane


@dataclass(frozen=True)
class Joint:
    """Hangs `body` on `parent` (None: the ground) at a point.

    turns: the body turns about the point; else it keeps its angle to the parent.  along: the two
    points of the line that the point slides along, () if it is a point of both.  own_line: the
    line belongs to the body and the point to the parent; else it is the other way round.
    """

    body: str
    parent: str | None
    point: str
    turns: bool = True
    along: tuple[str, ...] = ()
    own_line: bool = False


@dataclass(frozen=True)
class Closure:
    """The same point of two bodies (other None: the ground) that the tree leaves apart."""

    body: str
    other: str | None
    point: str


@dataclass(frozen=True)
class AngleClosure:
    """Two bodies at a constant angle that the tree lets turn."""

    body: str
    other: str


@dataclass(frozen=True)
class BodyTree:
    """Joints, parents before children, and the closures that complete the mechanism."""

    joints: tuple[Joint, ...]
    closures: tuple[Closure, ...]
    angle_closures: tuple[AngleClosure, ...] = ()
    slider_closures: tuple[tuple[str, str, str], ...] = ()      # (first, second, point) of a line


def span(bodies, fixed_points, sliders=(), welded=()):
    """Return the BodyTree of bodies (name -> names of their points), breadth first from the ground.

    sliders: (first, second, point), the point stays on the line of the other two; welded: pairs
    of bodies at a constant angle.  Breadth first keeps the chains short, which keeps the error of
    the closures small; what slides or is welded joins the tree as soon as it can.
    Raises ValueError naming bodies that hang on nothing fixed.
    """
    growth = _Growth(bodies, fixed_points, sliders, welded)
    growth.take_strong()
    while growth.reached:
        point = growth.reached.popleft()
        for body in [name for name, points in bodies.items() if point in points]:
            if body in growth.waiting:
                growth.attach(body, growth.owner[point], point)
                growth.take_strong()
    if growth.waiting:
        raise ValueError(f'bodies {", ".join(growth.waiting)}: not joined to any fixed point')
    return BodyTree(tuple(growth.joints), tuple(growth.closures),
                    tuple(AngleClosure(*pair) for pair in growth.welded), tuple(growth.sliders))


def tree_of(mechanism):
    """Return the BodyTree of a mechanism in the plane; raises ValueError if bodies lack support."""
    require_plane(mechanism, 'a tree of bodies')
    constraints = mechanism.described.constraints.values()
    sliders, welded = ([getattr(one, key) for one in constraints if one.kind == kind]
                       for kind, key in (('slider', 'points'), ('welded_angle', 'bodies')))
    try:
        return span({name: tuple(body.points) for name, body in mechanism.bodies.items()},
                    [name for name, point in mechanism.points.items() if point.fixed],
                    sliders, welded)
    except ValueError as error:
        raise ValueError(f'{mechanism.file}: {error}') from None


class _Growth:
    """A tree that grows, and the bodies left to join."""

    def __init__(self, bodies, fixed_points, sliders, welded):
        self.waiting = dict(bodies)
        self.owner = dict.fromkeys(fixed_points)        # point -> body of the tree
        self.reached = deque(fixed_points)              # points that bodies may hang on
        self.sliders, self.welded = list(sliders), list(welded)
        self.joints, self.closures = [], []
        self._bodies, self._fixed = bodies, frozenset(fixed_points)

    def attach(self, body, parent, point, along=(), own_line=False):
        """Hang a body on one of the tree."""
        points = self.waiting.pop(body)
        turns = not (self._use_weld(body, parent) or (along and self._use_twin(
            along, parent if own_line else body)))
        self.joints.append(Joint(body, parent, point, turns, tuple(along), own_line))
        for other in points:
            if other == point and not along:
                continue
            if other in self.owner:
                self.closures.append(Closure(body, self.owner[other], other))
            else:
                self.owner[other] = body
                self.reached.append(other)

    def take_strong(self):
        """Attach bodies that slide along the tree or are welded to it, until none is left."""
        while self._take_slider() or self._take_weld():
            pass

    def _take_slider(self):
        for slider in self.sliders:
            *along, point = slider
            line = self._owner_of_line(along)
            if line is None or line not in self.waiting:
                body = next((b for b, points in self.waiting.items() if point in points), None)
                parent, own_line = line, False
            else:
                body = line if point in self.owner else None
                parent, own_line = self.owner.get(point), True
            if body is not None:
                self.sliders.remove(slider)
                self.attach(body, parent, point, along, own_line)
                return True
        return False

    def _take_weld(self):
        for pair in self.welded:
            for body, parent in (pair, pair[::-1]):
                if body in self.waiting and parent not in self.waiting:
                    point = next((p for p in self.waiting[body] if p in self._bodies[parent]), None)
                    if point is not None:
                        self.attach(body, parent, point)
                        return True
        return False

    def _owner_of_line(self, along):
        """Return the body that has both points of a line, None for the ground."""
        if self._fixed.issuperset(along):
            return None
        return next(name for name, points in self._bodies.items() if set(along) <= set(points))

    def _use_weld(self, body, parent):
        """Return whether two bodies are welded, which needs no further constraint then."""
        pair = next((pair for pair in self.welded if set(pair) == {body, parent}), None)
        if pair:
            self.welded.remove(pair)
        return bool(pair)

    def _use_twin(self, along, pins):
        """Return whether another point slides along the same line; `pins` is the body of both."""
        points = self._fixed if pins is None else self._bodies[pins]
        twin = next((slider for slider in self.sliders
                     if set(slider[:2]) == set(along) and slider[2] in points), None)
        if twin:
            self.sliders.remove(twin)
        return bool(twin)
