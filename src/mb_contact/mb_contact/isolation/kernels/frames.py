"""The frames of all bodies at a state, in the plane and in space."""

from math import hypot, sqrt

from mb_model.jit import kernel
from mb_model.kernel_api import cross


@kernel
def place_frames(model, work, frames, first):
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
