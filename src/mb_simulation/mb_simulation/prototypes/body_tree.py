"""A mechanism's bodies as a tree of joints, rooted in the ground, and the loop closures.

Simulators of robots use trees; a loop closure is added to the tree as a constraint.  A pin in
a slot becomes a joint that slides and turns; sliders are left to constraints only where others have
closed the loop already.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mb_model.space_api import require_plane, spanning_tree


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


def span(bodies: Mapping[str, Sequence[str]], fixed_points: Sequence[str],
         sliders: Iterable[tuple[str, str, str]] = (),
         welded: Iterable[tuple[str, str]] = ()) -> BodyTree:
    """Return the BodyTree of bodies (name -> names of their points), breadth first from the ground.

    sliders: (first, second, point), the point stays on the line of the other two; welded: pairs
    of bodies at a constant angle.  Breadth first keeps the chains short, which keeps the error of
    the closures small; what slides or is welded joins the tree as soon as it can.
    Raises ValueError naming bodies that hang on nothing fixed.
    """
    growth = _Growth(bodies, fixed_points, sliders, welded)
    for body, parent, tie in spanning_tree(None, growth.ties,
                                           lambda tie: tie in growth.used):
        growth.attach(body, parent, tie)
    missing = [body for body in bodies if body not in growth.points]
    if missing:
        raise ValueError(f'bodies {", ".join(missing)}: not joined to any fixed point')
    return BodyTree(tuple(growth.joints), tuple(growth.closures),
                    tuple(AngleClosure(*pair) for pair in growth.left(growth.welded)),
                    tuple(growth.left(growth.sliders)))


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
    """A tree that grows; ties: points that two bodies share, or else sliders and welds."""

    def __init__(self, bodies, fixed_points, sliders, welded):
        self.points: dict[str | None, Sequence[str]] = {None: fixed_points}     # of the tree
        self.sliders, self.welded = list(sliders), list(welded)
        self.used: set[tuple[str, ...]] = set()         # sliders and welds that joints stand for
        self.joints, self.closures = [], []
        self._bodies, self._owner = bodies, dict.fromkeys(fixed_points)
        self._lines = {tuple(slider): None if set(fixed_points).issuperset(slider[:2]) else next(
            name for name, points in bodies.items() if set(slider[:2]) <= set(points))
            for slider in self.sliders}

    def ties(self, parent):
        """Yield (cost, body, tie) of the bodies that may hang on one of the tree."""
        points = self.points[parent]
        for k, slider in enumerate(self.sliders):
            line, point = self._lines[tuple(slider)], slider[2]
            if parent == line:
                yield from (((0, k, n), body, tuple(slider)) for n, (body, own) in enumerate(
                    self._bodies.items()) if point in own)
            elif point in points:
                yield (0, k, 0), line, tuple(slider)
        for k, pair in enumerate(self.welded):
            for way, (body, other) in enumerate((pair, pair[::-1])):
                shared = other == parent and [p for p in self._bodies[body] if p in points]
                if shared:
                    yield (1, k, way), body, (shared[0],)
        for k, point in enumerate(points):
            yield from (((2, len(self.points), k, n), body, (point,)) for n, (body, own) in
                        enumerate(self._bodies.items()) if point in own)

    def attach(self, body, parent, tie):
        """Hang a body on one of the tree."""
        *along, point = tie
        own_line = bool(along) and self._lines[tie] == body
        if along:
            self.used.add(tie)
        self.points[body] = self._bodies[body]
        turns = not (self._use_weld(body, parent) or (along and self._use_twin(
            along, parent if own_line else body)))
        self.joints.append(Joint(body, parent, point, turns, tuple(along), own_line))
        for other in self._bodies[body]:
            if other == point and not along:
                continue
            if other in self._owner:
                self.closures.append(Closure(body, self._owner[other], other))
            else:
                self._owner[other] = body

    def left(self, ties):
        """Return the ties that no joint stands for."""
        return [tie for tie in ties if tuple(tie) not in self.used]

    def _use_weld(self, body, parent):
        """Return whether two bodies are welded, which needs no further constraint then."""
        return self._use(pair for pair in self.welded if set(pair) == {body, parent})

    def _use_twin(self, along, pins):
        """Return whether another point slides along the same line; `pins` is the body of both."""
        return self._use(slider for slider in self.sliders if set(slider[:2]) == set(along)
                         and slider[2] in self.points[pins])

    def _use(self, ties):
        """Return whether one of the ties is left, which is used then."""
        found = next((tuple(tie) for tie in ties if tuple(tie) not in self.used), None)
        if found:
            self.used.add(found)
        return found is not None
