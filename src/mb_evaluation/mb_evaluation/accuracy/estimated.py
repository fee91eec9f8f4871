"""The estimates of one filter from the readings of a bag."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
import time
from typing import Any

from mb_estimators import Counts, Estimate, EstimatorSetup, replay
from mb_evaluation.accuracy.errors import LostEstimates
from mb_evaluation.accuracy.innovations import Innovations, note
from mb_evaluation.accuracy.rows import Rows
from mb_evaluation.accuracy.track import Track
from mb_model import FreeOrientations
from mb_sensors import open_bag


@dataclass
class Estimated:
    """A track of estimates, how the readings fitted, and the time it took.

    problem: why there are no estimates or too few, in words; reservation: what readings do not
    determine, in words; damage: lines about damaged messages of the bag; wall_time: of all [s].
    """

    name: str
    track: Track = field(default_factory=lambda: Track(()))
    innovations: list = field(default_factory=list)         # of every sensor
    nis: array = field(default_factory=partial(array, 'd'))
    nis_sizes: array = field(default_factory=partial(array, 'q'))
    step_times: array = field(default_factory=partial(array, 'd'))      # [s]
    counts: Counts | None = None
    missing: int = 0
    problem: str = ''
    left_out: dict = field(default_factory=dict)            # sensor -> (readings left out, all)
    lost: LostEstimates = field(default_factory=LostEstimates)
    reservation: str = ''
    damage: list = field(default_factory=list)
    wall_time: float = 0.0

    def note(self, channels: Sequence[str], step: Any) -> None:
        """Note the innovations that a Step is the first to give, and its time.

        channels: names, in the order of the filter's readings.
        """
        fits = [(step.stamp, step.innovation)] if step.late is None else [
            (late.stamp, late.innovation) for late in step.late]
        for stamp, fit in fits:
            names = [channels[i] for i in fit.channels]
            if names:
                self.note_fit(stamp, names, fit.residual, fit.covariance, fit.nis)
        self.step_times.append(step.step_time)

    def note_fit(self, stamp: int, channels: Sequence[str], residual: Any, covariance: Any,
                 nis: float) -> None:
        """Note the innovation (k) of channels at a stamp [ns], and its covariance (k, k)."""
        note(self.innovations, stamp, channels, residual, covariance)
        self.nis.append(nis)
        self.nis_sizes.append(len(channels))


def estimate(folder: str | Path, parameters: Any, name: str,
             estimated: Estimated | None = None) -> Estimated:
    """Return the Estimated of a bag; parameters: GivenParameters of the node.

    estimated: what is filled in, of a class that notes more; None: a new one.

    A failure of the filter is its `problem`.  Raises OSError, and ValueError for a bag that cannot
    be read.
    """
    estimated = estimated or Estimated(name)
    try:
        setup = EstimatorSetup(parameters.settings_of)
    except ValueError as error:
        estimated.problem = str(error)
        return estimated
    estimated.reservation = setup.reservation
    estimated.innovations = [Innovations(s.name, s.channels) for s in setup.sensors]
    begin, samples = time.monotonic(), Rows()
    orientations = FreeOrientations(setup.mechanism)
    with open_bag(folder, 'ValveCommand', report=estimated.damage.append,
                  stamps=parameters.values.get('stamps')) as bag:
        for _, steps in replay(bag, setup):
            for step in setup.judged(steps):
                samples.append((step.stamp, *_arrays(step.estimate, orientations)))
                estimated.lost.add(step.stamp, step.lost)
                estimated.note(setup.channels, step)
    state = setup.stream.state
    estimated.wall_time = time.monotonic() - begin
    estimated.track = Track(samples, orientations)
    estimated.counts, estimated.missing = state.counts, state.missing
    estimated.left_out = dict(state.left_out)
    estimated.problem = state.diverged and f'diverged: {state.diverged}'
    return estimated


def _arrays(e: Estimate, orientations: FreeOrientations):
    """Return z, zd, zdd, their covariance and the frames of bodies that turn freely."""
    return e.z, e.zd, e.zdd, e.covariance, orientations.frames(e.q, e.qd, e.qdd)
