"""Vectors of a mechanism in space: sums of its nodes.

A node is a point or a unit vector with three coordinates, moving or fixed, in an array over
coordinates; x is at its index.  A vector k of a model is sum_t weight[t] node[t] over its terms: a
point of a body, a direction in it, the vector from one point to another.  So it is linear in q, and
its rate is the same sum of qd.  Source: Garcia de Jalon and Bayo 1994, chapter 4.
Triples of numbers are positions, directions and forces in global axes.
"""

from mb_model.jit import kernel


@kernel
def dot(a, b):
    """Return the product of two triples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """Return the cross product of two triples."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def plus(a, b, factor):
    """Return a + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@kernel
def times(factor, a):
    """Return factor a."""
    return factor * a[0], factor * a[1], factor * a[2]


@kernel
def vector(model, k, q):
    """Return x, y, z of vector k for an array q (n_total): positions, rates or any direction."""
    return weighted(model, model.term_weight, k, q)


@kernel
def weighted(model, weights, k, q):
    """Return vector k with other weights of its terms, such as their changes."""
    x, y, z = 0.0, 0.0, 0.0
    for t in range(model.vector_terms[k], model.vector_terms[k + 1]):
        node, weight = model.term_node[t], weights[t]
        x += weight * q[node]
        y += weight * q[node + 1]
        z += weight * q[node + 2]
    return x, y, z


@kernel
def spread(model, k, x, y, z, out):
    """Add (x, y, z) times the derivative of vector k to out (n_total)."""
    for t in range(model.vector_terms[k], model.vector_terms[k + 1]):
        node, weight = model.term_node[t], model.term_weight[t]
        out[node] += weight * x
        out[node + 1] += weight * y
        out[node + 2] += weight * z


@kernel
def spread_row(model, k, x, y, z, out, row):
    """Add (x, y, z) times the derivative of vector k to out[row]."""
    for t in range(model.vector_terms[k], model.vector_terms[k + 1]):
        node, weight = model.term_node[t], model.term_weight[t]
        out[row, node] += weight * x
        out[row, node + 1] += weight * y
        out[row, node + 2] += weight * z


@kernel
def spread_column(model, k, column, x, y, z, out):
    """Add (x, y, z) times the derivative of vector k to column and row `column` of out."""
    for t in range(model.vector_terms[k], model.vector_terms[k + 1]):
        node, weight = model.term_node[t], model.term_weight[t]
        for axis, value in enumerate((x, y, z)):
            out[node + axis, column] += weight * value
            out[column, node + axis] += weight * value


@kernel
def spread_product(model, a, b, weight, out):
    """Add weight times the second derivative of the product of vectors a and b to out."""
    for s in range(model.vector_terms[a], model.vector_terms[a + 1]):
        for t in range(model.vector_terms[b], model.vector_terms[b + 1]):
            i, j = model.term_node[s], model.term_node[t]
            share = weight * model.term_weight[s] * model.term_weight[t]
            for axis in range(3):
                out[i + axis, j + axis] += share
                out[j + axis, i + axis] += share


@kernel
def spread_outer(model, a, u, b, v, weight, out):
    """Add weight times u v^T to out, u along the derivative of vector a and v of b."""
    for s in range(model.vector_terms[a], model.vector_terms[a + 1]):
        for t in range(model.vector_terms[b], model.vector_terms[b + 1]):
            share = weight * model.term_weight[s] * model.term_weight[t]
            for i in range(3):
                for j in range(3):
                    out[model.term_node[s] + i, model.term_node[t] + j] += share * u[i] * v[j]


@kernel
def product(model, a, b, v, w):
    """Return the product of vector a for v and vector b for w."""
    ax, ay, az = vector(model, a, v)
    bx, by, bz = vector(model, b, w)
    return ax * bx + ay * by + az * bz


@kernel
def product_change(model, weights, a, b, v, w):
    """Return the change of product with changes of the weights of terms."""
    ax, ay, az = vector(model, a, v)
    bx, by, bz = vector(model, b, w)
    cx, cy, cz = weighted(model, weights, a, v)
    dx, dy, dz = weighted(model, weights, b, w)
    return cx * bx + cy * by + cz * bz + ax * dx + ay * dy + az * dz


@kernel
def turning(model, index, q, e):
    """Return the turn of a body (3) along e, 1/2 sum E_i x e_i; index[1] to [3]: its axes E_i."""
    total = (0.0, 0.0, 0.0)
    for axis in range(1, 4):
        total = plus(total, cross(vector(model, index[axis], q), vector(model, index[axis], e)),
                     0.5)
    return total
