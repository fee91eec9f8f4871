"""Measurement functions of a set of channels and their derivatives, by dependent coordinates.

The registered kinds of sensors have the equations.  Callers are compiled apart from them and know
numbers only, so that another kind, or a change of one, compiles nothing but this file.  Equations
for space alone wait for a mechanism in space.
"""

import math
from typing import Any

from numba import float64, void

from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import IN_SPACE
from mb_model.record import WORK
from mb_sensors.kind_parts.channel import CHANNEL, CHANNELS
from mb_sensors.kinds import equations, equations_stamp

_TURN = 2.0 * math.pi
_VECTOR = WORK['q']
# The dispatchers are written out, a case for each kind: chains of closures take three times as long
# to run and to compile.  Equations are no part of the sources that numba's cache looks at; it keeps
# functions of other equations apart by the free variable `stamp`.
_VALUE = """
def cached_for(stamp):
    def value_in_space(channel, q, qd, qdd):
        'Return what an ideal sensor reads: h(q, qd, qdd) of a channel that is for space alone.'
        stamp
        {cases}
        return math.nan
    return value_in_space
"""
_VALUE_CASE = """\
        if channel.kind == {number}:
            return equation{number}(channel, q, qd, qdd)"""
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
            else:
                h[i] = in_space(channel, q, qd, qdd)
    return measure
"""
_MEASURE_CASE = """\
            elif channel.kind == {number}:
                h[i] = equation{number}(channel, q, qd, qdd)"""
_JACOBIAN = """
def cached_for(stamp):
    def jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
        'Add the derivatives of what such a channel reads to zeros.'
        stamp
        {cases}
    return jacobian_in_space
"""
_JACOBIAN_CASE = """\
        if channel.kind == {number}:
            equation{number}(channel, q, qd, qdd, h_q, h_qd, h_qdd)"""
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
        else:
            in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd)
    return measurement_jacobian
"""
_MEASUREMENT_JACOBIAN_CASE = """\
        elif channel.kind == {number}:
            equation{number}(channel, q, qd, qdd, h_q, h_qd, h_qdd)"""


def _written(source, case, equation_of, **others):
    """Return the function of a source with a case for each equation, {number of its kind: it}.

    others: what else it calls.
    """
    cases = '\n'.join(case.format(number=number) for number in equation_of)
    names: dict[str, Any] = {'__name__': __name__, 'math': math} | others | {
        f'equation{number}': equation for number, equation in equation_of.items()}
    exec(compile(source.format(cases=cases.lstrip()), __file__, 'exec'), names)
    return names['cached_for'](equations_stamp())


def _values(dimension):
    return {number: value for number, (value, _) in equations(dimension).items()}


def _jacobians(dimension):
    return {number: jacobian for number, (_, jacobian) in equations(dimension).items()}


_value_in_space = IN_SPACE.separate(float64, CHANNEL, *3 * [_VECTOR])(
    _written(_VALUE, _VALUE_CASE, _values(3)))
_jacobian_in_space = IN_SPACE.separate(void, CHANNEL, *6 * [_VECTOR])(
    _written(_JACOBIAN, _JACOBIAN_CASE, _jacobians(3)))
measure = separate(CHANNELS, *4 * [_VECTOR])(
    _written(_MEASURE, _MEASURE_CASE, _values(2), in_space=_value_in_space))
measurement_jacobian = separate(CHANNEL, *6 * [_VECTOR])(
    _written(_MEASUREMENT_JACOBIAN, _MEASUREMENT_JACOBIAN_CASE, _jacobians(2),
             in_space=_jacobian_in_space))


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
    """Return reading minus h; of angles within half a turn, as readings know no whole turns."""
    residual = reading - h
    if channel.whole_turns_unknown:
        residual -= _TURN * math.floor(residual / _TURN + 0.5)
    return residual
