"""Motion of a planar tree of bodies, compiled: from joints to coordinates, and forces back.

In the complex plane the position of a point of the tree is a sum over the bodies b between the
ground and the point, with phi_b the absolute angle of body b, c_b the point's share in its frame,

    r   = sum_b c_b exp(i phi_b),                           c_b = offset_b + sum_s x_s u_s
    r'  = sum_b (i w_b c_b + c_b') exp(i phi_b)
    r'' = sum_b ((i a_b - w_b^2) c_b + 2 i w_b c_b' + c_b'') exp(i phi_b)

where x_s is the travel of a slide along the unit vector u_s of the frame that carries it.  Body 0
is the ground.  By virtual work a force f on a point turns body b with Re(conj(f) i c_b exp(i
phi_b)) and pushes slide s with Re(conj(f) u_s exp(i phi_b)).
"""

from math import cos, sin
from typing import NamedTuple

import numpy as np

from mb_model.jit import entry, kernel

ANGLE = 0                 # of a body; kinds of coordinates
RELATIVE_ANGLE = 1        # of the second body from the first
DISTANCE = 2              # between two points
SLIDER = 3                # of the third point along the line from the first to the second


class Tree(NamedTuple):
    """A tree of (b) bodies with (j) joint coordinates, (p) points and (a) added coordinates.

    Added coordinates are the mechanism's, beside points, and others that only forces need.
    """

    start: np.ndarray     # angle of each body with all joints at zero [rad] (b)
    turns: np.ndarray     # 1.0 where a joint turns a body (b, j)
    share: np.ndarray     # share of each body in each point [m], complex (p, b)
    moves: np.ndarray     # 1.0 where a slide moves a point (p, j)
    carrier: np.ndarray   # body that carries a slide, -1: the joint turns (j)
    unit: np.ndarray      # direction of a slide in that body's frame, complex (j)
    at: np.ndarray        # x of each point in q (p)
    kind: np.ndarray      # of the added coordinates (a)
    index: np.ndarray     # its bodies or x of its points in q (a, 3)
    offset: np.ndarray    # added to its angle [rad] (a)
    row: np.ndarray       # index of each added coordinate in q (a)


@entry
def move(tree, x, xd, xdd, q, qd, qdd):
    """From joint coordinates, rates and accelerations (j) write q, qd, qdd (n_total)."""
    bodies = len(tree.start)
    angle, rate, acceleration = np.empty(bodies), np.empty(bodies), np.empty(bodies)
    direction = np.empty(bodies, np.complex128)
    for b in range(bodies):
        angle[b], rate[b], acceleration[b] = tree.start[b], 0.0, 0.0
        for s in range(len(x)):
            turn = tree.turns[b, s]
            angle[b] += turn * x[s]
            rate[b] += turn * xd[s]
            acceleration[b] += turn * xdd[s]
        direction[b] = complex(cos(angle[b]), sin(angle[b]))
    for p in range(len(tree.at)):
        r, v, a = 0j, 0j, 0j
        for b in range(bodies):
            if tree.share[p, b] != 0.0:
                arm = tree.share[p, b] * direction[b]
                r += arm
                v += 1j * rate[b] * arm
                a += (1j * acceleration[b] - rate[b] * rate[b]) * arm
        for s in range(len(x)):
            if tree.moves[p, s] != 0.0:
                b = tree.carrier[s]
                unit = tree.unit[s] * direction[b]
                r += x[s] * unit
                v += (xd[s] + 1j * rate[b] * x[s]) * unit
                a += (xdd[s] + 2j * rate[b] * xd[s]
                      + (1j * acceleration[b] - rate[b] * rate[b]) * x[s]) * unit
        k = tree.at[p]
        q[k], q[k + 1] = r.real, r.imag
        qd[k], qd[k + 1] = v.real, v.imag
        qdd[k], qdd[k + 1] = a.real, a.imag
    for c in range(len(tree.kind)):
        k, i, j = tree.row[c], tree.index[c, 0], tree.index[c, 1]
        if tree.kind[c] == ANGLE:
            q[k], qd[k], qdd[k] = angle[i] + tree.offset[c], rate[i], acceleration[i]
        elif tree.kind[c] == RELATIVE_ANGLE:
            q[k] = angle[j] - angle[i] + tree.offset[c]
            qd[k], qdd[k] = rate[j] - rate[i], acceleration[j] - acceleration[i]
        elif tree.kind[c] == DISTANCE:
            _distance(q, qd, qdd, i, j, k)
        else:
            _slide(q, qd, qdd, i, j, tree.index[c, 2], k)


@kernel
def _between(values, i, j):
    """Return the vector from the point at i to the one at j as a complex number."""
    return complex(values[j] - values[i], values[j + 1] - values[i + 1])


@kernel
def _dot(u, w):
    """Return the scalar product of two vectors."""
    return u.real * w.real + u.imag * w.imag


@kernel
def _distance(q, qd, qdd, i, j, k):
    """Write the distance of two points, its rate and acceleration at k."""
    r, v, a = _between(q, i, j), _between(qd, i, j), _between(qdd, i, j)
    q[k] = abs(r)
    qd[k] = _dot(r, v) / q[k]
    qdd[k] = (_dot(v, v) + _dot(r, a) - qd[k] * qd[k]) / q[k]


@kernel
def _slide(q, qd, qdd, i, j, l, k):                                      # noqa: E741
    """Write the travel of point l along the rigid line i-j, its rate and acceleration at k."""
    u, v, a = _between(q, i, j), _between(qd, i, j), _between(qdd, i, j)
    r, rd, rdd = _between(q, i, l), _between(qd, i, l), _between(qdd, i, l)
    length = abs(u)
    q[k] = _dot(u, r) / length
    qd[k] = (_dot(v, r) + _dot(u, rd)) / length
    qdd[k] = (_dot(a, r) + 2.0 * _dot(v, rd) + _dot(u, rdd)) / length


@kernel
def _add_pair(forces, i, j, force):
    """Push the point at j by a force and the one at i by its opposite."""
    forces[j] += force.real
    forces[j + 1] += force.imag
    forces[i] -= force.real
    forces[i + 1] -= force.imag


@kernel
def write_directions(tree, x, direction):
    """Write exp(i phi) of all bodies at x (j) to direction (b)."""
    for b in range(len(direction)):
        angle = tree.start[b]
        for s in range(len(x)):
            angle += tree.turns[b, s] * x[s]
        direction[b] = complex(cos(angle), sin(angle))


@kernel
def joint_forces(tree, direction, x, q, forces, moment, out):
    """Write the forces on joints (j) from forces on coordinates and moments on bodies (b) to out.

    direction: see write_directions.  Overwrites forces and moments: forces on added coordinates
    pass to points and bodies.
    """
    out[:] = 0.0
    for c in range(len(tree.kind)):
        force, i, j = forces[tree.row[c]], tree.index[c, 0], tree.index[c, 1]
        if force == 0.0:
            continue
        if tree.kind[c] == ANGLE:
            moment[i] += force
        elif tree.kind[c] == RELATIVE_ANGLE:
            moment[j] += force
            moment[i] -= force
        elif tree.kind[c] == DISTANCE:
            along = _between(q, i, j)
            _add_pair(forces, i, j, force / abs(along) * along)
        else:
            line, other = _between(q, i, j), tree.index[c, 2]
            share = force / abs(line)
            _add_pair(forces, i, j, share * _between(q, i, other))
            _add_pair(forces, i, other, share * line)
    for p in range(len(tree.at)):
        force = complex(forces[tree.at[p]], -forces[tree.at[p] + 1])      # conj(f)
        if force == 0.0:
            continue
        for b in range(len(moment)):
            moment[b] -= (force * tree.share[p, b] * direction[b]).imag
        for s in range(len(x)):
            if tree.moves[p, s] != 0.0:
                push = force * tree.unit[s] * direction[tree.carrier[s]]
                moment[tree.carrier[s]] -= x[s] * push.imag
                out[s] += push.real
    for s in range(len(x)):
        for b in range(len(moment)):
            out[s] += tree.turns[b, s] * moment[b]
