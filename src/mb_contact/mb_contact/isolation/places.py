"""All places where a mechanism may be touched, or clamp something."""

from itertools import combinations

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.isolation.isolation_record import HYPOTHESIS, PLACE
from mb_contact.isolation.surfaces import left_of, surface_of

_REACH = 0.5          # of the shorter link: things are clamped nearer to the joint than this


def places_of(mechanism, settings):
    """Return the bodies of each hypothesis, their records (h), and the records of places (k).

    Raises ContactError without shapes.
    """
    if not mechanism.shapes:
        raise ContactError(f'{mechanism.name}: which body is touched: no body has a shape')
    touched = [((name,), touches(mechanism, name, settings)) for name in mechanism.shapes]
    clamped = [(pair, clampings(mechanism, pair, joint, settings))
               for pair, joint in clamping_pairs(mechanism)]
    if settings.clamping_probability == 0.0:
        clamped = []
    hypotheses = np.zeros(len(touched) + len(clamped), HYPOTHESIS)
    share = settings.clamping_probability if clamped else 0.0
    hypotheses['number'] = np.arange(len(hypotheses))
    hypotheses['prior'][:len(touched)] = (1.0 - share) / len(touched)
    hypotheses['prior'][len(touched):] = share / max(1, len(clamped))
    for number, (_, records) in enumerate(touched + clamped):
        records['hypothesis'] = number
    places = PLACE.new(sum(len(records) for _, records in touched + clamped),
                       independent=mechanism.g)
    np.concatenate([records for _, records in touched + clamped], out=places)
    return [bodies for bodies, _ in touched + clamped], hypotheses, places


def touches(mechanism, name, settings):
    """Return the places (k) of one body that is touched."""
    places, normals = surface_of(mechanism.shapes[name], settings.places)
    records = PLACE.new(len(places), independent=mechanism.g)
    records['contacts'] = 1
    records['index'][:, 0] = mechanism.body_indices(name)
    records['at'][:, 0], records['normal'][:, 0], records['turn'][:, 0] = places, normals, 1.0
    return records


def clamping_pairs(mechanism):
    """Return ((body, body), joint) of shapes that end at the same point: they clamp things."""
    ends = {name: _end_points(mechanism, name)
            for name, shape in mechanism.shapes.items() if not shape.is_disc}
    return [(pair, joint) for pair in combinations(ends, 2)
            for joint in ends[pair[0]] if joint in ends[pair[1]]]


def clampings(mechanism, pair, joint, settings):
    """Return the places (k) of something between two shapes, equally far from their joint.

    It slips away from the joint, so friction acts on both bodies that way, until their forces are
    opposite.
    """
    legs = [_leg(mechanism, name, joint) for name in pair]
    reach = _REACH * min(np.hypot(*leg) for _, leg in legs)
    distances = reach * (np.arange(settings.places) + 0.5) / settings.places
    both = PLACE.new(2 * len(distances), independent=mechanism.g)
    records = both.reshape(2, len(distances))
    records['contacts'] = 2
    for number, (name, (start, leg)) in enumerate(zip(pair, legs, strict=True)):
        records['index'][:, :, number] = mechanism.body_indices(name)
        along, radius = leg / np.hypot(*leg), mechanism.shapes[name].radius
        for side, sign in enumerate((1.0, -1.0)):
            # Left of one leg is right of the other, seen from the joint.
            outward = sign * (1.0, -1.0)[number] * left_of(leg)
            records['at'][side, :, number] = (start + distances[:, None] * along
                                              + radius * outward)
            records['normal'][side, :, number] = -outward
            records['turn'][side, :, number] = np.sign(left_of(-outward) @ along)
    return both


def _end_points(mechanism, name):
    """Return the names of a body's points at the ends of its shape."""
    return [point for point, place in mechanism.bodies[name].points.items()
            if tuple(place) in [tuple(end) for end in mechanism.shapes[name].ends]]


def _leg(mechanism, name, joint):
    """Return where the joint is in the body's frame (2), and the vector to the other end (2)."""
    start = np.array(mechanism.bodies[name].points[joint])
    ends = np.array(mechanism.shapes[name].ends)
    return start, ends.sum(axis=0) - 2.0 * start
