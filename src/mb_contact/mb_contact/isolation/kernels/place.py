"""A place where a mechanism may be touched: effects of forces there, and their priors."""

from math import acos, cos, erf, exp, hypot, pi, sin, sqrt

from mb_model.jit import kernel

_HOLDS = 0.7      # share of clamped things that do not slip

@kernel
def normal_probability(x):
    """Probability of less than x in the standard normal distribution."""
    return 0.5 * (1.0 + erf(x / sqrt(2.0)))


@kernel
def expected_rate(speed, deviation):
    """Mean of max(0, v) where v is normal around speed."""
    x = speed / deviation
    if x < -8.0:
        return 0.0
    return deviation * (exp(-0.5 * x * x) / sqrt(2.0 * pi) + x * normal_probability(x))


@kernel
def locate(model, work, place, contact):
    """Write point, normal and tangent of a contact at work.q; add effects of unit forces on z.

    carried_effect: of forces along x and y of which each contact takes an equal share.
    """
    i, j = place.index[contact, 0], place.index[contact, 1]
    dx, dy = work.q[j] - work.q[i], work.q[j + 1] - work.q[i + 1]
    length = hypot(dx, dy)
    dx, dy = dx / length, dy / length
    x, y = place.at[contact, 0], place.at[contact, 1]
    place.point[contact, 0] = work.q[i] + dx * x - dy * y
    place.point[contact, 1] = work.q[i + 1] + dy * x + dx * y
    a, b = x / length, y / length
    x, y = place.normal[contact, 0], place.normal[contact, 1]
    nx, ny = dx * x - dy * y, dy * x + dx * y
    tx, ty = -place.turn[contact] * ny, place.turn[contact] * nx
    place.across[contact, 0], place.across[contact, 1] = nx, ny
    place.along[contact, 0], place.along[contact, 1] = tx, ty
    for k in range(model.g):
        # R of the point: velocities of the place by zd
        vx = ((1.0 - a) * work.R[i, k] + b * work.R[i + 1, k] + a * work.R[j, k]
              - b * work.R[j + 1, k])
        vy = ((1.0 - a) * work.R[i + 1, k] - b * work.R[i, k] + a * work.R[j + 1, k]
              + b * work.R[j, k])
        place.across_effect[k] += nx * vx + ny * vy
        place.along_effect[k] += tx * vx + ty * vy
        place.carried_effect[0, k] += vx / place.contacts
        place.carried_effect[1, k] += vy / place.contacts


@kernel
def touch(model, work, place, evidence):
    """Write a single contact at work.q, R, and the priors of its ways.

    prior: the rate at which the surface met points scattered over the plane, which move with
    the deviation surroundings_speed, times the probability that friction acts that way, against the
    present sliding.
    """
    locate(model, work, place, 0)
    inward, sliding, deviation = 0.0, 0.0, evidence.surroundings_speed
    for k in range(model.g):
        inward += place.across_effect[k] * evidence.approach[k]
        sliding += place.along_effect[k] * evidence.zd[k]
    rate = expected_rate(-inward, deviation)
    backward = normal_probability(sliding / deviation)
    for way in range(evidence.friction_angle.size):
        angle = evidence.friction_angle[way]
        place.cosine[way], place.sine[way] = cos(angle), sin(angle)
        place.prior[way] = rate * (backward if angle < 0.0 else 1.0 - backward)


@kernel
def clamp(model, work, place, evidence):
    """Write two contacts that clamp something at work.q, R, and the priors of their ways.

    Friction turns both forces along the tangents.  A clamped thing that holds, as most do that
    stay there, has opposite forces; in one that slips they are turned less.  prior: the rate at
    which the points approached each other along the forces.
    """
    locate(model, work, place, 0)
    locate(model, work, place, 1)
    nx, ny = place.across[0]
    facing = (nx * (place.point[1, 0] - place.point[0, 0])
              + ny * (place.point[1, 1] - place.point[0, 1])) < 0.0
    opposite = -nx * place.across[1, 0] - ny * place.across[1, 1]
    most = 0.5 * acos(min(1.0, max(-1.0, opposite)))
    ways = place.prior.size
    for way in range(ways):
        angle = most * (way + 1) / ways
        place.cosine[way], place.sine[way] = cos(angle), sin(angle)
        opening = 0.0
        for k in range(model.g):
            opening += (place.cosine[way] * place.across_effect[k]
                        + place.sine[way] * place.along_effect[k]) * evidence.approach[k]
        share = _HOLDS if way == ways - 1 else (1.0 - _HOLDS) / (ways - 1)
        place.prior[way] = (share * expected_rate(-opening, evidence.surroundings_speed)
                            if facing else 0.0)
