"""Generalized forces of a model and of the loads from outside.

Loads on a mechanism in space are elements of kernels.spatial_forces, others of force_elements.
Those on the degrees of freedom, work.forces, are apart: they need no kinematics.
"""

from numba import float64

from mb_model.jit import also, kernel, separate
from mb_model.kernels import spatial_forces
from mb_model.kernels.characteristics import (
    add_curve_slopes,
    add_curves,
    curve_change,
    curve_power,
)
from mb_model.kernels.efforts import write_efforts
from mb_model.kernels.force_elements import (
    add_force,
    add_slopes as add_element_slopes,
    change,
    energy,
    power,
)
from mb_model.kernels.mass import add_gravity
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

_add_spatial, _add_spatial_slopes = spatial_forces.add_forces, spatial_forces.add_slopes
_spatial_change, _spatial_energy = spatial_forces.change, spatial_forces.energy
_spatial_power = spatial_forces.power


@also(SPARSE_MODEL, SPARSE_WORK)
@separate(MODEL, WORK)
def generalized_forces(model, work):
    """Write work.Q (n_total) at work.q, qd: the model's forces and the loads from outside."""
    for row in range(model.n_total):
        work.Q[row] = work.coordinate_forces[row]
    add_gravity(model, work.Q)
    write_efforts(model, work)
    for k in range(model.forces):
        add_force(model.force_kind[k], model.force_index[k], model.force_value[k], work.q, work.qd,
                  work.Q)
    if model.curves > 0:
        add_curves(model, work)
    if model.solids > 0:
        _add_spatial(model, work)
        return
    for k in range(work.loads):
        add_force(work.load_kind[k], work.load_index[k], work.load_value[k], work.q, work.qd,
                  work.Q)


@kernel
def all_forces(model, work):
    """Write work.Q as generalized_forces does, with the forces on the degrees of freedom."""
    generalized_forces(model, work)
    for k in range(model.g):
        work.Q[model.independent[k]] += work.forces[k]


@separate(MODEL, WORK, float64, float64, WORK['tangent'])
def add_slopes(model, work, stiffness_share, damping_share, out):
    """Add shares of stiffness and damping (>= 0) of the model's forces to out."""
    for k in range(model.forces):
        add_element_slopes(model.force_kind[k], model.force_index[k], model.force_value[k], work.q,
                           work.qd, stiffness_share, damping_share, out)
    if model.curves > 0:
        add_curve_slopes(model, work, stiffness_share, damping_share, out)
    if model.elements > 0:
        _add_spatial_slopes(model, work, stiffness_share, damping_share, out)


@separate(MODEL, WORK, WORK['q'], WORK['q'], WORK['q'])
def _other_change(model, work, dq, dqd, e):
    """Return what curves, elements in space and loads have of force_change."""
    total = curve_change(model, work, dq, dqd, e) if model.curves > 0 else 0.0
    if model.solids > 0:
        return total + _spatial_change(model, work, dq, dqd, e)
    for k in range(work.loads):
        total += change(work.load_kind[k], work.load_index[k], work.load_value[k], work.q, work.qd,
                        dq, dqd, e)
    return total


@separate(MODEL, WORK, WORK['q'], WORK['q'], WORK['q'])
def force_change(model, work, dq, dqd, e):
    """Return e^T dQ for the change dQ of forces by dq, dqd (n_total)."""
    total = _other_change(model, work, dq, dqd, e)
    for k in range(model.forces):
        total += change(model.force_kind[k], model.force_index[k], model.force_value[k], work.q,
                        work.qd, dq, dqd, e)
    return total


@separate(MODEL, WORK)
def add_force_changes(model, work):
    """Add R^T dQ to work.A and B (g, g), column i along work.directions[i] and turns[i].

    By z both move q and qd, by zd the direction moves qd alone, see kernels.linearisation.
    """
    g, still = model.g, work.still
    for row in range(model.n_total):
        still[row] = 0.0
    for force in range(model.forces):
        kind, index, values = (
            model.force_kind[force], model.force_index[force], model.force_value[force])
        for i in range(g):
            along, moved = work.directions[i], work.turns[i]
            for k in range(g):
                other = work.directions[k]
                work.A[k, i] += change(kind, index, values, work.q, work.qd, along, moved, other)
                work.B[k, i] += change(kind, index, values, work.q, work.qd, still, along, other)
    if model.curves + model.elements + work.loads == 0:
        return
    for i in range(g):
        along, moved = work.directions[i], work.turns[i]
        for k in range(g):
            other = work.directions[k]
            work.A[k, i] += _other_change(model, work, along, moved, other)
            work.B[k, i] += _other_change(model, work, still, along, other)


@kernel
def spring_energy(model, q):
    """Return the energy stored in springs [J]."""
    total = 0.0
    for k in range(model.forces):
        total += energy(model.force_kind[k], model.force_index[k], model.force_value[k], q)
    return total + _spatial_energy(model, q) if model.elements > 0 else total


@kernel
def nonconservative_power(model, work):
    """Return (power of constant forces and loads, power lost in dampers and friction) [W].

    At work.q, qd.

    Together with gravity and springs, which have potentials, these are all forces of the model.
    """
    q, qd = work.q, work.qd
    driven, lost = 0.0, 0.0
    if model.curves > 0:
        driven, lost = curve_power(model, work)
    for k in range(model.forces):
        driving, losing = power(model.force_kind[k], model.force_index[k], model.force_value[k], q,
                                qd)
        driven += driving
        lost += losing
    if model.elements > 0:
        driving, losing = _spatial_power(model, q, qd)
        driven += driving
        lost += losing
    return driven, lost
