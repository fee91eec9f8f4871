"""The three-simulation method offline: truth, uncorrected model and observer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mb_estimators.filter import DivergenceError
from mb_estimators.observability.determined import undetermined_by
from mb_estimators.observation import observe
from mb_estimators.papers import settings_as_in
from mb_estimators.plugins import make_filter
from mb_estimators.recording.recording import ERRORS, Recording, Result, Track, judged
from mb_model import (
    Mechanism,
    ModelErrors,
    Run,
    apply_model_errors,
    load_mechanism,
    simulate,
)
from mb_model.arrays import FloatArray
from mb_sensors import NANOSECONDS, RecordedSensor, Sensor, SensorError, sensors_of

START = NANOSECONDS        # stamp of the first instant, as the prototype node has it


def sensors_as_believed(sensors: Sequence[Sensor], mechanism: Mechanism) -> tuple[Sensor, ...]:
    """Return Sensors at their true points, with the noise by a wrong Mechanism."""
    believed = sensors_of(mechanism, [sensor.name for sensor in sensors])
    return tuple(sensor.with_settings(other.settings)
                 for sensor, other in zip(sensors, believed, strict=True))


def stamps_of(t: Iterable[float]) -> list[int]:
    """Return the stamps [ns] of instants t [s] after the start, a list."""
    return [START + round(seconds * NANOSECONDS) for seconds in t]


class Experiment:
    """A prototype, a wrong model of it and sensors; any filter runs in it with any noise.

    Prototype and uncorrected model move and sensors are read here, once, so that a run costs no
    more than its filter.  Can be pickled.

    prototype: the true Mechanism; mechanism: the wrong one of the filters; sensors: as filters have
    them; channels: their names; dt [s]; truth and model: Runs at the instants t (k) [s];
    stamps: the same (k) [ns].
    """

    def __init__(self, mechanism: Mechanism | str, sensors: Sequence[str],
                 model_errors: ModelErrors | Mapping[str, Any], duration: float, dt: float,
                 truth: Run | None = None) -> None:
        """Simulate.

        mechanism: the true Mechanism or its name, starting as in its file; sensors: names;
        model_errors: of the model, see mb_model.apply_model_errors, also of the noise that filters
        expect of its sensors; duration, dt [s]; truth: a Run of the prototype, if it does not
        move as the multibody model does.  Raises ValueError in the user's
        words.
        """
        self.prototype = load_mechanism(mechanism) if isinstance(mechanism, str) else mechanism
        self.mechanism = apply_model_errors(self.prototype, model_errors)
        true_sensors = sensors_of(self.prototype, sensors)
        if not true_sensors:
            raise SensorError('sensors: an experiment needs at least one')
        self.sensors = sensors_as_believed(true_sensors, self.mechanism)
        self.channels = tuple(name for sensor in self.sensors for name in sensor.channels)
        self.dt = dt
        self.truth = truth or simulate(self.prototype, duration, dt)
        self.model = simulate(self.mechanism, duration, dt)
        self.t = self.truth.t
        self.stamps = stamps_of(self.t)
        self._recorded = [RecordedSensor(sensor, self.truth, self.stamps)
                          for sensor in true_sensors]

    def readings(self, seed: int) -> FloatArray:
        """Return the readings of all channels (k, channels), NaN where there is none."""
        return np.hstack([sensor.readings(seed) for sensor in self._recorded])

    def recording(self, seed: int) -> Recording:
        """Return the readings and the truth as a Recording, to be smoothed or tuned on."""
        return Recording(np.array(self.stamps), self.readings(seed), self.true_track)

    def run(self, filter: str, seed: int, first_reading: bool | None = None, as_in: str = '',
            **settings: Any) -> Result:
        """Estimate the motion of the prototype by a filter, by its name and settings.

        first_reading: whether what sensors read at the start corrects it; False: the filter
        predicts before its first correction; None: as `as_in` says, else True; as_in: a paper whose
        settings the filter has, see papers; settings: that differ from these.
        Returns a Result.  Raises ValueError in the user's words, DivergenceError.
        """
        observer = make_filter(filter, self.mechanism, self.sensors, self.dt, as_in, **settings)
        readings = self.readings(seed)
        if first_reading is None:
            first_reading = settings_as_in(as_in, filter).stream.get('first_reading', True)
        if not first_reading:
            readings[0] = np.nan
        observed = observe(observer, self.stamps, readings, self.dt)
        return Result(
            self.mechanism, np.array(self.stamps),
            undetermined_by(observer, self.mechanism, self.sensors), self.t, self.true_track,
            judged(self.t, self.model_track, self.true_track),
            judged(self.t, observed, self.true_track),
            observed.covariance, self.sensors, self.channels, readings,
            observed.innovation, observed.innovation_covariance, observed.nis,
            observed.parameters, observed.parameter_deviations)

    @property
    def true_track(self) -> Track:
        """The motion of the prototype, to be compared."""
        return _track(self.truth)

    @property
    def model_track(self) -> Track:
        """The motion of the uncorrected model, to be compared."""
        return _track(self.model)


def _track(run: Run) -> Track:
    """Return the Track of a Run."""
    return Track.of(run.mechanism, run.z, run.zd, run.zdd, run.q, run.qd, run.qdd)


def three_simulation(mechanism: Mechanism | str, filter: str, sensors: Sequence[str],
                     model_errors: ModelErrors | Mapping[str, Any], duration: float, dt: float,
                     seed: int, **settings: Any) -> Result:
    """Estimate the motion of a prototype by a wrong model and noisy readings: one Experiment.run.

    For several filters, settings or seeds, make one Experiment.  Returns a Result.
    Raises ValueError in the user's words, DivergenceError.
    """
    return Experiment(mechanism, sensors, model_errors, duration, dt).run(filter, seed, **settings)


_CHUNKS = 8            # per process: few enough to send the experiment, enough to share the work


def rmse(result: Result) -> dict[str, list[float]]:
    """Return the root mean square errors of a Result by name, each one per degree of freedom."""
    return {name: getattr(result, name) for name in ERRORS}


def monte_carlo(experiment: Experiment, filter: str, seeds: Iterable[int],
                figures: Callable[[Result], Mapping[str, ArrayLike]] = rmse,
                processes: int | None = None, **settings: Any) -> dict[str, NDArray[Any]]:
    """Run a filter once for every seed; return {name: array (seeds, ...)} of the figures.

    figures: a function of a module, from a Result to numbers or arrays by name; processes: how many
    (default: one for each core; 1: this one); settings: of Experiment.run.  The array `diverged`
    (seeds) marks the seeds with which the filter diverged; their figures are NaN.
    Raises DivergenceError if it did so with every seed.
    """
    seeds = list(seeds)
    processes = min(processes or len(os.sched_getaffinity(0)), len(seeds))
    run = partial(_figures_of, experiment, filter, figures, settings)
    if processes <= 1:
        rows = [run(seed) for seed in seeds]
    else:
        with ProcessPoolExecutor(processes) as pool:
            rows = list(pool.map(run, seeds, chunksize=-(-len(seeds) // (_CHUNKS * processes))))
    return _stacked(rows, filter)


def _figures_of(experiment, filter, figures, settings, seed):
    """Return the figures of one run, None if the filter diverges."""
    try:
        return figures(experiment.run(filter, seed, **settings))
    except DivergenceError:
        return None


def _stacked(rows, filter):
    """Return the arrays of monte_carlo."""
    diverged = np.array([row is None for row in rows])
    if diverged.all():
        raise DivergenceError(f'{filter}: diverged with every seed')
    first = next(row for row in rows if row is not None)
    nothing = {name: np.full(np.shape(value), np.nan) for name, value in first.items()}
    return {name: np.array([(row or nothing)[name] for row in rows]) for name in first} | {
        'diverged': diverged}
