"""Readings of dependent coordinates: what all filters expect of them, and what gates do."""

from dependent_sensors import NAMES, mounted, sensors_on
from filter_traits import known_parameters
import numpy as np
import pytest
from scipy import stats

from mb_estimators import FilterError, available_filters, make_filter
from mb_estimators.plugins import filter_class
from mb_estimators.watches.gating import GatedFilter, GateSettings, GateState
from mb_model import load_mechanism, simulate
from mb_sensors.readings import true_values

DT, STEPS = 1e-3, 40
FILTERS = available_filters(load_mechanism('four_bar'))
QUIET = {'acceleration_psd': 1e-4, 'acceleration_variance': 1e-7}     # plant noise
MECHANISMS = pytest.mark.parametrize('mechanism', NAMES)
PUBLISHED = {'as_published': True}
DEPENDENT = [('sckf', {}), ('diekf_pm', {}), ('sckf', PUBLISHED), ('diekf_pm', PUBLISHED),
             ('cekf_penalty', {}), ('error_ekf', {})]


def quiet_filter(name, mechanism, sensor, **settings):
    """Return a filter with little plant noise, None if the sensor does not suit it."""
    known = filter_class(name).Settings.defaults()
    tuning = {key: value for key, value in QUIET.items() if key in known}
    try:
        return make_filter(name, mechanism, [sensor], DT, initial_variance=1e-6, **tuning,
                           **known_parameters(name), **settings)
    except FilterError:
        return None


def values_of(mechanism, sensor, z, zd):
    """Return what a sensor reads where the mechanism is at z, zd."""
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)
    qdd = mechanism.acceleration(q, qd, mechanism.forward_dynamics(z, zd))
    return true_values(mechanism, sensor, q[None], qd[None], qdd[None])[0]


@MECHANISMS
@pytest.mark.parametrize('name', FILTERS)
@pytest.mark.parametrize('gated', [True, False], ids=['gate of the sensor', 'gate of the filter'])
def test_a_spike_is_left_out_and_a_good_reading_is_taken(name, mechanism, gated):
    """After 40 steps of readings; the spike is 100 standard deviations of the sensor.

    It would move z by far more than its deviation: without a gate, by tenths of a radian.
    """
    mechanism = mounted(mechanism)
    run = simulate(mechanism, STEPS * DT + 2 * DT, DT)
    tried = 0
    for sensor in sensors_on(mechanism):
        filter_ = quiet_filter(name, mechanism, sensor, gate=6.0)
        if filter_ is None:
            continue
        tried += 1
        used, = filter_.sensors
        truth = true_values(mechanism, used, run.q, run.qd, run.qdd)
        noise = np.random.default_rng(4).normal(size=truth.shape) * used.settings.sigma
        correct = corrector(filter_, used, gated)
        filter_.reset(run.z[0], run.zd[0])
        for k in range(STEPS):
            fit = correct(k, truth[k] + noise[k])
            assert fit.rejected.size == 0
            filter_.predict(DT)
        before, spike = filter_.estimate, truth[STEPS] + noise[STEPS]
        spike[-1] += 100.0 * used.settings.sigma
        fit, after = correct(STEPS, spike), filter_.estimate
        assert len(truth[0]) - 1 in fit.rejected, sensor
        moved = np.abs(after.z - before.z)
        assert (moved <= 0.5 * np.sqrt(np.diag(before.covariance)[:mechanism.g])).all(), sensor
        filter_.predict(DT)
        fit = correct(STEPS + 1, truth[STEPS + 1] + noise[STEPS + 1])
        assert fit.rejected.size == 0, sensor
        assert len(fit.channels) == len(truth[0])
    assert tried > 0


def corrector(filter_, sensor, gated):
    """Return a function that corrects by readings of a step, judged by the sensor's own gate."""
    if not gated:
        return lambda k, readings: filter_.correct(readings)
    gates = {sensor.name: GateSettings('reject', 0.9999)}
    judge = GatedFilter(filter_, [sensor], gates, False)
    state = GateState()
    return lambda k, readings: judge.correct(state, round(k * DT * 1e9), readings)[0]


@MECHANISMS
@pytest.mark.parametrize(('name', 'settings'), DEPENDENT)
@pytest.mark.parametrize('moved', [False, True], ids=['start', 'step'])
def test_normalized_innovations_of_a_right_model_are_of_chi_square_distribution(
        name, settings, mechanism, moved):
    """Over motions drawn from the covariance of the start and the plant noise of a step.

    Their readings by the exact kinematics; z, zd step as the filters have it: forward Euler.
    """
    mechanism = mounted(mechanism)
    g, count, psd, variance = mechanism.g, 100, 1e-2, 1e-6
    random = np.random.default_rng(8)
    for sensor in sensors_on(mechanism):
        filter_ = make_filter(name, mechanism, [sensor], DT, acceleration_psd=psd, **settings)
        used, = filter_.sensors
        total, size = 0.0, len(used.channels)
        if used.kind == 'accelerometer':
            continue                          # expects noise of zdd too, which is left out here
        for _ in range(count):
            z, zd = mechanism.z0, mechanism.zd0
            filter_.reset(z, zd, variance * np.eye(2 * g))
            z = z + np.sqrt(variance) * random.normal(size=g)
            zd = zd + np.sqrt(variance) * random.normal(size=g)
            if moved:
                filter_.predict(DT)
                zdd = mechanism.forward_dynamics(z, zd)
                z = z + DT * zd + np.sqrt(psd * DT ** 3 / 3.0) * random.normal(size=g)
                zd = zd + DT * zdd + np.sqrt(psd * DT) * random.normal(size=g)
            reading = values_of(mechanism, used, z, zd)
            total += filter_.correct(
                reading + used.settings.sigma * random.normal(size=size)).nis
        low, high = stats.chi2.interval(0.9999, count * size)
        assert low < total < high, sensor
