"""A candidate for a contact: frames of bodies, effects of forces, priors."""

from math import acos, hypot, sin, sqrt

from mb_contact.isolation.kernels.projection import expected_rate
from mb_model.jit import kernel
from mb_model.kernel_api import cross

_HOLDS = 0.7      # share of clamped things that do not slip
_IN_LINE = 1e-6   # sine of the angle of legs that clamp nothing, and of directions that are one
_ACROSS, _ALONG, _BESIDE = 0, 1, 2


@kernel
def write_frames(model, work, frames, first):
    """Write the frames of all bodies at work.q, and their velocities by zd, from work.R.

    first: the number of the first of them.
    """
    for b in range(model.bodies):
        _in_plane(model, work, model.body_index[b, 0], model.body_index[b, 1], frames[first + b])
    for b in range(model.solids):
        _in_space(model, work, model.solid_frame[b], frames[first + model.bodies + b])


@kernel
def _in_plane(model, work, i, j, frame):
    """Write the frame of a body, the x of its first and second point at i and j."""
    dx, dy = work.q[j] - work.q[i], work.q[j + 1] - work.q[i + 1]
    length = hypot(dx, dy)
    for axis in range(2):
        frame.vector[0, axis] = work.q[i + axis]
        for k in range(model.g):
            frame.by_z[0, axis, k] = work.R[i + axis, k]
            rate = (work.R[j + axis, k] - work.R[i + axis, k]) / length
            frame.by_z[1, axis, k] = rate
            frame.by_z[2, 1 - axis, k] = rate if axis == 0 else -rate
    frame.vector[1, 0], frame.vector[1, 1] = dx / length, dy / length
    frame.vector[2, 0], frame.vector[2, 1] = -dy / length, dx / length
    frame.vector[3, 2] = 1.0


@kernel
def _in_space(model, work, vectors, frame):
    """Write the frame of a body of these vectors; a slender one's x is along its line."""
    for slot in range(4):
        vector = vectors[slot]
        if vector < 0:
            continue
        for axis in range(3):
            frame.vector[slot, axis] = 0.0
            for k in range(model.g):
                frame.by_z[slot, axis, k] = 0.0
        for t in range(model.vector_terms[vector], model.vector_terms[vector + 1]):
            node, weight = model.term_node[t], model.term_weight[t]
            for axis in range(3):
                frame.vector[slot, axis] += weight * work.q[node + axis]
                for k in range(model.g):
                    frame.by_z[slot, axis, k] += weight * work.R[node + axis, k]
    if vectors[3] < 0:
        _go_round(frame.vector)


@kernel
def _go_round(vector):
    """Write any y and z across x, which how a slender body turns about its line leaves open."""
    x = vector[1]
    least = 0
    for axis in range(3):
        least = axis if abs(x[axis]) < abs(x[least]) else least
    length = sqrt(max(1e-12, 1.0 - x[least] * x[least]))
    for axis in range(3):
        vector[2, axis] = ((1.0 if axis == least else 0.0) - x[least] * x[axis]) / length
    vector[3, 0], vector[3, 1], vector[3, 2] = cross(x, vector[2])


@kernel
def locate(frames, first, candidate, contact):
    """Write point and axes of a contact, from where it is in its body's frame."""
    frame, at = frames[first + candidate.body[contact]], candidate.at[contact]
    for axis in range(3):
        candidate.point[contact, axis] = frame.vector[0, axis]
        for i in range(3):
            candidate.point[contact, axis] += at[i] * frame.vector[i + 1, axis]
        for direction in range(3):
            total = 0.0
            for i in range(3):
                total += candidate.side[contact, direction, i] * frame.vector[i + 1, axis]
            candidate.axes[contact, direction, axis] = total


@kernel
def add_effects(frames, first, candidate, contact, g):
    """Add the effects on z of unit forces along the axes of a contact.

    carried_effect: of forces along x, y and z of which each contact takes an equal share.
    """
    frame, at = frames[first + candidate.body[contact]], candidate.at[contact]
    for k in range(g):
        for axis in range(3):
            speed = frame.by_z[0, axis, k]
            for i in range(3):
                speed += at[i] * frame.by_z[i + 1, axis, k]
            for direction in range(3):
                candidate.effect[direction, k] += candidate.axes[contact, direction, axis] * speed
                for i in range(2):
                    candidate.moved_effect[i, direction, k] += (
                        candidate.axes[contact, direction, axis]
                        * _tangent_rate(frame, candidate, i, axis, k))
            candidate.carried_effect[axis, k] += speed / candidate.contacts


@kernel
def _tangent_rate(frame, candidate, i, axis, k):
    """Return what moving a touch along its tangent i changes of its velocity, by zd_k."""
    total = 0.0
    for j in range(3):
        total += candidate.side[0, 1 + i, j] * frame.by_z[j + 1, axis, k]
    return total


@kernel
def put(frames, first, candidate, evidence, zd, g):
    """Write the contacts of a candidate in frames at a state: points, axes, effects, shares.

    first: number of the first of the frames; zd (g): how surfaces slide.  Returns False for legs
    that clamp nothing.
    """
    candidate.effect[:], candidate.moved_effect[:], candidate.carried_effect[:] = 0.0, 0.0, 0.0
    if candidate.contacts == 2:
        return _clamp(frames, first, candidate, g)
    locate(frames, first, candidate, 0)
    add_effects(frames, first, candidate, 0, g)
    _rub(candidate, evidence, zd, g)
    return True


@kernel
def _rub(candidate, evidence, zd, g):
    """Write the modes of a touch: friction is against the sliding on surroundings that move, too.

    Each mode has a coefficient of friction and a velocity of the surroundings, which stay alike
    while a contact lasts.
    """
    along, beside = 0.0, 0.0
    for k in range(g):
        along += candidate.effect[_ALONG, k] * zd[k]
        beside += candidate.effect[_BESIDE, k] * zd[k]
    for mode in range(candidate.prior.size):
        i, j = along - evidence.surroundings[mode, 0], beside - evidence.surroundings[mode, 1]
        candidate.sliding[mode, 0], candidate.sliding[mode, 1] = i, j
        speed = sqrt(i * i + j * j)
        rub = evidence.mode[mode, 1] / speed if speed > 0.0 else 0.0
        candidate.share[mode, _ACROSS] = evidence.mode[mode, 0]
        candidate.share[mode, _ALONG], candidate.share[mode, _BESIDE] = -rub * i, -rub * j


@kernel
def _clamp(frames, first, candidate, g):
    """Write two contacts that clamp something; False for legs in line.

    Both are on the sides of two legs that face each other, in the plane of these.  Friction turns
    the forces from the normals towards the line of both contacts.
    """
    if not _face(frames, first, candidate):
        return False
    locate(frames, first, candidate, 0)
    locate(frames, first, candidate, 1)
    distance, facing = 0.0, 0.0
    for axis in range(3):
        apart = candidate.point[1, axis] - candidate.point[0, axis]
        distance += apart ** 2
        facing += candidate.axes[0, _ACROSS, axis] * apart
    if facing >= 0.0 or distance == 0.0:
        return False
    for axis in range(3):
        apart = (candidate.point[0, axis] - candidate.point[1, axis]) / sqrt(distance)
        candidate.axes[0, _ALONG, axis], candidate.axes[1, _ALONG, axis] = apart, -apart
    add_effects(frames, first, candidate, 0, g)
    add_effects(frames, first, candidate, 1, g)
    most = _half_angle(candidate)
    modes = candidate.prior.size
    for mode in range(modes):
        turned = (mode + 1) / modes
        across, along = 1.0 - turned, turned
        if sin(most) > _IN_LINE:
            across, along = sin((1.0 - turned) * most) / sin(most), sin(turned * most) / sin(most)
        candidate.share[mode, _ACROSS], candidate.share[mode, _ALONG] = across, along
        candidate.share[mode, _BESIDE] = 0.0
    return True


@kernel
def expect(candidate, evidence, g):
    """Write the priors of modes, where the contact began.

    Of a touch: the rate at which the surface met points scattered all over, which move with the
    deviation surroundings_speed.  Of something clamped: the rate at which both contacts approached
    each other along their forces; one that holds, as most do that stay there, has opposite forces,
    in one that slips they are turned less.
    """
    modes, rate = candidate.prior.size, 0.0
    for mode in range(modes):
        if mode == 0 or candidate.contacts == 2:
            opening = 0.0
            across, along = 1.0, 0.0
            if candidate.contacts == 2:
                across, along = candidate.share[mode, _ACROSS], candidate.share[mode, _ALONG]
            for k in range(g):
                opening += (across * candidate.effect[_ACROSS, k]
                            + along * candidate.effect[_ALONG, k]) * evidence.approach[k]
            rate = expected_rate(-opening, evidence.surroundings_speed)
        if candidate.contacts == 1:
            candidate.prior[mode] = candidate.area * rate * evidence.mode_prior[mode]
        else:
            candidate.prior[mode] = rate * (
                _HOLDS if mode == modes - 1 else (1.0 - _HOLDS) / (modes - 1))


@kernel
def _half_angle(candidate):
    """Return the mean angle between the normals of two contacts and the line of both."""
    total = 0.0
    for contact in range(2):
        cosine = 0.0
        for axis in range(3):
            cosine += candidate.axes[contact, _ACROSS, axis] * candidate.axes[contact, _ALONG, axis]
        total += 0.5 * acos(min(1.0, max(-1.0, cosine)))
    return total


@kernel
def _face(frames, first, candidate):
    """Turn two contacts towards each other, at the sides of their legs; False for legs in line."""
    legs, about, outward = candidate.leg_axis, candidate.about, candidate.outward
    for contact in range(2):
        frame = frames[first + candidate.body[contact]]
        for axis in range(3):
            legs[contact, axis] = 0.0
            for i in range(3):
                legs[contact, axis] += candidate.leg[contact, i] * frame.vector[i + 1, axis]
    about[0], about[1], about[2] = cross(legs[0], legs[1])
    size = sqrt(about[0] ** 2 + about[1] ** 2 + about[2] ** 2)
    if size < _IN_LINE:
        return False
    for contact in range(2):
        outward[0], outward[1], outward[2] = cross(about, legs[contact])
        towards = (1.0 if contact == 0 else -1.0) / size
        frame = frames[first + candidate.body[contact]]
        for i in range(3):
            local = 0.0
            for axis in range(3):
                local += towards * outward[axis] * frame.vector[i + 1, axis]
            candidate.side[contact, _ACROSS, i] = -local
            candidate.at[contact, i] = (candidate.middle[contact, i]
                                        + candidate.radius[contact] * local)
    return True
