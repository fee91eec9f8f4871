"""Filters with a window of a factor graph: fixed_lag_smoother, and with bounds moving_horizon.

The motion of the last moments follows from all readings of them, also late ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.consistency.normalized import chi_square_tail
from mb_estimators.factor_graph.factor import LossSettings, bound
from mb_estimators.filter import FilterError
from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.motion_window import MotionWindow
from mb_estimators.filters.parameters import ParameterSettings
from mb_estimators.filters.parts import ExactTransition
from mb_estimators.filters.shared_settings import ModelFilterSettings, machine_noise
from mb_model import Settings, setting
from mb_model.arrays import FloatArray

_PART = 1e-3             # of what a multiplier of 1 moves a bounded variable by
_ROUNDING = 1e-12
_CHANCE = 1e-4           # of readings so far from their prediction, where nothing is wrong


@dataclass(frozen=True)
class WindowSettings(Settings):
    """A factor graph over the last moments; before ParameterSettings, whose default differs."""

    parameters: tuple[str, ...] = setting(
        (), help='Numbers of the mechanism file that are estimated: paths such as '
                 'bodies.crank.mass, or names of its parameters. The unknown force explains what '
                 'they do, too, unless acceleration_variance is small')

    lag: float = setting(
        0.1, unit='s', above=0.0, at_most=10.0,
        help='How long instants stay open: late readings as old as this are used, and the smoothed '
             'estimate is as far behind')
    acceleration_psd: float = machine_noise(
        1e-6, unit='rad^2/s^3', grows=1.0,
        help='Power spectral density of the noise of the independent accelerations beside the '
             'force: errors of the steps, which must not count as certain')
    relinearise: float = setting(
        1e-2, unit='rad', above=0.0,
        help='Change of a position, or of a velocity over 0.1 s, from which on the factors of an '
             'instant are linearised anew')
    iterations: int = setting(
        30, at_least=1,
        help='Of solving the window after readings, and of solving a recording as a whole, the '
             'most; readings that need more are left out, a recording that does is an error')


@dataclass(frozen=True)
class FixedLagSmootherSettings(WindowSettings, ParameterSettings, LossSettings, ForceSettings,
                               ModelFilterSettings):
    """Factor graph over the last moments: readings also correct what was before them."""


class FixedLagSmoother(MotionWindow, ExactTransition, ForceFilter):
    """A fixed-lag smoother: a window of a graph around the model, see MotionWindow."""

    Settings = FixedLagSmootherSettings


@dataclass(frozen=True)
class MovingHorizonSettings(WindowSettings, ParameterSettings, LossSettings, ForceSettings,
                            ModelFilterSettings):
    """Moving-horizon estimation: a window with bounds of motion, forces and biases."""

    bounded: tuple[str, ...] = setting(
        (),
        help='What has bounds: degrees of freedom such as theta, "theta velocity", the unknown '
             '"force on theta", the "bias of" a channel, or one of the parameters')
    least: tuple[float, ...] = setting((), help='The least value of each of them')
    largest: tuple[float, ...] = setting((), help='And the largest')
    bound_deviation: float = setting(
        1e-3, at_least=1e-4,
        help='How soft bounds are, as a standard deviation in the unit of what has them; for '
             'parameters a share of their value')


class MovingHorizon(MotionWindow, ExactTransition, ForceFilter):
    """Moving-horizon estimation with bounds (Rao, Rawlings and Mayne 2003), by a factor graph.

    The window of fixed_lag_smoother, whose nodes have bounds: what is solved is a quadratic program
    of the linearised window.  What leaves the window is the cost of arrival.  While a bound holds a
    variable, its variance is the bound's.  Predictions ahead of readings have no bounds.  `doubt`
    says where readings are far from what a bound leaves.  By many deviations at several instants,
    the solution may need more than `iterations`: then the window begins anew, or readings are left
    out, as in the smoother.
    """

    Settings = MovingHorizonSettings

    def _bounded(self):
        s, names = self.settings, self._node.names
        if not len(s.bounded) == len(s.least) == len(s.largest):
            raise FilterError(f'bounded: {len(s.bounded)} names, {len(s.least)} least and '
                              f'{len(s.largest)} largest values, expected equally many')
        for name, least, largest in zip(s.bounded, s.least, s.largest, strict=True):
            if name not in names:
                raise FilterError(f'bounded: {name}: unknown, expected some of '
                                  f'{", ".join(names)}')
            if any(names.index(name) in chart for chart in self._orientations.independent):
                raise FilterError(f'bounded: {name}: an orientation counts from where the body is, '
                                  'so it has no bounds; expected others, or its velocity')
            if not least < largest:
                raise FilterError(f'bounded: {name}: least {least} must be < largest {largest}')
        change = max(_PART * s.bound_deviation ** 2, _ROUNDING)
        return {names.index(name): change for name in s.bounded}

    def _correct(self, readings: FloatArray) -> int:
        status = super()._correct(readings)
        f, held = self._filter, self._held(self._present())
        count, left = int(f['count']), int(f['rejected_count'])
        far = left > 0 or chi_square_tail(count, float(f['nis'])) < _CHANCE
        if held and far and count + left > 0 and not self._doubt:
            self._doubt = f'has readings far from their prediction while bounds hold {held}'
        return status

    def _held(self, vector: FloatArray):
        """Return what a bound holds in the vector of a node, in words, '' for nothing."""
        s, values = self.settings, vector[list(self._bounded())]
        inside = [low < value < high for low, value, high in zip(
            self._limits(s.least), values, self._limits(s.largest), strict=True)]
        return ', '.join(
            f'{name}, {least:g} to {largest:g}' for name, least, largest, free in zip(
                s.bounded, s.least, s.largest, inside, strict=True) if not free)

    def _limits(self, values: Sequence[float]):
        """Return least or largest values in the units of nodes."""
        parameters = self._parameters
        return np.array([
            parameters.number_of(name, value) if name in parameters.names else value
            for name, value in zip(self.settings.bounded, values, strict=True)])

    def _why_anew(self):
        held = self._held(self._present())
        return f', while bounds hold {held}' if held else ''

    def _of_node(self, key: int):
        indices = list(self._bounded())
        if not indices:
            return ()
        s = self.settings
        return (bound(key, self._node.size, np.array(indices), self._limits(s.least),
                      self._limits(s.largest), np.full(len(indices), s.bound_deviation)),)
