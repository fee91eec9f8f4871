"""fixed_lag_smoother: the motion of the last moments by all readings of them, also late ones."""

from dataclasses import dataclass

from mb_estimators.factor_graph.losses import LossSettings
from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.motion_window import MotionWindow
from mb_estimators.filters.parameters import ParameterSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.filters.transition import ExactTransition
from mb_model import Settings, setting


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
    acceleration_psd: float = setting(
        1e-6, unit='rad^2/s^3', above=0.0,
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
