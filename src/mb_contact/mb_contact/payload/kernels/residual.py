"""The residual of the equations of motion at an estimated state, its derivatives and noise."""

from math import isfinite, sqrt

from numba import float64

from mb_contact.kernels.motion import find_motion
from mb_contact.payload.kernels.mass_filter_record import INSTANT
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    cholesky_factor,
    cylinder_forces as forces,
    cylinder_friction as friction,
    linearise,
)
from mb_model.record import MODEL, WORK
from mb_model.record.hydraulics import CIRCUIT, FLUID

_RENEWAL = 10             # instants
_ROUNDING = 1e-14         # of a variance
_UNKNOWN = 1e20           # variance of an unknown force [N^2, N^2 m^2]
_UNIT = 1.0               # variance of the residual where no covariance is given [N^2, N^2 m^2]
_CERTAIN = 2.0            # standard deviations of a velocity


@kernel
def _by_motion(model, work, circuit, fluid, instant):
    """Write the columns of instant.by_state for z, zd, zdd.

    linearise gives the accelerations that keep the residual zero: -M_bar times these.
    """
    g, by_state = model.g, instant.by_state
    for k in range(g):
        for i in range(g):
            by_z = by_zd = 0.0
            for j in range(g):
                by_z -= work.M_bar[k, j] * work.A[j, i]
                by_zd -= work.M_bar[k, j] * work.B[j, i]
            for c in range(circuit.cylinders):
                row = circuit.coordinate[c]
                slope = work.R[row, k] * fluid.force_sd[c]
                by_z -= slope * work.qd_z[row, i]
                by_zd -= slope * work.R[row, i]
            by_state[k, i], by_state[k, g + i] = by_z, by_zd
            by_state[k, 2 * g + i] = work.M_bar[k, i]


@kernel
def _by_oil(model, work, circuit, fluid, instant):
    """Write the columns of instant.by_state for p and U."""
    begin = 3 * model.g
    for k in range(model.g):
        for n in range(circuit.volumes):
            total = 0.0
            for c in range(circuit.cylinders):
                total -= work.R[circuit.coordinate[c], k] * fluid.force_p[c, n]
            instant.by_state[k, begin + n] = total
        for n in range(circuit.valves):
            instant.by_state[k, begin + circuit.volumes + n] = 0.0


@separate(MODEL, WORK, CIRCUIT, FLUID, INSTANT)
def state_derivatives(model, work, circuit, fluid, instant):
    """After residual: write instant.by_state (g, 3g + v + u), by z, zd, zdd, p, U; exact.

    Exceptions: the friction of cylinders that stand still counts as constant, and the derivatives
    of the forces of the mechanism by z and zd may be up to _RENEWAL - 1 instants old: they take
    long to compute, and contribute least to the noise.
    """
    if instant.age == 0:
        linearise(model, work)
    instant.age = (instant.age + 1) % _RENEWAL
    _by_motion(model, work, circuit, fluid, instant)
    _by_oil(model, work, circuit, fluid, instant)


@kernel
def _add_standing_friction(model, circuit, instant):
    """Add friction of cylinders that stand still: uniform between its two extremes."""
    for c in range(circuit.cylinders):
        if instant.moving[c] == 0:
            for k in range(model.g):
                for i in range(k + 1):
                    instant.noise[k, i] += (
                        instant.by_factor[k, c] * instant.by_factor[i, c] / 3.0)


@separate(MODEL, CIRCUIT, INSTANT, float64[:, ::1])
def residual_noise(model, circuit, instant, P):
    """From by_state write instant.noise = by_state P by_state^T and its factor.

    P: of as many of z, zd, zdd, p, U as there are; empty: a unit for every row.  With fewer masses
    than degrees of freedom, the loads on cylinders that stand still may be left out; those on which
    unknown forces act are.
    Returns False if P is no covariance.
    """
    g, size = model.g, P.shape[0]
    for k in range(g):
        for i in range(k + 1):
            instant.noise[k, i] = _UNIT if size == 0 and i == k else 0.0
        for b in range(size):
            along = 0.0
            for a in range(size):
                along += instant.by_state[k, a] * P[a, b]
            for i in range(k + 1):
                instant.noise[k, i] += along * instant.by_state[i, b]
    if g > instant.masses:
        _add_standing_friction(model, circuit, instant)
    for k in range(g):
        if instant.left_out[k] == 1:
            instant.noise[k, k] += _UNKNOWN
        for i in range(k + 1):
            instant.noise[i, k] = instant.factor[k, i] = instant.noise[k, i]
        instant.factor[k, k] *= 1.0 + _ROUNDING
    return cholesky_factor(instant.factor, g)


@kernel
def _by_masses(model, work, instant):
    """Write instant.by_mass: R^T (M_j qdd - Q_j), M_j and Q_j of one kilogram of mass j."""
    pull = instant.pull
    for j in range(instant.masses):
        for row in range(model.n):
            total = -instant.unit_Q[j, row]
            for column in range(model.n):
                total += instant.unit_M[j, row, column] * work.qdd[column]
            pull[row] = total
        for k in range(model.g):
            total = 0.0
            for row in range(model.n):
                total += work.R[row, k] * pull[row]
            instant.by_mass[k, j] = total


@kernel
def _rate_deviation(model, work, row, P):
    """Return the standard deviation of qd[row], 0.0 where P has none of zd."""
    g, variance = model.g, 0.0
    if P.shape[0] >= 2 * g:
        for i in range(g):
            for k in range(g):
                variance += work.R[row, i] * P[g + i, g + k] * work.R[row, k]
    return sqrt(max(variance, 0.0))


@kernel
def _add_cylinders(model, work, circuit, fluid, instant, P):
    """Subtract the forces of cylinders from instant.residual; write the friction to by_factor.

    The friction of a cylinder that may be below its transition velocity is unknown up to the
    friction of standing seals: it is left out, and its largest value is in by_factor.
    """
    for c in range(circuit.cylinders):
        row = circuit.coordinate[c]
        fluid.s[c], fluid.sd[c] = work.q[row], work.qd[row]
    forces(circuit, fluid)
    for c in range(circuit.cylinders):
        row, slowest = circuit.coordinate[c], circuit.transition_velocity[c]
        instant.moving[c] = (
            abs(fluid.sd[c]) > slowest + _CERTAIN * _rate_deviation(model, work, row, P))
        force, rubbing = fluid.force[c], fluid.friction[c]
        if instant.moving[c] == 0:
            force, fluid.force_sd[c] = fluid.pressure_force[c], 0.0
            rubbing = friction(circuit, c, slowest, fluid.p[circuit.chamber[2 * c]],
                               fluid.p[circuit.chamber[2 * c + 1]])
        work.Q[row] += force
        for k in range(model.g):
            instant.residual[k] -= work.R[row, k] * force
            instant.by_factor[k, c] = work.R[row, k] * rubbing


@kernel
def _by_elasticity(model, work, circuit, instant):
    """Write elastic forces to by_factor, and take them from the other forces without masses."""
    first, own = circuit.cylinders, circuit.cylinders + instant.modes
    for e in range(instant.modes):
        row = instant.mode[e]
        force = instant.stiffness[e] * work.q[row]
        for k in range(model.g):
            instant.by_factor[k, first + e] = work.R[row, k] * force
            instant.by_factor[k, own] -= work.R[row, k] * force


@separate(MODEL, WORK, CIRCUIT, FLUID, INSTANT, float64[::1], float64[::1],
          float64[:, ::1])
def residual(model, work, circuit, fluid, instant, known, q, P):
    """At work.z, zd, zdd, fluid.p: write instant.residual (g), by_mass, by_factor and moving.

        g(m) = M_bar(m) zdd - Q_bar(z, zd, m) - F_act(p, zd) - known forces on z

    m: the masses that the model has.  q (n): all coordinates, or empty; P: covariance of z, zd...,
    or empty.  Returns False where there is no position, or if the result is not finite.
    Source: Pyrhonen et al. 2023b, Eq. (55).
    """
    if not find_motion(model, work, instant.start, q, 0):
        return False
    _by_masses(model, work, instant)
    own, total = circuit.cylinders + instant.modes, 0.0
    for k in range(model.g):
        instant.residual[k] = instant.by_factor[k, own] = work.forces[k]
        for j in range(instant.masses):
            instant.by_factor[k, own] -= instant.by_mass[k, j] * instant.value[j]
        if k < known.size:
            instant.residual[k] -= known[k]
    _by_elasticity(model, work, circuit, instant)
    _add_cylinders(model, work, circuit, fluid, instant, P)
    for k in range(model.g):
        total += instant.residual[k]
    return isfinite(total)


@entry
def equations(models, works, circuits, fluids, instants, known, q, P):
    """At works.z, zd, zdd, fluids.p: write residual, by_mass, by_factor, by_state, moving.

    known, q, P: as in residual.  Returns False where there is no position, or no finite result.
    """
    if not residual(models[0], works[0], circuits[0], fluids[0], instants[0], known, q, P):
        return False
    state_derivatives(models[0], works[0], circuits[0], fluids[0], instants[0])
    return True
