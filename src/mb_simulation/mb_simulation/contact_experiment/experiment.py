"""Contacts of a robot, offline: truth, readings that arrive late, estimates, detection."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from mb_contact import ContactDetector, ContactTrack, DetectionSettings
from mb_estimators import sensors_as_believed, stamps_of
from mb_model import Mechanism, ModelErrors, apply_model_errors
from mb_model.arrays import FloatArray
from mb_sensors import NANOSECONDS, RecordedSensor, in_order_of_arrival, sensors_of
from mb_simulation.contact_experiment.observed import (
    Observed,
    differentiate,
    observe_arrivals,
    observe_at_once,
)
from mb_simulation.contact_experiment.robot_run import RobotRun

ENCODERS = 'drive_encoder1', 'drive_encoder2', 'drive_encoder3'
IMU = 'platform_gyro', 'platform_accelerometer'
LATE_IMU = {name: {'delay': 0.003, 'delay_spread': 0.001} for name in IMU}      # of the paper
LATE_STREAM = {'reorder_window': 0.002, 'history_length': 0.02, 'late_estimates': 'corrected'}


class Detections(NamedTuple):
    """The track of a detector, and when each of its rows was known (k) [s]."""

    track: ContactTrack
    known: np.ndarray

    @property
    def times(self) -> FloatArray:
        """When contacts were detected [s]."""
        return self.known[self.track.beginnings]

    def delay(self, touch: float) -> float | None:
        """Return how long after a touch [s] it was detected [s], None if it was not."""
        later = self.times[self.times >= touch]
        return float(later[0] - touch) if len(later) else None


class ContactExperiment:
    """A RobotRun read by noisy sensors; estimators and detectors whose model may be wrong.

    A run costs no more than its estimator and its detector.  Can be pickled.
    """

    def __init__(self, run: RobotRun, sensors: Sequence[str] = (*ENCODERS, *IMU),
                 noise: Mapping[str, Mapping[str, Any]] | None = None,
                 model_errors: ModelErrors | Mapping[str, Any] | None = None) -> None:
        """Set up.

        run: RobotRun; sensors: names; noise: {sensor: NoiseSettings by name} that differ from the
        file's; model_errors: what is wrong with the model, see mb_model.apply_model_errors.
        Raises ValueError in the user's words.
        """
        self.run = run
        self.mechanism = apply_model_errors(run.mechanism, model_errors or {})
        noise = noise or {}
        true_sensors = [
            sensor.with_settings(replace(sensor.settings, **noise.get(sensor.name, {})))
            for sensor in sensors_of(run.mechanism, sensors)]
        self.sensors = sensors_as_believed(true_sensors, self.mechanism)
        self.stamps = np.array(stamps_of(run.t))
        self.dt = float(run.t[1] - run.t[0])
        self._recorded = [RecordedSensor(sensor, run, self.stamps.tolist())
                          for sensor in true_sensors]
        late = any(sensor.settings.delay > 0.0 for sensor in true_sensors)
        self._stream = LATE_STREAM if late else {}

    def readings(self, seed: int) -> Iterator[tuple[int, str, int, FloatArray]]:
        """Return the readings as they arrive, see mb_sensors.arrival."""
        return in_order_of_arrival(self._recorded, seed)

    def observe(self, seed: int, stream: Mapping[str, Any] | None = None,
                **settings: Any) -> Observed:
        """Return what is Observed; stream: StreamSettings by name; settings: of platform_ekf.

        Default of stream: it waits for late readings no longer than for the drives, and they
        correct earlier estimates.  If no reading is late the filter runs without a stream.
        Raises ValueError, DivergenceError.
        """
        if stream is None and not self._stream:
            return observe_at_once(self.mechanism, self.sensors, self.stamps,
                                   [one.readings(seed) for one in self._recorded], self.dt,
                                   **settings)
        return observe_arrivals(self.mechanism, self.sensors, self.readings(seed), self.dt,
                                self._stream if stream is None else stream, **settings)

    def differentiate(self, seed: int) -> Observed:
        """Return what is Observed by the encoders alone, without a filter; see differences."""
        drives = [one for one in self._recorded if one.sensor.kind == 'angle_encoder']
        return differentiate(self.mechanism, self.stamps,
                             np.hstack([one.readings(seed) for one in drives]))

    def detect(self, observed: Observed, settings: DetectionSettings,
               mechanism: Mechanism | None = None) -> Detections:
        """Return the Detections by a ContactDetector with DetectionSettings.

        mechanism: its model, default the experiment's.
        """
        detector = ContactDetector(mechanism or self.mechanism, settings=settings)
        torques = self.run.torques[np.searchsorted(self.stamps, observed.stamps)]
        track = detector.run(observed.stamps, observed.z, observed.zd, observed.zdd,
                             observed.covariance, torques, observed.q)
        return Detections(track, (observed.known - self.stamps[0]) / NANOSECONDS)
