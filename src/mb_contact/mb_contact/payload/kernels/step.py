"""One step of the payload estimator: a new estimate of motion and pressures."""

from math import isfinite, nan, sqrt

from numba import boolean, float64, int64

from mb_contact.payload.kernels.agreement import follow_agreement
from mb_contact.payload.kernels.change import changed, explained, forget_scores, take_change
from mb_contact.payload.kernels.instant import solve_masses, standing_cylinder
from mb_contact.payload.kernels.many_instants import (
    add_to_low_pass,
    add_to_window,
    empty,
    restart_low_pass,
    restart_window,
)
from mb_contact.payload.kernels.mass_filter_record import (
    CONTRADICTED,
    DISTRUSTED,
    INSTANT,
    LATE,
    MASS_FILTER,
    NO_EVENT,
    NO_POSITION,
    NOT_FINITE,
    PICKED_UP,
    RELEASED,
    SETTLING,
    SPIKE,
    STANDING,
    UNCERTAIN,
    UNDETERMINED,
    UPDATING,
)
from mb_contact.payload.kernels.residual import residual, residual_noise, state_derivatives
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import mass_matrix, set_parameter
from mb_model.record import MODEL, PARAMETER, WORK
from mb_model.record.hydraulics import CIRCUIT, FLUID

_MODEL_CHANGE = 0.01      # the model follows masses that changed by more than this share,
_LEAST_MASS = 0.1         # or this much [kg]
_SPIKE = 5.0              # standard deviations of an instant
_AGAIN = 1_000_000_000    # an alarm so soon after another one is the same event [ns]

_PARAMETERS, _VECTOR = PARAMETER.array, float64[::1]


@kernel
def _interval(f, stamp):
    """Return the time since the last instant [s], 0.0 if the stamp is not after it."""
    if f.started == 0:
        f.started, f.stamp = 1, stamp
        return f.dt
    dt = 1e-9 * (stamp - f.stamp)
    if dt <= 0.0:
        return 0.0
    f.stamp = stamp
    if dt > f.longest_gap:
        f.settled = 0.0
        return f.dt
    return dt


@kernel
def _load(model, work, circuit, fluid, z, zd, zdd, p, P):
    """Copy a state; return whether it is complete and finite."""
    states = 3 * model.g + circuit.volumes + circuit.valves
    if (z.size != model.g or zd.size != model.g or zdd.size != model.g or p.size < circuit.volumes
            or P.shape[0] != P.shape[1] or P.shape[0] > states):
        return False
    total = 0.0
    for k in range(model.g):
        work.z[k], work.zd[k], work.zdd[k] = z[k], zd[k], zdd[k]
        total += z[k] + zd[k] + zdd[k]
    for n in range(circuit.volumes):
        fluid.p[n] = p[n]
        total += p[n]
    return isfinite(total)


@kernel
def _follow_masses(model, work, instant, f, parameters):
    """Set the masses of the model near the estimated ones: M_bar depends on them."""
    if f.known == 0:
        return
    for j in range(instant.masses):
        mass = max(f.mass[j], 0.0)
        if abs(mass - instant.value[j]) > max(_LEAST_MASS, _MODEL_CHANGE * mass):
            instant.value[j] = mass
            set_parameter(model, parameters[j], mass)
            mass_matrix(model, work.M)


@kernel
def _variance(f, of_noise, slope, factors):
    """Return the variance of a mass by noise, and by factors with their slopes."""
    variance = of_noise
    for i in range(factors):
        off = slope[i] * f.factor_deviation[i]
        variance += off * off
    return variance


@kernel
def _evaluate(model, work, circuit, fluid, instant, f, known, q, P):
    """Write the masses of the instant; return its status, and the cylinder that stands still."""
    if not residual(model, work, circuit, fluid, instant, known, q, P):
        return NO_POSITION, 0
    if P.size > 0:
        state_derivatives(model, work, circuit, fluid, instant)
    if not residual_noise(model, circuit, instant, P):
        return NOT_FINITE, 0
    if not solve_masses(model, instant):
        return UNDETERMINED, 0
    standing = standing_cylinder(circuit, instant)
    for j in range(instant.masses):
        variance = _variance(f, instant.covariance[j, j], instant.slope[j], instant.factors)
        if not variance <= f.largest_deviation * f.largest_deviation:
            return UNCERTAIN, 0
    return (STANDING, standing) if standing >= 0 else (UPDATING, 0)


@kernel
def _restart(f, instant, rings, sums, normal):
    if normal.size > 0:
        restart_window(f, instant, rings, sums, normal)
    else:
        restart_low_pass(f, instant, sums)
    forget_scores(f)
    _write_deviations(f, instant)


@kernel
def _write_deviations(f, instant):
    for j in range(instant.masses):
        f.deviation[j] = sqrt(
            _variance(f, f.spread[j] * f.spread[j], f.slope[j], instant.factors)
            + f.apart[j] * f.apart[j])


@kernel
def _find_change(f, instant, rings, sums, normal, stamp, dt):
    """Return the event that is detected at this instant."""
    mass, side = changed(f, instant, dt)
    if mass < 0:
        return NO_EVENT
    take_change(f, instant, mass, side)
    _restart(f, instant, rings, sums, normal)
    again = f.reported[side] > 0 and stamp - f.reported[side] < _AGAIN
    f.reported[side] = stamp
    if again:
        return NO_EVENT
    return PICKED_UP if side == 0 else RELEASED


@kernel
def _is_spike(f, instant):
    for j in range(instant.masses):
        most = (explained(f, instant, j) + f.least_change
                + _SPIKE * sqrt(instant.covariance[j, j]))
        if abs(instant.raw[j] - f.mass[j]) > most:
            return True
    return False


@kernel
def _begin(f, sums):
    empty(f, sums)
    f.elapsed = 0.0


@kernel
def _take_in(f, instant, g, rings, sums, normal, dt, has_noise):
    """Add the instant to the masses; return its status.

    has_noise: whether the noise of the equations is known.
    Masses become known by a time_constant of instants that agree; one that does not starts anew.
    """
    if _is_spike(f, instant):
        if f.known:
            return SPIKE
        _begin(f, sums)
    f.elapsed += dt
    if normal.size > 0:
        if not add_to_window(f, instant, g, rings, sums, normal, dt):
            _begin(f, sums)      # a wild row, beside which nothing is left of the others
            return UNDETERMINED
    else:
        add_to_low_pass(f, instant, rings, sums, dt)
    contradicted = has_noise and g > instant.masses and follow_agreement(f, instant, g, dt)
    _write_deviations(f, instant)
    if f.elapsed >= f.time_constant:
        f.known = 1
    return CONTRADICTED if contradicted else UPDATING


@separate(MODEL, WORK, CIRCUIT, FLUID, INSTANT, MASS_FILTER, _PARAMETERS, float64[:, :, ::1],
          float64[:, ::1], float64[:, ::1], int64, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR,
          float64[:, ::1], _VECTOR, boolean)
def _step(model, work, circuit, fluid, instant, f, parameters, rings, sums, normal, stamp, q, z, zd,
          zdd, p, P, known, trusted):
    """Return (status, cylinder that stands still, event) of an instant."""
    dt = _interval(f, stamp)
    if dt == 0.0:
        return LATE, 0, NO_EVENT
    for j in range(instant.masses):
        instant.raw[j] = nan
    if not trusted or not _load(model, work, circuit, fluid, z, zd, zdd, p, P):
        f.settled = 0.0
        forget_scores(f)
        return (NOT_FINITE if trusted else DISTRUSTED), 0, NO_EVENT
    _follow_masses(model, work, instant, f, parameters)
    status, standing = _evaluate(model, work, circuit, fluid, instant, f, known, q, P)
    if status == UPDATING:
        f.settled += dt
        if f.settled < f.settling_time:
            return SETTLING, 0, NO_EVENT
    elif status == STANDING:
        f.settled = 0.0
    else:
        return status, 0, NO_EVENT
    event = NO_EVENT
    if f.known:
        event = _find_change(f, instant, rings, sums, normal, stamp, dt)
    if status == UPDATING:
        status = _take_in(f, instant, model.g, rings, sums, normal, dt,
                          P.size > 0)
    return status, standing, event


@entry
def step(models, works, circuits, fluids, instants, filters, parameters, rings, sums, normal, stamp,
         q, z, zd, zdd, p, P, known, trusted):
    """Add an estimate; returns (status, cylinder that stands still, event).

    q (n), z, zd, zdd (g), p (v), known forces on z (g); q and known may be empty, and so may P, the
    covariance of z, zd, zdd, p, U.  Leaves instants.raw, filters.mass and deviation (k).
    """
    return _step(models[0], works[0], circuits[0], fluids[0], instants[0], filters[0], parameters,
                 rings, sums, normal, stamp, q, z, zd, zdd, p, P, known, trusted)


@entry
def steps(models, works, circuits, fluids, instants, filters, parameters, rings, sums, normal,
          stamps, q, z, zd, zdd, p, P, known, trusted, masses, raw_masses, deviations, outcomes):
    """Add many estimates, one a row; write masses, raw_masses, deviations, outcomes (rows, ...)."""
    instant, f = instants[0], filters[0]
    for row in range(stamps.size):
        outcomes[row, 0], outcomes[row, 1], outcomes[row, 2] = _step(
            models[0], works[0], circuits[0], fluids[0], instant, f, parameters, rings, sums,
            normal, stamps[row], q[row], z[row], zd[row], zdd[row], p[row], P[row], known[row],
            trusted[row])
        for j in range(instant.masses):
            masses[row, j], raw_masses[row, j], deviations[row, j] = (
                f.mass[j], instant.raw[j], f.deviation[j])
