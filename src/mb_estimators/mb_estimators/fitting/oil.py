"""Motion and forces of hydraulic cylinders from readings of pressures and commands of valves."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.fitting.samples import SPLINED, CylinderPressures, DynamicsSamples
from mb_estimators.observation import observe
from mb_estimators.plugins import make_filter
from mb_estimators.recording.bag import read_recording
from mb_estimators.recording.input_topic import input_topic
from mb_estimators.recording.recording import Recording
from mb_model import Circuit, Mechanism
from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_model.record.hydraulics import AIR_PRESSURE
from mb_sensors import NANOSECONDS, RecordedMotion, Sensor, motion_of_encoders, open_bag

_OBSERVER, _STEP = 'hydraulic_kinematic_ekf', 1e-3      # needs no masses and no friction; [s]
_NEAR_END = 2e-3            # of an end stop, which may push as well [m]
_STILL = 3.0                # deviations of a velocity, within which a piston may stick
_UNKNOWN = 1e3              # times the largest force: deviation of one that says nothing


def by_pressures(mechanism: Mechanism, sensors: Sequence[Sensor]) -> bool:
    """Return whether cylinders are the drives of a mechanism, and sensors read their pressures."""
    return (mechanism.circuit is not None and not mechanism.drives
            and any(sensor.kind == 'pressure' for sensor in sensors))


def read_oil(folder: str | Path, mechanism: Mechanism, sensors: Sequence[Sensor],
             settings: Any) -> DynamicsSamples:
    """Return the DynamicsSamples of a bag: the drives are cylinders, pressures their forces.

    With valves, motion and pressures come from the observer of oil, which knows no masses, by
    readings of sensors and commands; without, from encoders through a spline, and sensors of all
    pressures.  settings: FitSettings.  Raises OSError, ValueError, DivergenceError.
    """
    circuit: Any = mechanism.circuit
    if not circuit.valves:
        return _splined(folder, mechanism, sensors, settings)
    return observed_oil(mechanism, read_recording(
        folder, sensors, inputs=input_topic(mechanism, takes_commands=True)), sensors, settings)


def observed_oil(mechanism: Mechanism, recording: Recording, sensors: Sequence[Sensor],
                 settings: Any) -> DynamicsSamples:
    """Return the DynamicsSamples of a Recording of readings and commands of valves.

    Raises ValueError, DivergenceError.
    """
    observed = observe(make_filter(_OBSERVER, mechanism, sensors, _STEP), recording.stamps,
                       recording.readings, _STEP, recording.inputs)
    oil: Any = observed.hydraulics
    read = np.isfinite(recording.readings).any(axis=1) & (
        recording.t >= settings.settling_time)
    return oil_samples(mechanism, recording.stamps[read], [values[read] for values in (
        observed.z, observed.zd, observed.zdd, oil.pressures, oil.covariance)], settings)


def _splined(folder: str | Path, mechanism: Mechanism, sensors: Sequence[Sensor],
             settings: Any) -> DynamicsSamples:
    """Return the DynamicsSamples of encoders and of sensors of all pressures."""
    circuit: Any = mechanism.circuit
    gauges = {sensor.volume: sensor for sensor in sensors if sensor.kind == 'pressure'}
    if missing := [name for name in circuit.volumes if name not in gauges]:
        raise FitError(f'--sensors: no pressure of {", ".join(missing)}, and no valves in '
                       f'{mechanism.file} that would give it')
    encoders = [sensor for sensor in sensors if sensor.kind != 'pressure']
    with open_bag(folder) as bag:
        motion = motion_of_encoders(mechanism, encoders, *bag.readings(encoders),
                                    settings.knot_spacing)
        read = [bag.readings([gauges[name]]) for name in circuit.volumes]
    known = np.all([(motion.stamps >= stamps[0]) & (motion.stamps <= stamps[-1])
                    for stamps, _ in read], axis=0)
    motion = motion[known]
    p = np.column_stack([np.interp(motion.stamps, stamps, values[:, 0])
                         for stamps, values in read])
    size = 3 * mechanism.g
    covariance = np.zeros((len(motion), size + p.shape[1], size + p.shape[1]))
    covariance[:, :size, :size] = motion.covariance
    covariance[:, size:, size:] = np.diag([gauges[name].settings.variance
                                           for name in circuit.volumes])
    return _samples(mechanism, motion, p, covariance, SPLINED * settings.knot_spacing)


def oil_samples(mechanism: Mechanism, stamps: IntArray, estimates: Sequence[FloatArray],
                settings: Any) -> DynamicsSamples:
    """Return the DynamicsSamples of estimates at stamps (k) [ns].

    estimates: z, zd, zdd, pressures (k, v) and the covariance (k, l, l) of these and more.  Means
    over about one oscillation, while pistons hardly accelerate: estimated velocities lag else.
    Source: Pyrhonen et al. 2023b, Eqs. (50), (54), (55).  Raises FitError.
    """
    t = (stamps - stamps[0]) / NANOSECONDS if len(stamps) else np.empty(0)
    windows = _windows(t, settings.oil_averaging_time)
    z, zd, zdd, p, covariance = (_means(values, windows) for values in estimates)
    covariance /= (windows[1] - windows[0])[:, None, None]
    slow = (np.abs(_changes(t, estimates[1], windows))
            <= settings.largest_acceleration).all(axis=1)
    size = z.shape[1] * 3 + p.shape[1]
    return _samples(mechanism, RecordedMotion(stamps, z, zd, zdd)[slow], p[slow],
                    covariance[slow, :size, :size], 0.0)


def _samples(mechanism: Mechanism, motion: RecordedMotion, p: FloatArray, covariance: FloatArray,
             smoothing: float) -> DynamicsSamples:
    """Return the DynamicsSamples of a motion with pressures (k, v) and the covariance of both."""
    circuit, g, count = mechanism.circuit, mechanism.g, len(motion)
    if circuit is None or len(circuit.cylinders) != g:
        raise FitError(f'{mechanism.file}: forces of pressures can be used only where there are as '
                       f'many cylinders as degrees of freedom ({g})')
    still, q = np.zeros(g), mechanism.q0
    lengths, rates, forces, spread = (np.empty((count, g)) for _ in range(4))
    joint = np.empty((count, 4 * g, 4 * g))
    turn = np.zeros((4 * g, covariance.shape[1]))
    turn[:3 * g, :3 * g] = np.eye(3 * g)
    for k in range(count):
        q = mechanism.assemble(motion.z[k], q)
        R = mechanism.R(q)[circuit.cylinder_coordinates]
        lengths[k], rates[k] = q[circuit.cylinder_coordinates], R @ motion.zd[k]
        forces[k] = circuit.force(p[k], still)
        turn[3 * g:, 3 * g:] = circuit.force_derivatives(p[k], still)[1]
        joint[k] = turn @ covariance[k] @ turn.T
        spread[k] = np.sqrt(np.diagonal(R @ joint[k, g:2 * g, g:2 * g] @ R.T))
    inside = np.abs(lengths - circuit.retracted - 0.5 * circuit.stroke) < (
        0.5 * circuit.stroke - _NEAR_END)
    used = inside & (np.abs(rates) > _STILL * spread)
    _disregard(joint, ~used, forces)
    piston, rod = _gauge_pressures(circuit, p)
    some = used.any(axis=1)
    return DynamicsSamples(replace(motion, covariance=None)[some], forces[some], smoothing,
                           CylinderPressures(np.abs(piston - rod), rod, spread, joint)[some])


def _disregard(joint: FloatArray, silent: BoolArray, forces: FloatArray) -> None:
    """Let forces of cylinders that may stick or be at a stop (k, c) say nothing."""
    k, c = np.nonzero(silent)
    at = joint.shape[1] - forces.shape[1] + c
    joint[k, at, at] += (_UNKNOWN * np.abs(forces).max(initial=1.0)) ** 2


def _windows(t: FloatArray, width: float) -> tuple[IntArray, IntArray]:
    """Return first and last + 1 instant of the window around each instant (k), (k)."""
    return (np.searchsorted(t, t - 0.5 * width - 1e-9),
            np.searchsorted(t, t + 0.5 * width + 1e-9))


def _means(values: FloatArray, windows: tuple[IntArray, IntArray]) -> FloatArray:
    """Return the means of values (k, ...) over the window of each instant (k, ...)."""
    first, last = windows
    sums = np.cumsum(np.concatenate([np.zeros((1, *values.shape[1:])), values]), axis=0)
    counts = (last - first).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray((sums[last] - sums[first]) / counts, np.float64)


def _changes(t: FloatArray, velocity: FloatArray,
             windows: tuple[IntArray, IntArray]) -> FloatArray:
    """Return the mean accelerations (k, g) of smoothed velocities over the windows."""
    first, last = windows[0], windows[1] - 1
    smooth = _means(velocity, windows)
    return (smooth[last] - smooth[first]) / np.maximum(t[last] - t[first], 1e-9)[:, None]


def _gauge_pressures(circuit: Circuit, pressures: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the gauge pressures of the piston and the rod sides of cylinders (k, c) [Pa]."""
    record, count = circuit.record[0], len(circuit.volumes)
    around = np.tile(record['supply_pressure'], (len(pressures), 1))
    around[:, :count] = pressures
    of_chambers = around[:, record['chamber'][:2 * len(circuit.cylinders)]] - AIR_PRESSURE
    return of_chambers[:, ::2], of_chambers[:, 1::2]
