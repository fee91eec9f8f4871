"""Generalized forces of a model, all but those on the degrees of freedom given from outside."""

from numba import njit

from mb_model.kernels.coordinate_force import force, slopes
from mb_model.kernels.mass import add_gravity


@njit(cache=True)
def generalized_forces(model, q, qd, Q):
    """Write Q (n_total) at q, qd: gravity, springs, dampers, friction, constant forces."""
    for row in range(model.n_total):
        Q[row] = 0.0
    add_gravity(model, Q)
    for k in range(model.forces):
        place = model.force_index[k]
        Q[place] += force(model.force_value[k], q[place], qd[place])


@njit(cache=True)
def add_slopes(model, qd, stiffness_share, damping_share, out):
    """Add shares of stiffness and damping (>= 0) to the diagonal of out (n, n)."""
    for k in range(model.forces):
        place = model.force_index[k]
        stiffness, damping = slopes(model.force_value[k], qd[place])
        out[place, place] += stiffness_share * stiffness + damping_share * max(damping, 0.0)


@njit(cache=True)
def force_change(model, qd, dq, dqd, R, k):
    """Return (column k of R)^T dQ for the change dQ of forces by dq, dqd (n)."""
    total = 0.0
    for element in range(model.forces):
        place = model.force_index[element]
        stiffness, damping = slopes(model.force_value[element], qd[place])
        total -= R[place, k] * (stiffness * dq[place] + damping * dqd[place])
    return total


@njit(cache=True)
def spring_energy(model, q):
    """Return the energy stored in springs [J]."""
    total = 0.0
    for k in range(model.forces):
        value = model.force_value[k]
        stretch = q[model.force_index[k]] - value[2]
        total += 0.5 * value[1] * stretch * stretch
    return total


@njit(cache=True)
def nonconservative_power(model, q, qd):
    """Return (power of constant forces, power lost in dampers and friction) [W].

    Together with gravity and springs, which have potentials, these are all forces of the model.
    """
    driven, lost = 0.0, 0.0
    for k in range(model.forces):
        value = model.force_value[k]
        place = model.force_index[k]
        spring = value[1] * (q[place] - value[2])
        driven += value[0] * qd[place]
        lost += (value[0] - spring - force(value, q[place], qd[place])) * qd[place]
    return driven, lost
