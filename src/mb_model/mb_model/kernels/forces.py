"""Generalized forces of a model and of the loads from outside.

Those on the degrees of freedom, work.forces, are apart: they need no kinematics.
"""

from numba import float64, njit

from mb_model.kernels import load
from mb_model.kernels.coordinate_force import force
from mb_model.kernels.force_elements import (
    BETWEEN_BODIES,
    TURNING_LOAD,
    add_force,
    add_slopes as add_element_slopes,
    change,
    motion,
)
from mb_model.kernels.mass import add_gravity
from mb_model.record import MODEL, WORK
from mb_model.separate import also, separate
from mb_model.sparse.record import SPARSE_MODEL, SPARSE_WORK

_load_power = load.power


@also(SPARSE_MODEL, SPARSE_WORK)
@separate(MODEL, WORK)
def generalized_forces(model, work):
    """Write work.Q (n_total) at work.q, qd: the model's forces and the loads from outside."""
    for row in range(model.n_total):
        work.Q[row] = work.coordinate_forces[row]
    add_gravity(model, work.Q)
    for k in range(model.forces):
        add_force(model.force_kind[k], model.force_index[k], model.force_value[k], work.q, work.qd,
                  work.Q)
    for k in range(work.loads):
        add_force(work.load_kind[k], work.load_index[k], work.load_value[k], work.q, work.qd,
                  work.Q)


@separate(MODEL, WORK, float64, float64, WORK['tangent'])
def add_slopes(model, work, stiffness_share, damping_share, out):
    """Add shares of stiffness and damping (>= 0) of the model's forces to out."""
    for k in range(model.forces):
        add_element_slopes(model.force_kind[k], model.force_index[k], model.force_value[k], work.q,
                           work.qd, stiffness_share, damping_share, out)


@separate(MODEL, WORK, WORK['q'], WORK['q'], WORK['q'])
def force_change(model, work, dq, dqd, e):
    """Return e^T dQ for the change dQ of forces by dq, dqd (n_total)."""
    total = 0.0
    for k in range(model.forces):
        total += change(model.force_kind[k], model.force_index[k], model.force_value[k], work.q,
                        work.qd, dq, dqd, e)
    for k in range(work.loads):
        total += change(work.load_kind[k], work.load_index[k], work.load_value[k], work.q, work.qd,
                        dq, dqd, e)
    return total


@njit(cache=True)
def spring_energy(model, q):
    """Return the energy stored in springs [J]."""
    total = 0.0
    for k in range(model.forces):
        values = model.force_value[k]
        if model.force_kind[k] <= BETWEEN_BODIES:
            x, _ = motion(model.force_kind[k], model.force_index[k], values, q, q)
            total += 0.5 * values[1] * (x - values[2]) * (x - values[2])
    return total


@njit(cache=True)
def nonconservative_power(model, q, qd):
    """Return (power of constant forces and loads, power lost in dampers and friction) [W].

    Together with gravity and springs, which have potentials, these are all forces of the model.
    """
    driven, lost = 0.0, 0.0
    for k in range(model.forces):
        kind, index, values = model.force_kind[k], model.force_index[k], model.force_value[k]
        if kind > BETWEEN_BODIES:
            driven += _load_power(index, values, kind == TURNING_LOAD, q, qd)
        else:
            x, v = motion(kind, index, values, q, qd)
            spring = values[1] * (x - values[2])
            driven += values[0] * v
            lost += (values[0] - spring - force(values, x, v)) * v
    return driven, lost
