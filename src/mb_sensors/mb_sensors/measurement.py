"""Measurement functions of a set of channels and their derivatives, by dependent coordinates.

The registered kinds of sensors have the equations.  Callers are compiled apart from them and know
numbers only, so that another kind, or a change of one, compiles nothing but this file.
"""

import math

from numba import float64

from mb_model.jit import entry, kernel, separate
from mb_model.record import WORK
from mb_sensors.kind_parts.channel import CHANNEL, CHANNELS
from mb_sensors.kinds import equations, equations_stamp

_TURN = 2.0 * math.pi
_VECTOR = WORK['q']
# The dispatchers are written out, a case for each kind: chains of closures take three times as long
# to run and to compile.  Equations are no part of the sources that numba's cache looks at; it keeps
# functions of other equations apart by the free variable `stamp`.
_MEASURE = """
def cached_for(stamp):
    def measure(channels, q, qd, qdd, h):
        'Write what ideal sensors read: h(q, qd, qdd), one value for each of the channels (k).'
        stamp
        for i in range(channels.size):
            channel = channels[i]
            if channel.kind == 0:
                h[i] = 0.0
            {cases}
    return measure
"""
_VALUE = """\
            elif channel.kind == {number}:
                h[i] = equation{number}(channel, q, qd, qdd)"""
_MEASUREMENT_JACOBIAN = """
def cached_for(stamp):
    def measurement_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
        "Write one channel's exact derivatives by q, qd and qdd (n_total each)."
        stamp
        h_q[:] = 0.0
        h_qd[:] = 0.0
        h_qdd[:] = 0.0
        if channel.kind == 0:
            pass
        {cases}
    return measurement_jacobian
"""
_DERIVATIVES = """\
        elif channel.kind == {number}:
            equation{number}(channel, q, qd, qdd, h_q, h_qd, h_qdd)"""


def _written(source, case, equation_of):
    """Return the function of a source with a case for each equation, {number of its kind: it}."""
    cases = '\n'.join(case.format(number=number) for number in equation_of)
    names = {'__name__': __name__} | {
        f'equation{number}': equation for number, equation in equation_of.items()}
    exec(compile(source.format(cases=cases.lstrip()), __file__, 'exec'), names)
    return names['cached_for'](equations_stamp())


measure = separate(CHANNELS, float64[::1], float64[::1], float64[::1], float64[::1])(
    _written(_MEASURE, _VALUE, {number: value for number, (value, _) in equations().items()}))
measurement_jacobian = separate(
    CHANNEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR)(
    _written(_MEASUREMENT_JACOBIAN, _DERIVATIVES,
             {number: jacobian for number, (_, jacobian) in equations().items()}))


@kernel
def reads_velocities(channel):
    """Return whether a channel's reading depends on qd."""
    return channel.reads_velocities != 0


@kernel
def reads_accelerations(channel):
    """Return whether a channel's reading depends on qdd."""
    return channel.reads_accelerations != 0


@entry
def what_is_read(channels, readings):
    """Return whether readings, NaN where there is none, depend on qd, and whether on qdd."""
    velocities, accelerations = False, False
    for i in range(channels.size):
        if not math.isnan(readings[i]):
            velocities = velocities or reads_velocities(channels[i])
            accelerations = accelerations or reads_accelerations(channels[i])
    return velocities, accelerations


@entry
def difference(channel, reading, h):
    """Return reading minus h; of angles the short way round, for readings know no whole turns."""
    residual = reading - h
    if channel.whole_turns_unknown:
        residual -= _TURN * math.floor(residual / _TURN + 0.5)
    return residual
