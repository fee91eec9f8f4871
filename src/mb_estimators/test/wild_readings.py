"""Nonsense, gaps and very accurate sensors, through which a covariance has to stay one."""

from dataclasses import fields

import numpy as np

from mb_estimators import DivergenceError, ImpossibleReadingError, make_filter
from mb_estimators.plugins import filter_class
from mb_model import load_mechanism
from mb_sensors import sensors_of

DT = 0.005


def endure_wild_readings(name, seed, mechanism, tolerance, bias_sigma=0.0, **tuning):
    """Run a filter of random noises on a mechanism; tolerance: of the closing error [m].

    bias_sigma: of all sensors.
    """
    random = np.random.default_rng(seed)
    mechanism = load_mechanism(mechanism)
    mechanism = mechanism.replace(
        gravity=[0.0, float(random.uniform(-12.0, 5.0))],
        sensors={s: {'sigma': float(10.0 ** random.uniform(-6.0, 0.0)), 'bias_sigma': bias_sigma}
                 for s in mechanism.sensors})
    sensors = list(mechanism.sensors)
    count = sum(len(sensor.channels) for sensor in sensors_of(mechanism, sensors))
    known = {field.name for field in fields(filter_class(name).Settings)}
    noise = next(noise for noise in ('acceleration_psd', 'angular_jerk_psd', 'jerk_psd',
                                     'acceleration_variance', 'noise_deviations')
                 if noise in known)
    value = float(10.0 ** random.uniform(-4.0, 2.0))
    tuning[noise] = (value,) if noise == 'noise_deviations' else value
    filter_ = make_filter(name, mechanism, sensors, DT, **tuning)
    for _ in range(60):
        try:
            filter_.predict(float(random.uniform(1e-4, 0.02)))
        except DivergenceError:     # wild readings: more than a turn in a step
            filter_.reset(mechanism.z0, mechanism.zd0)
        readings = random.normal(size=count) * 10.0 ** random.uniform(-3.0, 1.0)
        readings[random.random(count) < 0.5] = np.nan
        try:
            fit = filter_.correct(readings)
        except ImpossibleReadingError:
            continue
        assert fit.nis >= 0.0
        estimate = filter_.estimate
        np.testing.assert_array_equal(estimate.covariance, estimate.covariance.T)
        np.linalg.cholesky(estimate.covariance)
        assert mechanism.closing_error(estimate.q) < tolerance
        assert bias_sigma == 0.0 or min(estimate.bias_deviations.values()) > 0.0
        assert estimate.forces is None or np.isfinite(estimate.forces).all()
