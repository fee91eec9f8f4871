"""Orientations in filters whose states are z, zd and zdd themselves: references that follow.

A jerk that is a state behind them is a vector in the body's frame and errs as such: what moves a
reference leaves it, and its errors, as they are.
"""

from math import pi, sin, sqrt

from mb_estimators.kernels.motion_observation import settle_position
from mb_estimators.kernels.orientations import make_symmetric, see_rows, transpose
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    carry_accelerations,
    carry_errors,
    centre_references,
    solve_acceleration,
    write_second_change,
)


@entry
def settle_motion(models, works, filters):
    """Bring the mechanism to z, zd, zdd of f.x; return False, f.x as it was, if it cannot be."""
    return (settle_position(models[0], works[0], filters[0])
            and solve_acceleration(models[0], works[0]))


@entry
def follow_motion(models, works, filters, indices, changes, seconds):
    """Move references of orientations to the bodies, where settle_motion has brought them.

    f.x has z = 0, and rates and accelerations in the bodies' frames then; f.P is carried over, as
    mb_model.kernels.chart_accelerations says.  indices: as in follow_bodies; changes, seconds: of
    new_chart_changes, new_second_changes.  Returns whether any reference moved.
    """
    model, work, f = models[0], works[0], filters[0]
    if not centre_references(models, works, changes):
        return False
    for k in range(indices.shape[0]):
        if indices[k, 0] >= 0:
            s = _of(f.x, indices[k], 0)
            w, a = _of(work.zd, indices[k], 0), _of(work.zdd, indices[k], 0)
            write_second_change(s, w, a, changes[k], seconds[k])
    for _ in range(2):
        for k in range(indices.shape[0]):
            if indices[k, 0] >= 0:
                carry_accelerations(changes[k], seconds[k], indices[k], model.g, f.P, f.states)
        carry_errors(changes, indices, model.g, f.P, f.states)
        transpose(f.P, f.states)
    make_symmetric(f)
    for k in range(model.g):
        f.x[k], f.x[model.g + k], f.x[2 * model.g + k] = work.z[k], work.zd[k], work.zdd[k]
    return True


@kernel
def _of(values, chart, first):
    """Return three values, `first` behind the indices of a chart."""
    return values[first + chart[0]], values[first + chart[1]], values[first + chart[2]]


@entry
def begin_turn(filters, g, charts, turns, h):
    """Prepare f.P for a step h [s] of Taylor's series that keeps angular accelerations in bodies.

    A body turns by exp(turn^), turn = h w + h^2 a / 2 + h^3 j / 6 + w x (h^3 a / 12 + h^4 j / 24)
    (Magnus' series); the jerk j is 0 where it is no state.  Errors are seen from the bodies, of
    rotations from where these are after half the turn: there Taylor's series adds what the errors
    of w, a and j make of them.  charts (k, 3): indices in z; turns (k, 3): written.
    """
    f = filters[0]
    for k in range(charts.shape[0]):
        w, a, j = _of(f.x, charts[k], g), _of(f.x, charts[k], 2 * g), (0.0, 0.0, 0.0)
        if f.motion == 4 * g:
            j = _of(f.x, charts[k], 3 * g)
        half, third, fourth = h * h / 2.0, h * h * h / 6.0, h * h * h * h / 24.0
        u = (0.5 * third * a[0] + fourth * j[0], 0.5 * third * a[1] + fourth * j[1],
             0.5 * third * a[2] + fourth * j[2])
        turns[k, 0] = h * w[0] + half * a[0] + third * j[0] + w[1] * u[2] - w[2] * u[1]
        turns[k, 1] = h * w[1] + half * a[1] + third * j[1] + w[2] * u[0] - w[0] * u[2]
        turns[k, 2] = h * w[2] + half * a[2] + third * j[2] + w[0] * u[1] - w[1] * u[0]
    for _ in range(2):
        see_rows(charts, g, f.x[g:], f.x[2 * g:], f.P, 0.5)
        _turn_back_by_half(charts, turns, f)
        transpose(f.P, f.states)


@entry
def end_turn(models, works, filters, charts, turns, changes):
    """End what begin_turn has begun: move the mechanism, and references with the bodies.

    changes: scratch, see centre_references.  Returns False if it cannot move so, or turns by a
    quarter turn.
    """
    model, work, f, g = models[0], works[0], filters[0], models[0].g
    for _ in range(2):
        _turn_back_by_half(charts, turns, f)
        see_rows(charts, g, f.x[g:], f.x[2 * g:], f.P, -0.5)
        transpose(f.P, f.states)
    make_symmetric(f)
    for k in range(charts.shape[0]):
        angle = sqrt(turns[k, 0] ** 2 + turns[k, 1] ** 2 + turns[k, 2] ** 2)
        if not angle < 0.5 * pi:
            return False
        for i in range(3):
            f.x[charts[k, i]] = turns[k, i] * (sin(angle) / angle if angle > 0.0 else 1.0)
    if not settle_position(model, work, f):
        return False
    centre_references(models, works, changes)
    for k in range(g):
        f.x[k], work.zd[k], work.zdd[k] = work.z[k], f.x[g + k], f.x[2 * g + k]
    return True


@kernel
def _turn_back_by_half(charts, turns, f):
    """Turn the rows of f.P of rotations by minus half of `turns`."""
    for k in range(charts.shape[0]):
        x, y, z = -0.5 * turns[k, 0], -0.5 * turns[k, 1], -0.5 * turns[k, 2]
        angle = sqrt(x * x + y * y + z * z)
        sine = sin(angle) / angle if angle > 0.0 else 1.0
        versine = 2.0 * (sin(0.5 * angle) / angle) ** 2 if angle > 0.0 else 0.5
        i0, i1, i2 = charts[k, 0], charts[k, 1], charts[k, 2]
        for j in range(f.states):
            a, b, c = f.P[i0, j], f.P[i1, j], f.P[i2, j]
            u, v, w = y * c - z * b, z * a - x * c, x * b - y * a
            f.P[i0, j] = a + sine * u + versine * (y * w - z * v)
            f.P[i1, j] = b + sine * v + versine * (z * u - x * w)
            f.P[i2, j] = c + sine * w + versine * (x * v - y * u)
