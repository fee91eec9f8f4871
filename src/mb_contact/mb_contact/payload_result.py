"""Results of an experiment with an unknown load."""

from dataclasses import dataclass

import numpy as np

from mb_contact.payload.estimator import Payload
from mb_estimators import NORMAL_95, Observation
from mb_model import Mechanism
from mb_model.arrays import BoolArray, FloatArray, Selection

SETTLING_TIME = 5.0        # after the first motion the load is known [s]


@dataclass(frozen=True)
class CraneTrack:
    """Motion (k, g) and pressures (k, v) [Pa] at k instants; covariance (k, l, l) of an estimate.

    covariance: of z, zd, zdd, pressures and more, None of a truth.
    """

    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    pressures: np.ndarray
    covariance: np.ndarray | None = None

    @property
    def columns(self) -> FloatArray:
        """All numbers of an instant in a row (k, 3 g + v)."""
        return np.hstack([self.z, self.zd, self.zdd, self.pressures])


@dataclass(frozen=True)
class PayloadResult:
    """Truth, observer and load at the instants t (k) [s] of a run.

    mechanism: the true one; true_mass (k) [kg]; speeds (k, c): true ones of the pistons [m/s];
    observation: of the filter with its innovations, None of a stream.
    """

    t: np.ndarray
    mechanism: Mechanism
    truth: CraneTrack
    true_mass: np.ndarray
    speeds: np.ndarray
    observed: CraneTrack
    payload: Payload
    observation: Observation | None = None

    @property
    def mass_error(self) -> FloatArray:
        """Filtered minus true mass (k) [kg]; NaN before there is an estimate."""
        return self.payload.mass[:, 0] - self.true_mass

    @property
    def moving(self) -> BoolArray:
        """Whether every piston truly moves faster than its transition velocity (k)."""
        return (np.abs(self.speeds) > self.mechanism.circuit.transition_velocity).all(axis=1)

    @property
    def judged(self) -> BoolArray:
        """Whether instants are later than five seconds after the first motion (k)."""
        return self.t >= self.t[np.argmax(self.moving)] + SETTLING_TIME

    @property
    def worst_error(self) -> float:
        """Largest error of the filtered mass from five seconds after the first motion on [kg]."""
        return float(np.max(np.abs(self.mass_error[self.judged])))

    def coverage(self, rows: Selection = slice(None)) -> dict[str, float]:
        """Return how often each 95 % interval holds the truth: {name: share of the instants}.

        rows: of which instants, default all.
        """
        errors = self.observed.columns - self.truth.columns
        variances = np.einsum('kii->ki', self.observed.covariance)[:, :errors.shape[1]]
        inside = np.abs(errors) <= NORMAL_95 * np.sqrt(variances)
        names = [f'{level} {name}' for level in ('z', 'zd', 'zdd')
                 for name in self.mechanism.independent] + [
            f'pressure {name}' for name in self.mechanism.circuit.volumes]
        return dict(zip(names, inside[rows].mean(axis=0).tolist(), strict=True))

    @property
    def mass_coverage(self) -> float:
        """How often the 95 % interval of the mass holds it, of the judged instants."""
        inside = np.abs(self.mass_error) <= NORMAL_95 * self.payload.deviation[:, 0]
        return float(inside[self.judged].mean())
