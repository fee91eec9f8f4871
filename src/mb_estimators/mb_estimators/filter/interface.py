"""The interface of all filters."""

from typing import Any, ClassVar, Protocol

from numpy.typing import ArrayLike

from mb_estimators.filter.estimate import Estimate, Innovation
from mb_model import Settings as AnySettings


class Filter(Protocol):
    """An estimator of a mechanism's state, made as PluginClass(mechanism, sensors, dt, settings).

    dt: the longest step of the model [s]; predictions over longer times are the caller's to divide.
    Further capabilities are in `capabilities`.
    """

    Settings: ClassVar[type[AnySettings]]   # the plugin's settings class
    settings: AnySettings

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from independent coordinates and velocities (g), and a covariance of the state."""

    def predict(self, dt: float, inputs: Any = None) -> None:
        """Move the state on by a time dt [s] > 0.

        inputs: known generalized forces on z (g); of a filter that estimates the oil of a hydraulic
        machine, commands of its valves (u).

        Raises DivergenceError if there is no finite state to go on to.
        """

    def correct(self, readings: ArrayLike) -> Innovation:
        """Correct by present readings: one number per channel, NaN where there is none.

        The channels are the sensors', in order.  Raises ImpossibleReadingError, and leaves
        the state as it was, if no state of the mechanism fits them.
        """

    @property
    def estimate(self) -> Estimate:
        """The present estimate, as arrays of its own."""
