"""Filters on the linkage with a stiff spring, of Pyrhonen et al. 2023a, and on stiffer ones.

The prototype moves by the exponential integrator, which test_exponential_rosenbrock of mb_model
checks against scipy's; gravity of the filters is 1 m/s^2 wrong.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import chi2

from mb_estimators import DivergenceError, make_filter
from mb_estimators.experiment import stamps_of
from mb_estimators.observation import observe
from mb_model import apply_model_errors, load_mechanism, simulate
from mb_sensors import sensors_of
from mb_sensors.recorded import RecordedSensor

NAMES = ('dekf_exponential', 'error_ekf_fe', 'error_ekf_ej', 'adaptive_error_ekf_fe',
         'shaping_error_ekf_fe')
STEPS = (1e-3, 5e-3, 1e-2)               # s
SIGMA = 17.453e-3                        # rad, of the encoder
SETTLED = 0.1                            # s


def split_coupler(stiffer=1.0):
    """Return the linkage with a spring so many times as stiff."""
    return load_mechanism('four_bar_split').replace(forces={'spring': {
        'kind': 'spring_damper', 'coordinate': 'bend', 'stiffness': 5e6 * stiffer, 'rest': 0.0}})


@cache
def prototype(stiffer, dt, sensor, duration):
    """Return the Run of the truth, the stamps [ns] and the readings of a sensor."""
    mechanism = split_coupler(stiffer)
    truth = simulate(mechanism, duration, dt, 'matrix_r', 'exponential')
    stamps = stamps_of(truth.t)
    used, = sensors_of(mechanism, [sensor])
    at_most = replace(used.settings, rate=min(used.rate, 1.0 / dt))
    recorded = RecordedSensor(used.with_settings(at_most), truth, stamps)
    return truth, stamps, recorded.readings(1)


def errors(name, stiffer, dt, sensor, duration, **settings):
    """Return the root mean square errors of z (g) of a filter, once settled.

    Not by an Experiment, whose model without a filter fails at these steps.
    """
    return errors_and_nis(name, stiffer, dt, sensor, duration, **settings)[0]


def errors_and_nis(name, stiffer, dt, sensor, duration, **settings):
    """Return what `errors` does, and the normalized innovations squared (k), once settled."""
    truth, stamps, readings = prototype(stiffer, dt, sensor, duration)
    wrong = apply_model_errors(split_coupler(stiffer), {'gravity': -1.0})
    filter_ = make_filter(name, wrong, sensors_of(wrong, [sensor]), dt, **settings)
    settled, observed = truth.t >= SETTLED, observe(filter_, stamps, readings, dt)
    off = (observed.z - truth.z)[settled]
    return np.sqrt((off ** 2).mean(axis=0)), np.array(observed.nis)[settled]


@pytest.mark.parametrize('dt', STEPS)
@pytest.mark.parametrize('stiffer', [1.0, 10.0])
@pytest.mark.parametrize('name', NAMES)
def test_they_are_stable_and_better_than_the_readings(name, stiffer, dt):
    """The vibration, of 123 Hz or 389 Hz, is estimated from readings at 200 Hz or less."""
    crank, coupler = errors(name, stiffer, dt, 'crank_encoder', 0.3)
    assert crank < SIGMA
    assert coupler < 0.0287                  # the bend of the start


@pytest.mark.parametrize('dt', STEPS[:2])
@pytest.mark.parametrize('name', NAMES)
def test_they_are_stable_with_a_hundred_times_the_stiffness(name, dt):
    """1230 Hz, six periods from one reading to the next; a start known to 10 mrad."""
    crank, coupler = errors(name, 100.0, dt, 'crank_encoder', 0.3, initial_variance=1e-4)
    assert crank < 3.0 * SIGMA
    assert coupler < 0.0287


@pytest.mark.parametrize('start', [{}, {'initial_variance': 1e-4}])
@pytest.mark.parametrize('name', ['dekf_exponential', 'error_ekf_fe'])
def test_a_step_too_long_for_the_spring_is_seen(name, start):
    """At 10 ms; the default variance, of 87 mrad, leaves room for 2 MJ in this spring.

    The filter diverges, or its innovations are incredible, or the estimate is right.
    """
    try:
        found, nis = errors_and_nis(name, 100.0, 1e-2, 'crank_encoder', 0.3, **start)
    except DivergenceError:
        return
    assert found[0] < 3.0 * SIGMA or nis.mean() > chi2.ppf(1.0 - 1e-6, len(nis)) / len(nis)


@pytest.mark.parametrize('dt', STEPS)
@pytest.mark.parametrize('name', ['dekf_exponential', 'error_ekf_fe', 'error_ekf_ej'])
def test_a_gyroscope_shows_the_vibration_as_it_is(name, dt):
    """A model that vibrates too slowly, as by the trapezoidal rule, is lost here within .1 s."""
    assert np.all(errors(name, 1.0, dt, 'crank_gyro', 0.5) < 1e-3)


@pytest.mark.parametrize('dt', STEPS)
@pytest.mark.parametrize('order', [0, 1])
def test_the_published_orders_fail_there_and_say_so(order, dt):
    with pytest.raises(DivergenceError):
        errors('dekf_exponential', 1.0, dt, 'crank_encoder', 0.3, exponential=f'order_{order}')


@pytest.mark.parametrize('name', ['dekf_exponential', 'error_ekf_fe', 'error_ekf_ej'])
def test_the_transition_is_the_derivative_of_the_step(name):
    """Of all its sub-steps together, which smoothers go back by: against differences of two steps.

    It is the linearised sub-steps'; what is not linear in them is left.
    """
    mechanism, h = split_coupler(), 5e-3
    sensors = sensors_of(mechanism, ['crank_encoder'])

    def stepped(offset):
        filter_ = make_filter(name, mechanism, sensors, h)
        filter_.reset(mechanism.z0 + offset[:2], mechanism.zd0 + offset[2:])
        filter_.predict(h)
        estimate = filter_.estimate
        size = len(filter_.state_covariance)
        # Where the covariance before is a unit matrix, this is f_x^T.
        return (np.concatenate([estimate.z, estimate.zd]),
                filter_.cross_covariance(np.eye(size), h).T[:4, :4])

    scale = np.array([1.0, 1.0, 771.0, 771.0])
    found = stepped(np.zeros(4))[1]
    expected = np.empty((4, 4))
    for column in range(4):
        offset = np.zeros(4)
        offset[column] = 1e-6 * scale[column]
        expected[:, column] = (stepped(offset)[0] - stepped(-offset)[0]) / (2.0 * offset[column])
    np.testing.assert_allclose(found * scale / scale[:, None], expected * scale / scale[:, None],
                               atol=0.05)


def test_a_prediction_that_is_impossible_is_a_divergence():
    mechanism = split_coupler()
    filter_ = make_filter('dekf_exponential', mechanism,
                          sensors_of(mechanism, ['crank_encoder']), 5e-3)
    with pytest.raises(DivergenceError):
        filter_.predict(5e-3, np.array([np.nan, 0.0]))
