"""All places where a mechanism may be touched, or clamp something, and the ways to touch them."""

from math import atan, pi, sqrt

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.isolation.isolation_record import HYPOTHESIS, PLACE
from mb_contact.isolation.kernels.explanation import OPEN
from mb_contact.isolation.legs import clamping_legs
from mb_contact.isolation.surfaces import shaped_bodies, surface_of

_ANGLES = 3                     # in the plane
_RINGS, _AROUND = 2, 8          # in space
_REACH = 0.5          # of the shorter link: things are clamped nearer to the joint than this


def ways_of(dimension, friction, speed):
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


def way_spread(friction):
    """Return the deviation of what a direction in space stands for, along both tangents [rad].

    Each has its part of the disc of all angles.
    """
    return atan(friction) * sqrt(pi / (_AROUND * _RINGS) / 12.0)


def stuck_spread(friction):
    """Return the deviation of the direction of a force that does not slide [rad].

    All directions within the cone are as likely.
    """
    return 0.5 * atan(friction)


def places_of(mechanism, settings, ways):
    """Return the bodies of each hypothesis, their records (h), and the records of places (k).

    ways: how many directions a force may have.  Raises ContactError without shapes.
    """
    names = shaped_bodies(mechanism)
    if not names:
        raise ContactError(f'{mechanism.name}: which body is touched: no body has a shape')
    sizes = {'independent': mechanism.g, 'ways': ways, 'open': OPEN}
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
    places = PLACE.new(sum(len(records) for _, records in touched + clamped), **sizes)
    np.concatenate([records for _, records in touched + clamped], out=places)
    return [bodies for bodies, _ in touched + clamped], hypotheses, places


def touches(mechanism, name, settings, sizes):
    """Return the places (k) of one body that is touched."""
    surface = surface_of(mechanism, name, settings.places)
    records = PLACE.new(len(surface.places), **sizes)
    records['contacts'] = 1
    records['body'][:, 0] = list(mechanism.bodies).index(name)
    records['area'] = surface.areas / surface.areas.mean()
    records['spread'], records['curvature'] = surface.spreads, surface.curvatures
    records['at'][:, 0] = surface.places
    records['side'][:, 0] = np.stack([surface.normals, surface.tangents, np.cross(
        surface.normals, surface.tangents)], axis=1)
    return records


def clampings(mechanism, legs, settings, sizes):
    """Return the places (k) of something between two legs, equally far from their joint.

    It slips away from the joint, so friction acts on both bodies that way, until their forces are
    opposite.
    """
    ways = [leg.end - leg.start for leg in legs]
    reach = _REACH * min(np.linalg.norm(way) for way in ways)
    distances = reach * (np.arange(settings.places) + 0.5) / settings.places
    records = PLACE.new(len(distances), **sizes)
    records['contacts'] = 2
    for number, (leg, way) in enumerate(zip(legs, ways, strict=True)):
        along = way / np.linalg.norm(way)
        records['body'][:, number] = list(mechanism.bodies).index(leg.body)
        records['middle'][:, number] = leg.start + distances[:, None] * along
        records['radius'][:, number], records['leg'][:, number] = leg.radius, along
    return records
