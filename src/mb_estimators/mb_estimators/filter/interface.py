"""The interface of all filters, and capabilities that some have beside it, each a Protocol.

`isinstance(filter_, Rewindable)` is whether a filter has it.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

from numpy.typing import ArrayLike

from mb_estimators.filter.estimate import Estimate, Innovation
from mb_estimators.state import restore
from mb_model import Mechanism, Settings as AnySettings
from mb_model.arrays import FloatArray


class Filter(Protocol):
    """An estimator of a mechanism's state, made as PluginClass(mechanism, sensors, dt, settings).

    dt: the longest step of the model [s]; predictions over longer times are the caller's to divide.
    Further capabilities are Protocols in `capabilities`.

    Attributes, by topic:

    - Settings: `Settings`, their class; `settings`, the ones that it was made with.
    - State: `estimate`.
    """

    Settings: ClassVar[type[AnySettings]]
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


@runtime_checkable
class Rewindable(Protocol):
    """A filter that can return to an earlier state, and continue from it to the same bits."""

    @property
    def state(self) -> Any:
        """All that its future depends on, and nothing else, as mb_estimators.state copies it.

        The object itself: `restore` writes to it.
        """


@runtime_checkable
class Rebuilding(Protocol):
    """A filter with parts beside its state that cannot be copied."""

    def rebuild(self) -> None:
        """Make these parts anew, after the state was restored."""


def rebuild(filter_: Any) -> None:
    """Let a filter continue from its state, which was just restored."""
    if isinstance(filter_, Rebuilding):
        filter_.rebuild()


def put_back(filter_: Rewindable, saved: Any) -> None:
    """Put a filter back to a copy of its state."""
    restore(filter_.state, saved)
    rebuild(filter_)


@runtime_checkable
class Retroactive(Protocol):
    """A filter that also uses readings of past instants, which it keeps open itself."""

    def correct_late(self, ago: float, readings: ArrayLike) -> bool:
        """Correct by readings of `ago` [s] > 0 before the present; otherwise as `correct`.

        Returns False, and keeps the state, if that is too long ago.
        """


@runtime_checkable
class Acting(Protocol):
    """A filter whose accelerations can follow known forces that change at an instant."""

    def act(self, inputs: ArrayLike | None) -> None:
        """Let known forces on z (g), None: none, act where the filter is.

        Predictions have their means.  Raises DivergenceError where there are no accelerations.
        """


@runtime_checkable
class Assessing(Protocol):
    """A filter that judges readings before a correction, as it cannot undo it."""

    def assess(self, readings: ArrayLike) -> Innovation:
        """Return the Innovation of readings (channels), without a correction."""


@runtime_checkable
class Widening(Protocol):
    """A filter that can doubt single readings."""

    def correct_widened(self, readings: ArrayLike, added: ArrayLike) -> Innovation:
        """Correct by readings whose noise has that much more variance (channels), this once."""


@runtime_checkable
class AwareOfNoise(Protocol):
    """A filter that finds the noise of its sensors."""

    @property
    def sensor_variance(self) -> FloatArray:
        """The present estimate of the variance of every channel's noise."""


@runtime_checkable
class Doubting(Protocol):
    """A filter that knows what its last correction could not do."""

    @property
    def doubt(self) -> str:
        """Why the last correction is not to be relied on, in words; empty in general."""


@runtime_checkable
class Gating(Protocol):
    """A filter that leaves incredible readings out itself, unless others judge them."""

    def use_gate(self, used: bool) -> None:
        """Leave readings out by its own gate, or use all."""


@runtime_checkable
class OfMechanism(Protocol):
    """A filter around a mechanism, with a model of it or without."""

    mechanism: Mechanism


class Covering(Protocol):
    """What makes the covariances of a filter cover what its readings leave open."""

    def covering(self, covariance: FloatArray, q: FloatArray) -> FloatArray:
        """Return a covariance (l, l), first of z, that covers it at q (n)."""


@runtime_checkable
class Smoothable(Protocol):
    """A filter around a mechanism that can be gone back over.

    Its states: z, zd (2g); with estimated forces the errors of zdd too (3g); then biases;
    then any others.  play: what widens its covariances, see filters.free_play.
    """

    mechanism: Mechanism
    play: Covering

    @property
    def state_covariance(self) -> FloatArray:
        """The present covariance of all states (l, l)."""

    @property
    def correction(self) -> FloatArray:
        """What the last correction has added to all states (l)."""

    def cross_covariance(self, before: FloatArray, dt: float) -> FloatArray:
        """Return the covariance of the states before and after the last prediction (l, l).

        before: covariance of the states before that prediction, over dt [s]: before f_x^T.
        """


@runtime_checkable
class Referring(Protocol):
    """A Smoothable whose states are errors at references, which follow a correction."""

    @property
    def reference_change(self) -> FloatArray | None:
        """What errors at the references of the last prediction are multiplied by (l, l).

        As `correction`, of the last correction, and in cross_covariance; None if none has moved.
        """


@runtime_checkable
class WholeSmoothing(Protocol):
    """A filter that smooths a recording itself, as a whole."""

    mechanism: Mechanism

    def smooth_all(self, recording: Any, dt: float, progress: bool = False) -> Any:
        """Return the Smoothed of a Recording; dt: longest step [s]."""


def needs_hydraulics(filter_: Any) -> bool:
    """Return whether a filter, or a class of filters, estimates the oil of a hydraulic machine."""
    return getattr(filter_, 'needs_hydraulics', False)


def moves_prescribed(filter_: Any) -> bool:
    """Return whether a filter, or a class of filters, steps coordinates prescribed over time."""
    return getattr(filter_, 'moves_prescribed', False)


def follows_rolling(filter_: Any) -> bool:
    """Return whether a filter, or a class of filters, keeps bodies from slipping that roll."""
    return getattr(filter_, 'follows_rolling', False)


def needs_masses(filter_: Any) -> bool:
    """Return whether a filter, or a class of filters, has the equations of motion."""
    return getattr(filter_, 'needs_masses', True)


def refuses_orientations(filter_: Any) -> str:
    """Return why a filter, or a class of filters, does not suit orientations; '' if it does."""
    return getattr(filter_, 'refuses_orientations', 'it does not say that it follows them')


def follows_any_acceleration(filter_: Any, g: int) -> bool:
    """Return whether a filter of g degrees of freedom takes forces for unknown on all of them.

    It says so, or has accelerations among its states.
    """
    return getattr(filter_, 'follows_any_acceleration', len(filter_.estimate.covariance) >= 3 * g)
