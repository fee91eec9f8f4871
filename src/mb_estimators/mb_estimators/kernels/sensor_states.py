"""Biases and mountings of sensors as states, behind the states of motion."""

from math import cos, sin, sqrt

from numba import float64, int64, void

from mb_estimators.records.filter import FILTER
from mb_model.jit import entry, kernel
from mb_model.kernel_api import IN_SPACE, cross
from mb_model.record import MODEL, WORK
from mb_sensors.kernel_api import CHANNELS, measurement_jacobian


@entry
def walk_biases(filters, h):
    """Let the variances of the biases grow for h [s]."""
    f = filters[0]
    for b in range(f.biases):
        f.P[f.motion + b, f.motion + b] += f.bias_walk[b] * h


@kernel
def add_biases(channels, f):
    """Add the estimated biases to what ideal sensors read, f.h."""
    if f.biases == 0:
        return
    for channel in range(channels.size):
        if f.bias_of[channel] >= 0:
            f.h[channel] += f.bias[f.bias_of[channel]]


@kernel
def observe_bias(f, row, channel):
    """Write the columns of f.H that belong to biases in the row of a channel."""
    for b in range(f.biases):
        f.H[row, f.motion + b] = 1.0 if b == f.bias_of[channel] else 0.0


@kernel
def correct_biases(f):
    """Add the correction f.dx to the biases."""
    for b in range(f.biases):
        f.bias[b] += f.dx[f.motion + b]


_SMALL = 1e-4       # [rad]: series below


@kernel
def _coefficients(x, y, z):
    """Return sin(a)/a, (1 - cos(a))/a^2 and (a - sin(a))/a^3 of a rotation vector of length a."""
    square = x * x + y * y + z * z
    if square < _SMALL * _SMALL:
        return 1.0 - square / 6.0, 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    a = sqrt(square)
    return sin(a) / a, (1.0 - cos(a)) / square, (a - sin(a)) / (a * square)


@kernel
def _turned_back(m, v):
    """Return exp([m]x)^T v = v - s m x v + c m x (m x v)."""
    s, c, _ = _coefficients(m[0], m[1], m[2])
    across = cross(m, v)
    twice = cross(m, across)
    return (v[0] - s * across[0] + c * twice[0], v[1] - s * across[1] + c * twice[1],
            v[2] - s * across[2] + c * twice[2])


@kernel
def _mounting(values, b):
    """Return the rotation vector that begins at number b of the states behind the motion."""
    return values[b], values[b + 1], values[b + 2]


@IN_SPACE.separate(void, CHANNELS, FILTER, float64[::1])
def _turn_readings(channels, f, values):
    for channel in range(channels.size):
        if f.mounting_of[channel] >= 0 and f.mounting_axis[channel] == 0:
            turned = _turned_back(_mounting(values, f.mounting_of[channel]),
                                  (f.h[channel], f.h[channel + 1], f.h[channel + 2]))
            for k in range(3):
                f.h[channel + k] = f.mounted_h[channel + k] = turned[k]


@kernel
def turn_readings(channels, f, values):
    """Turn what ideal sensors read, f.h, by mountings; values: states behind the motion.

    Keeps what is read without biases in f.mounted_h.
    """
    if f.mountings > 0:
        _turn_readings(channels, f, values)


@IN_SPACE.separate(void, MODEL, WORK, CHANNELS, FILTER, int64)
def _mounted_jacobian(model, work, channels, f, channel):
    axis = f.mounting_axis[channel]
    for i in range(model.n_total):
        f.mounted_q[i] = f.mounted_qd[i] = f.mounted_qdd[i] = 0.0
    m = _mounting(f.bias, f.mounting_of[channel])
    for k in range(3):
        one = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        weight = _turned_back(m, one)[axis]
        measurement_jacobian(channels[channel - axis + k], work.q, work.qd, work.qdd,
                             f.h_q, f.h_qd, f.h_qdd)
        for i in range(model.n_total):
            f.mounted_q[i] += weight * f.h_q[i]
            f.mounted_qd[i] += weight * f.h_qd[i]
            f.mounted_qdd[i] += weight * f.h_qdd[i]
    for i in range(model.n_total):
        f.h_q[i], f.h_qd[i], f.h_qdd[i] = f.mounted_q[i], f.mounted_qd[i], f.mounted_qdd[i]


@kernel
def reading_jacobian(model, work, channels, f, channel):
    """Write f.h_q, h_qd, h_qdd of a channel, of the axis that it has as mounted."""
    if f.mountings > 0 and f.mounting_of[channel] >= 0:
        _mounted_jacobian(model, work, channels, f, channel)
    else:
        measurement_jacobian(channels[channel], work.q, work.qd, work.qdd, f.h_q, f.h_qd, f.h_qdd)


@IN_SPACE.separate(void, FILTER, int64, int64)
def _observe_mounting(f, row, channel):
    b, axis = f.mounting_of[channel], f.mounting_axis[channel]
    first = channel - axis
    x, y, z = f.mounted_h[first], f.mounted_h[first + 1], f.mounted_h[first + 2]
    across = (0.0, -z, y)
    if axis == 1:
        across = (z, 0.0, -x)
    elif axis == 2:
        across = (-y, x, 0.0)
    m = _mounting(f.bias, b)
    _, c, d = _coefficients(m[0], m[1], m[2])
    once = cross(across, m)
    twice = cross(once, m)
    for k in range(3):
        f.H[row, f.motion + b + k] = across[k] - c * once[k] + d * twice[k]


@kernel
def observe_mounting(f, row, channel):
    """Write the columns of f.H that belong to the mounting of a channel, if it has one.

    With what is read, r = E^T h, dr/dm = [r]x J, J = I - c [m]x + d [m]x^2 the right Jacobian of
    the rotations.  Source: Chirikjian 2012, Stochastic Models, Information Theory, and Lie Groups,
    Vol. 2, Sec. 10.6.
    """
    if f.mountings > 0 and f.mounting_of[channel] >= 0:
        _observe_mounting(f, row, channel)
