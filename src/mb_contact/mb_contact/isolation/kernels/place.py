"""A place where a mechanism may be touched: effects of forces there, and their priors."""

from math import acos, sin, sqrt

from mb_contact.isolation.kernels.normal import expected_rate, normal_probability, turned
from mb_model.jit import kernel
from mb_model.kernel_api import cross

_HOLDS = 0.7      # share of clamped things that do not slip
_IN_LINE = 1e-6   # sine of the angle of legs that clamp nothing, and of directions that are one
_ACROSS, _ALONG, _BESIDE = 0, 1, 2


@kernel
def locate(frames, place, contact):
    """Write point and axes of a contact, from where it is in its body's frame."""
    frame, at = frames[place.body[contact]], place.at[contact]
    for axis in range(3):
        place.point[contact, axis] = frame.vector[0, axis]
        for i in range(3):
            place.point[contact, axis] += at[i] * frame.vector[i + 1, axis]
        for direction in range(3):
            total = 0.0
            for i in range(3):
                total += place.side[contact, direction, i] * frame.vector[i + 1, axis]
            place.axes[contact, direction, axis] = total


@kernel
def add_effects(frames, place, contact, g):
    """Add the effects on z of unit forces along the axes of a contact.

    carried_effect: of forces along x, y and z of which each contact takes an equal share.
    """
    frame, at = frames[place.body[contact]], place.at[contact]
    for k in range(g):
        for axis in range(3):
            speed = frame.by_z[0, axis, k]
            for i in range(3):
                speed += at[i] * frame.by_z[i + 1, axis, k]
            for direction in range(3):
                place.effect[direction, k] += place.axes[contact, direction, axis] * speed
                for i in range(2):
                    place.moved_effect[i, direction, k] += (
                        place.axes[contact, direction, axis] * _way_there(frame, place, i, axis, k))
            place.carried_effect[axis, k] += speed / place.contacts


@kernel
def _way_there(frame, place, i, axis, k):
    """Return what moving a touch along its tangent i changes of its velocity, by zd_k."""
    total = 0.0
    for j in range(3):
        total += place.side[0, 1 + i, j] * frame.by_z[j + 1, axis, k]
    return total


@kernel
def touch(frames, place, evidence, g):
    """Write a single contact in frames at a state, and the priors of its ways.

    prior: the rate at which the surface met points scattered all over, which move with the
    deviation surroundings_speed, times the probability that friction acts that way, against the
    present sliding.
    """
    locate(frames, place, 0)
    add_effects(frames, place, 0, g)
    inward, along, beside, deviation = 0.0, 0.0, 0.0, evidence.surroundings_speed
    for k in range(g):
        inward += place.effect[_ACROSS, k] * evidence.approach[k]
        along += place.effect[_ALONG, k] * evidence.zd[k]
        beside += place.effect[_BESIDE, k] * evidence.zd[k]
    rate = place.area * expected_rate(-inward, deviation)
    if place.spread[0] > 0.0:
        _rub(place, evidence, rate, along, beside)
        return
    for way in range(place.prior.size):
        direction = evidence.way[way]
        sliding = 0.0
        if direction[_ALONG] != 0.0:
            sliding = along if direction[_ALONG] > 0.0 else -along
        for axis in range(3):
            place.share[way, axis] = direction[axis]
        place.prior[way] = rate * normal_probability(-sliding / deviation)


@kernel
def _rub(place, evidence, rate, along, beside):
    """Write the ways of a touch in space, about the direction against its sliding, and priors.

    along, beside: velocity of sliding along the tangents [m/s].  What is touched moves, too, so
    the direction is that of a velocity with the deviation surroundings_speed along each.
    """
    speed, ways = sqrt(along ** 2 + beside ** 2), place.prior.size
    against, across = 1.0, 0.0
    if speed > 0.0:
        against, across = -along / speed, -beside / speed
    for way in range(ways):
        direction = evidence.way[way]
        place.share[way, _ACROSS] = direction[_ACROSS]
        place.share[way, _ALONG] = against * direction[_ALONG] - across * direction[_BESIDE]
        place.share[way, _BESIDE] = across * direction[_ALONG] + against * direction[_BESIDE]
        place.prior[way] = rate / ways
        size = sqrt(direction[_ALONG] ** 2 + direction[_BESIDE] ** 2)
        if size > 0.0:
            place.prior[way] *= turned(speed / evidence.surroundings_speed, evidence.way_turn,
                                       direction[_ALONG] / size, direction[_BESIDE] / size)


@kernel
def clamp(frames, place, evidence, g):
    """Write two contacts that clamp something in frames at a state, and the priors of their ways.

    Both are on the sides of two legs that face each other, in the plane of these.  Friction turns
    the forces from the normals towards the line of both contacts.  A clamped thing that holds, as
    most do that stay there, has opposite forces; in one that slips they are turned less.  prior:
    the rate at which the points approached each other along the forces.
    """
    place.prior[:] = 0.0
    if not _face(frames, place):
        return
    locate(frames, place, 0)
    locate(frames, place, 1)
    distance, facing = 0.0, 0.0
    for axis in range(3):
        way_apart = place.point[1, axis] - place.point[0, axis]
        distance += way_apart ** 2
        facing += place.axes[0, _ACROSS, axis] * way_apart
    if facing >= 0.0 or distance == 0.0:
        return
    for axis in range(3):
        apart = (place.point[0, axis] - place.point[1, axis]) / sqrt(distance)
        place.axes[0, _ALONG, axis], place.axes[1, _ALONG, axis] = apart, -apart
    add_effects(frames, place, 0, g)
    add_effects(frames, place, 1, g)
    most = _half_angle(place)
    ways = place.prior.size
    for way in range(ways):
        turned = (way + 1) / ways
        across, along = 1.0 - turned, turned
        if sin(most) > _IN_LINE:
            across, along = sin((1.0 - turned) * most) / sin(most), sin(turned * most) / sin(most)
        place.share[way, _ACROSS], place.share[way, _ALONG] = across, along
        place.share[way, _BESIDE] = 0.0
        opening = 0.0
        for k in range(g):
            opening += (across * place.effect[_ACROSS, k]
                        + along * place.effect[_ALONG, k]) * evidence.approach[k]
        share = _HOLDS if way == ways - 1 else (1.0 - _HOLDS) / (ways - 1)
        place.prior[way] = share * expected_rate(-opening, evidence.surroundings_speed)


@kernel
def _half_angle(place):
    """Return the mean angle between the normals of two contacts and the line of both."""
    total = 0.0
    for contact in range(2):
        cosine = 0.0
        for axis in range(3):
            cosine += place.axes[contact, _ACROSS, axis] * place.axes[contact, _ALONG, axis]
        total += 0.5 * acos(min(1.0, max(-1.0, cosine)))
    return total


@kernel
def _face(frames, place):
    """Turn two contacts towards each other, at the sides of their legs; False for legs in line."""
    legs, about = place.point, place.axes[0, 2]        # scratch until they are written
    for contact in range(2):
        frame = frames[place.body[contact]]
        for axis in range(3):
            legs[contact, axis] = 0.0
            for i in range(3):
                legs[contact, axis] += place.leg[contact, i] * frame.vector[i + 1, axis]
    about[0], about[1], about[2] = cross(legs[0], legs[1])
    size = sqrt(about[0] ** 2 + about[1] ** 2 + about[2] ** 2)
    if size < _IN_LINE:
        return False
    outward = place.axes[0, 1]
    for contact in range(2):
        outward[0], outward[1], outward[2] = cross(about, legs[contact])
        towards = (1.0 if contact == 0 else -1.0) / size
        frame = frames[place.body[contact]]
        for i in range(3):
            local = 0.0
            for axis in range(3):
                local += towards * outward[axis] * frame.vector[i + 1, axis]
            place.side[contact, _ACROSS, i] = -local
            place.at[contact, i] = place.middle[contact, i] + place.radius[contact] * local
    return True
