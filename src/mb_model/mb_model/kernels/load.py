"""A load on a body: a force at a place of it and a moment.

index: i, j, the body's first two points; values: place x, y in the body's frame [m], force [N] in
global axes or, if it turns with the body, in the body's, moment [N m].  With d = r_j - r_i and n
(d turned by +90 degrees) the place is r_i + (x d + y n) / |d|, linear in the coordinates but for
|d|, which a motion keeps.
"""

from math import sqrt

from numba import njit


@njit(cache=True)
def global_force(index, values, turning, q):
    """Return the force in global axes [N]."""
    fx, fy = values[2], values[3]
    if turning:
        dx, dy = q[index[1]] - q[index[0]], q[index[1] + 1] - q[index[0] + 1]
        inverse = 1.0 / sqrt(dx * dx + dy * dy)
        return (fx * dx - fy * dy) * inverse, (fx * dy + fy * dx) * inverse
    return fx, fy


@njit(cache=True)
def add(index, values, turning, q, Q):
    """Add its generalized forces to Q."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    square = dx * dx + dy * dy
    inverse = 1.0 / sqrt(square)
    fx, fy = global_force(index, values, turning, q)
    x, y, couple = values[0] * inverse, values[1] * inverse, values[4] / square
    Q[i] += (1.0 - x) * fx - y * fy + couple * dy
    Q[i + 1] += (1.0 - x) * fy + y * fx - couple * dx
    Q[j] += x * fx + y * fy - couple * dy
    Q[j + 1] += x * fy - y * fx + couple * dx


@njit(cache=True)
def change(index, values, turning, q, dq, e):
    """Return e^T dQ for the change dq."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    cx, cy = dq[j] - dq[i], dq[j + 1] - dq[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    inverse, stretch = 1.0 / sqrt(square), (dx * cx + dy * cy) / square
    fx, fy = global_force(index, values, turning, q)
    x, y = values[0] * inverse, values[1] * inverse
    total = -stretch * (x * (fx * ex + fy * ey) + y * (fy * ex - fx * ey))
    total += values[4] / square * (cx * ey - cy * ex - 2.0 * stretch * (dx * ey - dy * ex))
    if turning:
        gx = (values[2] * cx - values[3] * cy) * inverse - stretch * fx
        gy = (values[2] * cy + values[3] * cx) * inverse - stretch * fy
        total += (gx * e[i] + gy * e[i + 1] + x * (gx * ex + gy * ey) + y * (gy * ex - gx * ey))
    return total


@njit(cache=True)
def power(index, values, turning, q, e):
    """Return e^T Q; with e = qd its power [W]."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    inverse = 1.0 / sqrt(square)
    fx, fy = global_force(index, values, turning, q)
    x, y = values[0] * inverse, values[1] * inverse
    return (fx * e[i] + fy * e[i + 1] + x * (fx * ex + fy * ey) + y * (fy * ex - fx * ey)
            + values[4] / square * (dx * ey - dy * ex))


@njit(cache=True)
def value_change(index, values, changes, turning, q, e):
    """Return e^T dQ for the changes of its values."""
    i, j = index[0], index[1]
    dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
    ex, ey = e[j] - e[i], e[j + 1] - e[i + 1]
    square = dx * dx + dy * dy
    inverse = 1.0 / sqrt(square)
    fx, fy = global_force(index, values, turning, q)
    gx, gy = global_force(index, changes, turning, q)
    x, y = values[0] * inverse, values[1] * inverse
    return (gx * e[i] + gy * e[i + 1] + x * (gx * ex + gy * ey) + y * (gy * ex - gx * ey)
            + inverse * (changes[0] * (fx * ex + fy * ey) + changes[1] * (fy * ex - fx * ey))
            + changes[4] / square * (dx * ey - dy * ex))
