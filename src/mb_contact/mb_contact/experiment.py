"""A hydraulic machine with an unknown load, offline: truth, readings, observer, load."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mb_contact.payload.estimator import Payload, PayloadEstimator
from mb_contact.payload.payload_settings import PayloadSettings
from mb_contact.payload_result import CraneTrack, PayloadResult
from mb_estimators import (
    EstimateStream,
    HeldInputs,
    Observation,
    Recording,
    StreamSettings,
    interpolate,
    make_filter,
    observe,
    sensors_as_believed,
    stamps_of,
    widened,
)
from mb_model import Mechanism, Run, WorkCycle, apply_model_errors, simulate_hydraulics
from mb_model.arrays import FloatArray, Selection
from mb_sensors import FaultSettings, RecordedSensor, sensors_of

ESTIMATOR = 'hydraulic_kinematic_ekf'


class PayloadExperiment:
    """A machine that does a work cycle, and a model of it with an unknown load.

    The machine moves here, once, so that a run costs no more than its estimators.  Can be pickled.

    prototype: the true Mechanism; mechanism: the model of observer and payload estimator;
    sensors: as the observer knows them; truth: a Run at the instants t (k) [s]; stamps (k) [ns].
    """

    def __init__(self, mechanism: Mechanism, sensors: Sequence[str], cycle: WorkCycle | None = None,
                 model_errors: Mapping[str, Any] | None = None, duration: float | None = None,
                 dt: float = 1e-3, mass: str = 'load', believed: float = 0.0,
                 truth: Run | None = None) -> None:
        """Simulate.

        mechanism: the true Mechanism; sensors: names; cycle: a WorkCycle; model_errors: what is
        wrong with the model, see mb_model.apply_model_errors; duration [s]: default the
        cycle's; dt [s]: of truth and observer; mass: name of the parameter to find;
        believed: its value in the model [kg]; truth: a Run with oil, if the prototype does not
        follow the cycle.
        Raises ValueError in the user's words.
        """
        self.prototype, self.mass, self.dt = mechanism, mass, dt
        self.mechanism = apply_model_errors(
            mechanism.replace(parameters={mass: believed}), model_errors or {})
        true_sensors = sensors_of(self.prototype, sensors)
        self.sensors = sensors_as_believed(true_sensors, self.mechanism)
        self.truth = truth or simulate_hydraulics(
            mechanism, duration or cycle.duration, dt, cycle)     # type: ignore[union-attr]
        self.t = self.truth.t
        self.stamps = np.array(stamps_of(self.t))
        self.inputs = HeldInputs(self.stamps.tolist(), list(self.truth.U_in))     # type: ignore[arg-type]
        self._recorded = [RecordedSensor(sensor, self.truth, self.stamps)
                          for sensor in true_sensors]

    def readings(self, seed: int, faults: Mapping[str, FaultSettings] | None = None) -> FloatArray:
        """Return the readings of all channels (k, channels), NaN where there is none.

        faults: {sensor: FaultSettings}, by stamps: the first instant is at one second.
        """
        faults = faults or {}
        return np.hstack([recorded.readings(seed, faults.get(sensor.name)) for sensor, recorded in
                          zip(self.sensors, self._recorded, strict=True)])

    def recording(self, seed: int) -> Recording:
        """Return readings and commands as a Recording."""
        return Recording(self.stamps, self.readings(seed), inputs=self.inputs)

    def run(self, seed: int, faults: Mapping[str, FaultSettings] | None = None,
            settings: Mapping[str, Any] | None = None, interpolated: bool = False,
            **filter_settings: Any) -> PayloadResult:
        """Observe at every instant of the truth; return a PayloadResult.

        settings: of the payload estimator, by name; interpolated: whether readings are interpolated
        to the observer's steps.  Raises ValueError, DivergenceError.
        """
        sensors, readings = self.sensors, self.readings(seed, faults)
        if interpolated:
            stamps, lines = interpolate(sensors, self.stamps, readings, self.dt)
            readings = np.full_like(readings, np.nan)
            readings[np.searchsorted(self.stamps, stamps)] = lines
            sensors = tuple(widened(sensors, self.dt))
        observer = make_filter(ESTIMATOR, self.mechanism, sensors, self.dt, **filter_settings)
        observed = observe(observer, self.stamps, readings, self.dt, self.inputs)
        oil: Any = observed.hydraulics      # there is some: it is a crane
        payload = PayloadEstimator(
            self.mechanism, [self.mass], PayloadSettings(**(settings or {})), self.dt).run(
            self.stamps, observed.z, observed.zd, observed.zdd, oil.pressures, oil.covariance)
        return self._result(slice(None), payload, CraneTrack(
            observed.z, observed.zd, observed.zdd, oil.pressures, oil.covariance), observed)

    def run_alone(self, estimator: str, seed: int, **filter_settings: Any) -> PayloadResult:
        """Observe by a filter, by its name, that finds the mass itself; return a PayloadResult.

        filter_settings: among them `parameters` with the mass.  Raises ValueError, DivergenceError.
        """
        filter_ = make_filter(estimator, self.mechanism, self.sensors, self.dt, **filter_settings)
        observed = observe(filter_, self.stamps, self.readings(seed), self.dt, self.inputs)
        oil: Any = observed.hydraulics
        mass = observed.parameters[self.mass][:, np.newaxis]
        payload = Payload(mass, mass, observed.parameter_deviations[self.mass][:, np.newaxis],
                          np.full(len(mass), True), len(mass) * [''], len(mass) * [''])
        return self._result(slice(None), payload, CraneTrack(
            observed.z, observed.zd, observed.zdd, oil.pressures, oil.covariance), observed)

    def run_stream(self, seed: int, faults: Mapping[str, FaultSettings] | None = None,
                   settings: Mapping[str, Any] | None = None,
                   stream: Mapping[str, Any] | None = None,
                   report: Callable[[str], object] = lambda problem: None,
                   **filter_settings: Any) -> PayloadResult:
        """Do as the nodes do: estimates at the instants of readings, distrusted where nodes do.

        stream: StreamSettings by name, beside dt; report: called with problems of readings.
        Otherwise as run().
        """
        observer = make_filter(ESTIMATOR, self.mechanism, self.sensors, self.dt, **filter_settings)
        estimates = EstimateStream(
            observer, self.sensors, (self.mechanism.z0, self.mechanism.zd0),
            StreamSettings(dt=self.dt, **{'reorder_window': 0.1, **(stream or {})}), report)
        steps = self._streamed(estimates, self.readings(seed, faults))
        rows = np.searchsorted(self.stamps, [step.stamp for step in steps])
        period = float(np.median(np.diff(self.t[rows])))
        estimator = PayloadEstimator(
            self.mechanism, [self.mass], PayloadSettings(**(settings or {})), period)
        payloads = [_payload(estimator, step) for step in steps]
        payload = Payload._make(np.array(values) for values in zip(*payloads, strict=True))
        return self._result(rows, payload, CraneTrack(*(
            np.array(values) for values in zip(*map(_row, steps), strict=True))))

    def _streamed(self, estimates: EstimateStream, readings: FloatArray) -> list[Any]:
        """Return the Steps of a stream that gets commands and readings as they come."""
        steps, held, ends = [], None, np.cumsum([len(s.channels) for s in self.sensors])
        for k, stamp in enumerate(self.stamps.tolist()):
            command = self.truth.U_in[k].tolist()     # type: ignore[index]
            if command != held:
                steps += estimates.add_input(stamp, command)
                held = command
            for sensor, end in zip(self.sensors, ends, strict=True):
                values: Any = readings[k, end - len(sensor.channels):end]
                if np.isfinite(values).all():
                    steps += estimates.add(sensor.name, stamp, values)
        return steps

    def _result(self, rows: Selection, payload: Payload, observed: CraneTrack,
                observation: Observation | None = None) -> PayloadResult:
        """Return the PayloadResult of some rows of the truth."""
        circuit: Any = self.prototype.circuit
        run, coordinates = self.truth, circuit.cylinder_coordinates
        always = np.full(len(self.t), self.prototype.parameters[self.mass])
        return PayloadResult(
            self.t[rows], self.prototype,
            CraneTrack(run.z[rows], run.zd[rows], run.zdd[rows], run.p[rows]),     # type: ignore[index]
            run.parameters.get(self.mass, always)[rows], run.qd[rows][:, coordinates], observed,
            payload, observation)


def _payload(estimator: PayloadEstimator, step: Any) -> Payload:
    """Return the Payload of a Step."""
    estimate = step.estimate
    oil = estimate.hydraulics
    return estimator.update(step.stamp, estimate.z, estimate.zd, estimate.zdd, oil.pressures,
                            oil.covariance, q=estimate.q, distrust=step.distrust)


def _row(step: Any) -> tuple[FloatArray, ...]:
    """Return motion, pressures and covariance of a Step."""
    estimate = step.estimate
    return (estimate.z, estimate.zd, estimate.zdd, estimate.hydraulics.pressures,
            estimate.hydraulics.covariance)
