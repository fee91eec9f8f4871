"""Vectors of a channel in space: places of bodies, directions in them, ways between places.

Vector k is the sum of weight[k, t] times the node at node[k, t] over its terms t; a node has three
coordinates in arrays over n_total.  So it is linear in q, and its rate is the same sum of qd.
Source: Garcia de Jalon and Bayo 1994, chapter 4.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import TERMS, VECTORS

Terms = Sequence[tuple[int, float]]      # (place of a node in arrays, weight) each


def vectors(*parts: Terms) -> dict[str, Any]:
    """Return the fields of CHANNEL of some vectors by their terms; ValueError for too many."""
    node, weight = np.zeros((VECTORS, TERMS), np.int64), np.zeros((VECTORS, TERMS))
    for k, terms in enumerate(parts):
        if len(terms) > TERMS:
            raise ValueError(f'is the sum of {len(terms)} nodes, expected at most {TERMS}')
        for t, (place, share) in enumerate(terms):
            node[k, t], weight[k, t] = place, share
    return {'vector_terms': [len(terms) for terms in parts], 'vector_node': node,
            'vector_weight': weight}


def between(first: Terms, second: Terms) -> Terms:
    """Return the terms of the way from one vector to another."""
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
