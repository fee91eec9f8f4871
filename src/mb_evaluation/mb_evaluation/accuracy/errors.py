"""Errors of a track against the truth, their root mean squares; when estimates were lost."""

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators import agreement, normalized_squares
from mb_evaluation.accuracy.track import Track
from mb_evaluation.panels.panel import REACH
from mb_model import motion_errors

QUANTITIES = {'position': '', 'velocity': '/s', 'acceleration': '/s²'}  # name -> unit per time
# Label of a root mean square error, its key in figures, unit per time
RMSES = (('position', 'position_rmse', ''), ('after 2 s', 'position_rmse_after_2s', ''),
         ('velocity', 'velocity_rmse', '/s'), ('acceleration', 'acceleration_rmse', '/s²'))
SETTLING_TIME = 2.0     # [s] after the start, when an observer has forgotten the wrong start


@dataclass(frozen=True)
class Errors:
    """Track minus truth, wherever both are known."""

    time: np.ndarray                                            # after the start (k) [s]
    position: np.ndarray                                        # (k, g)
    velocity: np.ndarray                                        # (k, g)
    acceleration: np.ndarray                                    # (k, g)
    deviations: tuple[np.ndarray, np.ndarray, np.ndarray]       # claimed, (k, g) each
    covariance: np.ndarray                                      # claimed, of l states (k, l, l)

    def figures(self) -> dict[str, list]:
        """Return the root mean squares and largest errors, one number per degree of freedom.

        With the claimed deviations of positions after 2 s, None where there are none.
        """
        late = self.time >= SETTLING_TIME
        figures = {}
        for name in QUANTITIES:
            errors = getattr(self, name)
            figures |= {f'{name}_rmse': _rms(errors), f'{name}_rmse_after_2s': _rms(errors[late])}
        return figures | {'position_largest': _largest(self.position),
                          'position_claimed_after_2s': self._claimed(late)}

    def _claimed(self, late: np.ndarray) -> list[float | None]:
        sigma = self.deviations[0]
        if not (sigma.size and np.isfinite(sigma).all()):
            return [None] * self.position.shape[1]
        return _rms(sigma[late])

    def coverage(self) -> dict[str, list[float]]:
        """Return the share of errors within +-1.96 of their claimed deviations, by quantity.

        95 % if the claimed covariance is right; nothing for a quantity without covariance.
        """
        shares = {}
        for name, sigma in zip(QUANTITIES, self.deviations, strict=True):
            if sigma.size and np.isfinite(sigma).all():
                inside = np.abs(getattr(self, name)) <= REACH * sigma
                shares[name] = inside.mean(axis=0).tolist()
        return shares

    def nees(self) -> dict[str, Any] | None:
        """Return the settled NEES per state, 1 if consistent, and the share inside 95 % bounds.

        None if the filter claims no covariance, or an impossible one.
        """
        late, states = settled(self.time), self.covariance.shape[1]
        errors = np.hstack([self.position, self.velocity, self.acceleration])[late, :states]
        if not errors.size:
            return None
        try:
            squares = normalized_squares(errors, self.covariance[late])
        except np.linalg.LinAlgError:
            return None
        mean, inside = agreement(squares, np.full(len(squares), states))
        return {'states': states, 'mean_per_state': mean, 'inside_95': inside}


def settled(time: np.ndarray) -> np.ndarray:
    """Return which times (k) after the start [s] count as settled; all of a shorter run."""
    late = time >= SETTLING_TIME
    return late if late.any() else np.ones_like(late)


def errors_against(truth: Track, track: Track, start: int) -> Errors:
    """Return the Errors of a Track at its stamps within the truth."""
    inside = (track.stamps >= truth.stamps[0]) & (track.stamps <= truth.stamps[-1])
    position, velocity, acceleration = motion_errors(
        track.motion[inside], truth.at(track.stamps[inside]))
    return Errors(time=track.seconds(start)[inside],
                  position=position, velocity=velocity, acceleration=acceleration,
                  deviations=tuple(sigma[inside] for sigma in track.deviations),
                  covariance=track.covariance[inside])


class LostEstimates:
    """Notes of every estimate whether it was lost, as it could not be right, by its stamp."""

    def __init__(self) -> None:
        self._stamps = array('q')               # of all [ns]
        self._why: dict[int, str] = {}          # stamp [ns] of a lost one -> why

    def add(self, stamp: int, why: str) -> None:
        """Note why the estimate of a stamp [ns] cannot be right; empty if it can."""
        self._stamps.append(stamp)
        if why:
            self._why[stamp] = why
        else:
            self._why.pop(stamp, None)

    def figures(self, start: int) -> dict[str, Any]:
        """Return the share of settled estimates that were lost, and the last reason.

        start: of the run [ns].
        """
        stamps = np.unique(np.array(self._stamps, np.int64))
        late = stamps[settled((stamps - start) * 1e-9)].tolist() if len(stamps) else []
        lost = [stamp for stamp in late if stamp in self._why]
        return {'share_after_2s': len(lost) / len(late) if late else 0.0,
                'at_end': bool(late) and late[-1] in self._why,
                'why': self._why[lost[-1]] if lost else ''}


def lost_line(figures: dict[str, Any]) -> str:
    """Return in a sentence how long an estimate was lost, empty if it was not; see figures()."""
    if not figures['why']:
        return ''
    share = max(1.0, 100.0 * figures['share_after_2s'])
    when = 'and still at the end' if figures['at_end'] else 'but not at the end'
    return f'lost in {share:.0f} % of the time after 2 s, {when}: {figures["why"]}'


def _rms(values: np.ndarray):
    """Root mean square of each column (k, g); None where there are no samples."""
    if not len(values):
        return [None] * values.shape[1]
    return np.sqrt(np.mean(values ** 2, axis=0)).tolist()


def _largest(values: np.ndarray):
    """Largest magnitude in each column (k, g); None where there are no samples."""
    return np.abs(values).max(axis=0).tolist() if len(values) else [None] * values.shape[1]
