"""The three-simulation method offline: truth, uncorrected model and observer in one run."""

from contextlib import suppress

import numpy as np

from mb_estimators.filter import ImpossibleReadingError
from mb_estimators.plugins import make_filter
from mb_estimators.result import Result, Track, judged
from mb_model import apply_model_errors, load_mechanism, simulate
from mb_sensors import SensorNoise, sensors_of
from mb_sensors.readings import true_values
from mb_sensors.sampling import NANOSECONDS, Sampler

START = NANOSECONDS        # stamp of the first instant, as the prototype node has it


def three_simulation(mechanism, filter, sensors, model_errors, duration, dt, seed, *,
                     prototype=None, model=None, **settings):
    """Estimate the motion of a prototype by a wrong model and noisy readings of the prototype.

    mechanism: the true Mechanism or its name, starting as in its file; filter: name of a plugin;
    sensors: names; model_errors: what is wrong with the model, see mb_model.apply_model_errors;
    duration, dt [s]; seed of the noise; settings: of the filter.  prototype and model: Runs of
    earlier calls with the same mechanism, errors, duration and dt, to save their simulation.
    Returns a Result.  Raises ValueError in the user's words, DivergenceError.
    """
    if isinstance(mechanism, str):
        mechanism = load_mechanism(mechanism)
    wrong = apply_model_errors(mechanism, model_errors)
    prototype = prototype or simulate(mechanism, duration, dt)
    model = model or simulate(wrong, duration, dt)
    chosen = sensors_of(mechanism, sensors)
    observer = make_filter(filter, wrong, chosen, dt, **settings)
    stamps = [START + round(t * NANOSECONDS) for t in prototype.t]
    readings = _all_readings(mechanism, chosen, prototype, stamps, seed)
    z, zd, zdd, covariance, innovation, nis = _observe(observer, stamps, readings)
    t = prototype.t
    return Result(
        t, Track(prototype.z, prototype.zd, prototype.zdd), judged(t, model, prototype),
        judged(t, Track(z, zd, zdd), prototype), covariance,
        tuple(name for sensor in chosen for name in sensor.channels), readings, innovation, nis)


def _all_readings(mechanism, sensors, run, stamps, seed):
    """Return the readings of all channels (k, channels) of a Run, NaN where there is none."""
    columns = []
    for sensor in sensors:
        sampler = Sampler(sensor.rate)
        numbers = [sampler.due(stamp) for stamp in stamps]
        due = np.array([number is not None for number in numbers])
        column = np.full((len(stamps), len(sensor.channels)), np.nan)
        truth = true_values(mechanism, sensor, run.q[due], run.qd[due], run.qdd[due])
        taken = [number for number in numbers if number is not None]
        column[due] = SensorNoise(sensor.settings, seed, sensor.name).readings(taken, truth)
        columns.append(column)
    return np.hstack(columns)


def _observe(observer, stamps, readings):
    """Run a filter over readings; return z, zd, zdd, covariance, innovation, NIS at all stamps."""
    records = []
    innovations = np.full_like(readings, np.nan)
    nis = np.full(len(stamps), np.nan)
    for k, stamp in enumerate(stamps):
        if k > 0:
            observer.predict((stamp - stamps[k - 1]) / NANOSECONDS)
        with suppress(ImpossibleReadingError):
            fit = observer.correct(readings[k])
            innovations[k, fit.channels] = fit.residual
            nis[k] = fit.nis
        records.append(observer.estimate)
    arrays = (np.array([getattr(e, name) for e in records])
              for name in ('z', 'zd', 'zdd', 'covariance'))
    return (*arrays, innovations, nis)
