"""All candidates for contacts: points that may be touched, legs that clamp; modes of friction."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import atan, pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.isolation.hypothesis import IsolationSettings
from mb_contact.isolation.isolation_record import CANDIDATE, HYPOTHESIS
from mb_contact.isolation.kernels.explanation import OPEN
from mb_contact.isolation.surfaces import shaped_bodies, surface_of
from mb_model import Mechanism
from mb_model.arrays import FloatArray, RecordArray
from mb_model.space_api import kind_of

_LONG = 3.0            # a shape in space is a leg if it is so many times longer than its radius
_ANGLES = 3                     # in the plane
_RINGS, _AROUND = 2, 8          # in space
_REACH = 0.5          # of the shorter link: things are clamped nearer to the joint than this


class Leg(NamedTuple):
    """A body from the end of its shape at a joint (3) to the other end, radius [m].

    In the body's frame, of a slender body in one whose x is its line.
    """

    body: str
    start: np.ndarray
    end: np.ndarray
    radius: float


def clamping_legs(mechanism: Mechanism) -> list[tuple[Leg, ...]]:
    """Return (Leg, Leg) of all bodies that clamp things."""
    return _in_plane(mechanism) if mechanism.dimension == 2 else _in_space(mechanism)


def _in_plane(mechanism: Mechanism) -> list[tuple[Leg, ...]]:
    """Return the legs whose shapes end at the same point."""
    ends = {name: _end_points(mechanism, name)
            for name, shape in mechanism.shapes.items() if not shape.is_disc}
    return [tuple(_planar_leg(mechanism, name, joint) for name in pair)
            for pair in combinations(ends, 2)
            for joint in ends[pair[0]] if joint in ends[pair[1]]]


def _end_points(mechanism: Mechanism, name: str) -> list[str]:
    """Return the names of a body's points at the ends of its shape."""
    return [point for point, local in mechanism.bodies[name].points.items()
            if tuple(local) in [tuple(end) for end in mechanism.shapes[name].ends]]


def _planar_leg(mechanism: Mechanism, name: str, joint: str) -> Leg:
    shape = mechanism.shapes[name]
    start, ends = np.array(mechanism.bodies[name].points[joint]), np.array(shape.ends)
    return Leg(name, np.append(start, 0.0), np.append(ends.sum(axis=0) - start, 0.0),
               shape.radius)


def _in_space(mechanism: Mechanism) -> list[tuple[Leg, ...]]:
    """Return the legs of joints at which both bodies have a long shape."""
    pairs = []
    for joint in mechanism.joints.values():
        if kind_of(joint).folds and all(body in mechanism.bodies for body in joint.bodies):
            legs = [_spatial_leg(mechanism.bodies[body], local)
                    for body, local in zip(joint.bodies, joint.offsets, strict=True)]
            if all(legs):
                pairs.append(tuple(legs))
    return pairs


def _spatial_leg(body: Any, joint: FloatArray) -> Leg | None:
    """Return the Leg of a body at a joint (3), None if it has no long shape."""
    for solid in body.shapes:
        axis, length, radius = _long_side(solid)
        if length >= _LONG * radius:
            along = length * solid.axes[:, axis]
            ends = [solid.centre - 0.5 * along, solid.centre + 0.5 * along]
            ends.sort(key=lambda end: np.linalg.norm(end - joint))
            if body.slender:
                ends = [np.array([end @ body.line, 0.0, 0.0]) for end in ends]
            return Leg(body.name, *ends, radius)
    return None


def _long_side(solid: Any) -> tuple[int, float, float]:
    """Return the axis along which a Solid is long, its length and its radius across [m]."""
    if solid.kind == 'box':
        axis = int(np.argmax(solid.size))
        return axis, solid.size[axis], 0.25 * (sum(solid.size) - solid.size[axis])
    if solid.kind == 'sphere':
        return 2, 0.0, solid.size[0]
    return 2, solid.size[1], solid.size[0]


def modes_of(dimension: int, friction: float,
             speed: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return cosine and sine of the force's angle to the normal, velocities (k, 2), priors (k).

    friction: the largest coefficient, all being as likely; speed: standard deviation of the
    velocity of the surroundings along each tangent [m/s].  The velocities and their priors
    integrate over its normal distribution to degree 5 (Stroud 1971, E_1^(r^2) 5-1, E_2^(r^2) 5-1).
    """
    if dimension == 2:
        angles = atan(friction) * (np.arange(_ANGLES) + 0.5) / _ANGLES
        velocities = np.outer([0.0, sqrt(3.0), -sqrt(3.0)], [1.0, 0.0])
        priors = np.array([2.0, 0.5, 0.5]) / 3.0
    else:
        angles = np.arctan(friction * (np.arange(_RINGS) + 0.5) / _RINGS)
        around = pi / 3.0 * np.arange(6)
        velocities = np.vstack([np.zeros(2), 2.0 * np.column_stack(
            [np.cos(around), np.sin(around)])])
        priors = np.array([0.5, *(6 * [1.0 / 12.0])])
    angle = np.repeat(angles, len(velocities))
    return (np.column_stack([np.cos(angle), np.sin(angle)]),
            speed * np.tile(velocities, (len(angles), 1)),
            np.tile(priors, len(angles)) / len(angles))


def mode_spread(friction: float) -> float:
    """Return the deviation of what a direction in space stands for, along both tangents [rad].

    Each has its part of the disc of all angles.
    """
    return atan(friction) * sqrt(pi / (_AROUND * _RINGS) / 12.0)


def stuck_spread(friction: float) -> float:
    """Return the deviation of the direction of a force that does not slide [rad].

    All directions within the cone are as likely.
    """
    return 0.5 * atan(friction)


def candidates_of(mechanism: Mechanism, settings: IsolationSettings, modes: int,
                  ) -> tuple[list[tuple[str, ...]], RecordArray, RecordArray]:
    """Return the bodies of each hypothesis, their records (h), and the records of candidates (k).

    modes: how many directions a force may have.  Raises ContactError without shapes.
    """
    names = shaped_bodies(mechanism)
    if not names:
        raise ContactError(f'{mechanism.name}: which body is touched: no body has a shape')
    sizes = {'independent': mechanism.g, 'modes': modes, 'open': OPEN}
    touched = [((name,), touches(mechanism, name, settings, sizes)) for name in names]
    clamped = [(tuple(leg.body for leg in legs), clampings(mechanism, legs, settings, sizes))
               for legs in clamping_legs(mechanism)]
    if settings.clamping_probability == 0.0:
        clamped = []
    hypotheses = np.zeros(len(touched) + len(clamped), HYPOTHESIS)
    share = settings.clamping_probability if clamped else 0.0
    hypotheses['number'] = np.arange(len(hypotheses))
    hypotheses['prior'][:len(touched)] = (1.0 - share) / len(touched)
    hypotheses['prior'][len(touched):] = share / max(1, len(clamped))
    for number, (_, records) in enumerate(touched + clamped):
        records['hypothesis'] = number
    candidates = CANDIDATE.new(sum(len(records) for _, records in touched + clamped), **sizes)
    np.concatenate([records for _, records in touched + clamped], out=candidates)
    return [bodies for bodies, _ in touched + clamped], hypotheses, candidates


def touches(mechanism: Mechanism, name: str, settings: IsolationSettings,
            sizes: Mapping[str, int]) -> RecordArray:
    """Return the candidates (k) of one body that is touched."""
    surface = surface_of(mechanism, name, settings.places)
    records = CANDIDATE.new(len(surface.offsets), **sizes)
    records['contacts'] = 1
    records['body'][:, 0] = list(mechanism.bodies).index(name)
    records['area'] = surface.areas / surface.areas.mean()
    records['spread'], records['curvature'] = surface.spreads, surface.curvatures
    records['at'][:, 0] = surface.offsets
    records['side'][:, 0] = np.stack([surface.normals, surface.tangents, np.cross(
        surface.normals, surface.tangents)], axis=1)
    return records


def clampings(mechanism: Mechanism, legs: Sequence[Leg], settings: IsolationSettings,
              sizes: Mapping[str, int]) -> RecordArray:
    """Return the candidates (k) of something between two legs, equally far from their joint.

    It slips away from the joint, so friction acts on both bodies along it, until their forces are
    opposite.
    """
    lines = [leg.end - leg.start for leg in legs]
    reach = _REACH * min(np.linalg.norm(line) for line in lines)
    distances = reach * (np.arange(settings.places) + 0.5) / settings.places
    records = CANDIDATE.new(len(distances), **sizes)
    records['contacts'] = 2
    for number, (leg, line) in enumerate(zip(legs, lines, strict=True)):
        along = line / np.linalg.norm(line)
        records['body'][:, number] = list(mechanism.bodies).index(leg.body)
        records['middle'][:, number] = leg.start + distances[:, None] * along
        records['radius'][:, number], records['leg'][:, number] = leg.radius, along
    return records
