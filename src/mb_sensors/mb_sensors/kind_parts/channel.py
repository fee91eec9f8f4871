"""The record of one measured quantity, as compiled functions take it; points and vectors.

Arrays over coordinates are as in mb_model.record: behind the n coordinates q stand x and y of
the fixed points, so that moving and fixed points are addressed alike by the index of their x.

A point on a body lies at r_i + along u + across n, where u is the vector from the body's first
point i to its second one and n is u turned by +90 degrees; a point alone has i twice.

In space vector k of a channel is the sum of weight[k, t] times the node at node[k, t] over its
terms t; a node has three coordinates in arrays over n_total.  So it is linear in q, and its rate is
the same sum of qd.  Source: Garcia de Jalon and Bayo 1994, chapter 4.
"""

from collections.abc import Sequence
from typing import Any

from numba import typeof
import numpy as np

from mb_model.jit import kernel

_integer, _real = np.int64, np.float64
VECTORS = 4             # of a channel, at most
TERMS = 32              # of a vector, at most

CHANNEL = np.dtype([
    ('kind', _integer),                                  # which equations, of channel_kinds()
    ('reads_velocities', _integer), ('reads_accelerations', _integer),      # whether on qd, qdd
    ('whole_turns_unknown', _integer),                   # whether readings are angles of a turn
    ('coordinate', _integer),                            # index in q of the quantity itself, or -1
    ('first', _integer), ('second', _integer),           # indices of the x of two points of a body
    ('along', _real), ('across', _real),                 # a point on it
    ('other_first', _integer), ('other_second', _integer),          # the same of another body
    ('other_along', _real), ('other_across', _real),
    ('cosine', _real), ('sine', _real),                  # a direction
    ('direction', _real, (3,)),                          # one in space, in global axes
    ('gravity', _real, (3,)),                            # where the sensor is [m/s^2]
    ('rotation', _integer),                              # see kind_parts.rotations, 0: none
    ('reference', _real, (3, 3)),
    ('g_sensitivity', _real),                            # [rad/s per m/s^2]
    ('vector_terms', _integer, (VECTORS,)),              # of each vector in space
    ('vector_node', _integer, (VECTORS, TERMS)),
    ('vector_weight', _real, (VECTORS, TERMS))])
CHANNELS = typeof(np.empty(0, CHANNEL))      # arrays of them, as compiled functions take them


def channel_of(number: int, **fields: Any) -> np.ndarray:
    """Return the CHANNEL record (1) of a number of channel_kinds(); no coordinate unless given.

    fields: all that differ from zero; of an array its first numbers.
    """
    record = np.zeros(1, CHANNEL)
    record['kind'], record['coordinate'] = number, -1
    for name, value in fields.items():
        if record[name].ndim == 2:
            record[name][0, :len(value)] = value
        else:
            record[name] = value
    return record


@kernel
def between_points(first, second, q):
    """Return the vector from the first to the second point; of qd: its time derivative."""
    return q[second] - q[first], q[second + 1] - q[first + 1]


@kernel
def spread_to_points(first, second, by_dx, by_dy, row):
    """Add derivatives by the vector between the points to a row of derivatives by q or qd."""
    row[second] += by_dx
    row[second + 1] += by_dy
    row[first] -= by_dx
    row[first + 1] -= by_dy


@kernel
def add_angle_gradient(first, second, q, factor, row):
    """Add factor times dtheta/dq, dtheta = (dx d(dy) - dy d(dx)) / (dx^2 + dy^2)."""
    dx, dy = between_points(first, second, q)
    scale = factor / (dx * dx + dy * dy)
    spread_to_points(first, second, -dy * scale, dx * scale, row)


@kernel
def axis_on_body(channel, q):
    """Return x and y of an axis fixed in a body: cosine u + sine n, divided by the length of u."""
    ux, uy = between_points(channel.first, channel.second, q)
    return channel.cosine * ux - channel.sine * uy, channel.cosine * uy + channel.sine * ux


@kernel
def spread_to_axis(channel, by_x, by_y, row):
    """Add derivatives by x and y of that axis to a row of derivatives by q."""
    c, s = channel.cosine, channel.sine
    spread_to_points(channel.first, channel.second, c * by_x + s * by_y, c * by_y - s * by_x, row)


@kernel
def point_on_body(first, second, along, across, q):
    """Return x and y of a point on a body; of qd, qdd: of its velocity and acceleration."""
    dx, dy = between_points(first, second, q)
    return q[first] + along * dx - across * dy, q[first + 1] + along * dy + across * dx


@kernel
def spread_on_body(first, second, along, across, by_x, by_y, row):
    """Add derivatives by x and y of a point on a body to a row of derivatives by q, qd or qdd."""
    row[first] += by_x
    row[first + 1] += by_y
    spread_to_points(first, second, along * by_x + across * by_y, along * by_y - across * by_x, row)


Terms = Sequence[tuple[int, float]]      # (index of a node in arrays, weight) each


def vectors(*parts: Terms) -> dict[str, Any]:
    """Return the fields of CHANNEL of some vectors by their terms; ValueError for too many."""
    node, weight = np.zeros((VECTORS, TERMS), np.int64), np.zeros((VECTORS, TERMS))
    for k, terms in enumerate(parts):
        if len(terms) > TERMS:
            raise ValueError(f'is the sum of {len(terms)} nodes, expected at most {TERMS}')
        for t, (index, share) in enumerate(terms):
            node[k, t], weight[k, t] = index, share
    return {'vector_terms': [len(terms) for terms in parts], 'vector_node': node,
            'vector_weight': weight}


def between(first: Terms, second: Terms) -> Terms:
    """Return the terms of the displacement from one vector to another."""
    total: dict[int, float] = dict(second)
    for node, weight in first:
        total[node] = total.get(node, 0.0) - weight
    return tuple((node, weight) for node, weight in total.items() if weight)


@kernel
def vector(channel, k, q):
    """Return x, y, z of vector k for q; of qd, qdd: of its first, second rate."""
    x, y, z = 0.0, 0.0, 0.0
    for t in range(channel.vector_terms[k]):
        node, weight = channel.vector_node[k, t], channel.vector_weight[k, t]
        x += weight * q[node]
        y += weight * q[node + 1]
        z += weight * q[node + 2]
    return x, y, z


@kernel
def spread_vector(channel, k, by_x, by_y, by_z, row):
    """Add derivatives by x, y, z of vector k to a row of derivatives by q, qd or qdd."""
    for t in range(channel.vector_terms[k]):
        node, weight = channel.vector_node[k, t], channel.vector_weight[k, t]
        row[node] += weight * by_x
        row[node + 1] += weight * by_y
        row[node + 2] += weight * by_z


@kernel
def along_direction(channel, q, qd, qdd):
    """Return vector 0 along the channel's direction in the axes of the mechanism."""
    x, y, z = vector(channel, 0, q)
    return channel.direction[0] * x + channel.direction[1] * y + channel.direction[2] * z


@kernel
def along_direction_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total)."""
    n = channel.direction
    spread_vector(channel, 0, n[0], n[1], n[2], h_q)


@kernel
def product(channel, k, v, j, w):
    """Return the product of vector k for v and vector j for w."""
    ax, ay, az = vector(channel, k, v)
    bx, by, bz = vector(channel, j, w)
    return ax * bx + ay * by + az * bz


@kernel
def spread_product(channel, k, j, w, factor, row):
    """Add factor times the derivative of that product by v to a row."""
    bx, by, bz = vector(channel, j, w)
    spread_vector(channel, k, factor * bx, factor * by, factor * bz, row)
