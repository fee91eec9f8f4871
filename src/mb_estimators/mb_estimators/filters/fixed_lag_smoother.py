"""fixed_lag_smoother: the motion of the last moments by all readings of them, also late ones."""

from dataclasses import dataclass

from mb_estimators.factor_graph.losses import LossSettings
from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.motion_window import MotionWindow
from mb_estimators.filters.parameters import ParameterSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.filters.window_settings import WindowSettings


@dataclass(frozen=True)
class FixedLagSmootherSettings(WindowSettings, ParameterSettings, LossSettings, ForceSettings,
                               ModelFilterSettings):
    """Factor graph over the last moments: readings also correct what was before them."""


class FixedLagSmoother(MotionWindow, ExactTransition, ForceFilter):
    """A fixed-lag smoother: a window of a graph around the model, see MotionWindow."""

    Settings = FixedLagSmootherSettings
