"""What every estimator offers, and what it takes and gives."""

from typing import NamedTuple, Protocol

import numpy as np

from mb_model import Mechanism
from mb_model.settings import Settings


class FilterError(ValueError):
    """A filter that cannot be made from what was asked for; the text says what and why."""


class DivergenceError(ArithmeticError):
    """A filter that cannot go on from where it is; the text says what went wrong."""


class NotConvergedError(DivergenceError):
    """An iteration that ended before its solution; the text says where and how far from it."""


class ImpossibleReadingError(ValueError):
    """Readings that fit no state of the mechanism; the filter is as it was without them."""


class HydraulicEstimate(NamedTuple):
    """The estimated state of a hydraulic circuit and its uncertainty, in SI units."""

    pressures: np.ndarray               # absolute [Pa] (v)
    spools: np.ndarray                  # of valves, -1..1 (u)
    forces: np.ndarray                  # of cylinders: of pressures less friction [N] (c)
    covariance: np.ndarray              # of the stacked z, zd, zdd, pressures, spools


class Estimate(NamedTuple):
    """The estimated state: independent coordinates (g), dependent ones (n), and its uncertainty.

    A tuple for the same reason as Innovation.
    """

    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    covariance: np.ndarray              # of the stacked z, zd (2g, 2g), or z, zd, zdd (3g, 3g)
    forces: np.ndarray | None = None    # estimated force on each degree of freedom (g)
    force_deviations: np.ndarray | None = None          # and its standard deviation
    parameters: dict[str, float] | None = None          # name -> estimated parameter of the model
    parameter_covariance: np.ndarray | None = None      # of them, in their order (p, p)
    biases: dict[str, float] | None = None              # channel -> estimated offset
    bias_deviations: dict[str, float] | None = None     # and its standard deviation
    hydraulics: HydraulicEstimate | None = None         # of the oil, where there is some

    @property
    def parameter_deviations(self):
        """Standard deviation of each parameter by name, None if there are none."""
        if self.parameters is None:
            return None
        deviations = np.sqrt(np.diagonal(self.parameter_covariance))
        return dict(zip(self.parameters, deviations.tolist(), strict=True))


class Innovation(NamedTuple):
    """How readings fitted the prediction, before the correction.

    channels: places of the present readings among the filter's channels (k); residual: reading
    minus prediction (k); covariance: of the residual (k, k); nis: residual' covariance^-1 residual,
    of chi-square distribution with k degrees of freedom if the filter is consistent; rejected:
    channels whose readings the filter left out as impossible.  A tuple, because it is made in every
    step, and that takes a while.
    """

    channels: np.ndarray
    residual: np.ndarray
    covariance: np.ndarray
    nis: float
    rejected: np.ndarray


class Filter(Protocol):
    """An estimator of a mechanism's state, made as PluginClass(mechanism, sensors, dt, settings).

    dt: the longest step of the model [s]; predictions over longer times are the caller's to divide.
    """

    Settings: type[Settings]            # the plugin's settings class
    settings: Settings

    def reset(self, z, zd, covariance=None):
        """Start from independent coordinates and velocities (g), and a covariance of the state."""

    def predict(self, dt, inputs=None):
        """Move the state on by a time dt [s] > 0.

        inputs: known generalized forces on z (g); of a filter that estimates the oil of a hydraulic
        machine, commands of its valves (u).

        Raises DivergenceError if there is no finite state to go on to.
        """

    def correct(self, readings) -> Innovation:
        """Take in readings of the present instant: one number per channel, NaN where there is none.

        The channels are those of the sensors, in order.  Raises ImpossibleReadingError, and leaves
        the state as it was, if no state of the mechanism fits them.
        """

    @property
    def estimate(self) -> Estimate:
        """The present estimate, as arrays of its own."""


class Retroactive(Filter, Protocol):
    """A filter that also uses readings of instants that are over."""

    def correct_late(self, ago, readings):
        """Take in readings of `ago` [s] > 0 before the present; otherwise as `correct`.

        Returns False, the state being as it was, if that is too long ago.
        """


class Rewindable(Filter, Protocol):
    """A filter that can go back to where it has been, and on again to the same bits."""

    def remember(self):
        """Return all that it goes on from, in whatever form."""

    def recall(self, memory):
        """Go back to where `remember` returned that."""


class Assessing(Filter, Protocol):
    """A filter that can judge readings before it takes them in, for it cannot undo that."""

    def assess(self, readings):
        """Return the Innovation of readings (channels), which stay outside."""


class Widening(Filter, Protocol):
    """A filter that can doubt single readings."""

    def correct_widened(self, readings, added):
        """Correct by readings whose noise has that much more variance (channels), this once."""


class Smoothable(Filter, Protocol):
    """A filter around a mechanism that can be gone back over.

    Its states: z, zd (2g); with estimated forces the errors of zdd too (3g); then biases;
    then any others.
    """

    mechanism: Mechanism

    @property
    def state_covariance(self):
        """The present covariance of all states (l, l)."""

    @property
    def correction(self):
        """What the last correction has added to all states (l)."""

    def cross_covariance(self, before, dt):
        """Return the covariance of the states before and after the last prediction (l, l).

        before: covariance of the states before that prediction, over dt [s]: before f_x^T.
        """
