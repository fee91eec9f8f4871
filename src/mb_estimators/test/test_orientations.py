"""Filters of bodies that turn freely: errors are rotation vectors, whose reference follows."""

from coordinate_readings import coordinate_readings
from filter_traits import (
    ACCELERATIONS,
    COORDINATES,
    PARAMETER_FILTERS,
    PENALTY,
    filters_with,
    known_parameters,
    own_settings,
)
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.stats import chi2
from spatial_machines import TORQUE_FREE
from tumbling import two_worlds

from mb_estimators import available_filters, make_filter
from mb_estimators.filter import FilterError
from mb_estimators.recording.recording import Recording
from mb_estimators.smoothing import smooth
from mb_model import Mechanism, load_mechanism, make_stepper, motion_difference
from mb_model.space.rotation import rotation
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

FREE = Mechanism(TORQUE_FREE, 'free.yaml')
FREE_FILTERS = available_filters(FREE)
EXACT = ('cekf', 'dekf_exponential', 'error_ekf_ej', 'srukf', 'ssukf', 'ukf')      # f_x
SWINGING = ACCELERATIONS                # their damping ratio is h omega / 4
NEARBY = (*PENALTY, *SWINGING)          # no large corrections
SIGMA, STEPS = 5e-3, 10
START = np.repeat([0.02, 0.03, 0.1, 0.3], 3) ** 2       # place, turn, their rates
STILL = {'acceleration_variance': 1e-10}                # of a smoother: no unknown force


def place_and_axes(mechanism, sigma=SIGMA):
    """Return the Sensors of a free body: its position, and two of its unit vectors, in q."""
    model = mechanism.model[0]
    nodes = [model['term_node'][model['vector_terms'][k]] for k in model['chart_axis'][0, :2]]
    return coordinate_readings([*model['independent'][:3], *(
        node + axis for node in nodes for axis in range(3))], sigma)


def read(sensors, q):
    return q[[int(sensor.records['coordinate'][0]) for sensor in sensors]]


def difference(mechanism, one, other):
    return motion_difference(mechanism, (one.q, one.qd), (other.q, other.qd))


@pytest.mark.parametrize('name', [name for name in EXACT if name != 'cekf'])
@pytest.mark.parametrize('mechanism', [FREE, load_mechanism('stewart')],
                         ids=['free', 'stewart'])
def test_the_covariance_grows_as_motions_move_apart(name, mechanism):
    """A small P after steps is what central differences of the filter's own steps make of it."""
    dt, step, g = 2e-4, 1e-5, mechanism.g
    filter_ = make_filter(name, mechanism, coordinate_readings([0], 1.0), dt,
                          acceleration_psd=1e-30)
    x = np.concatenate([mechanism.z0, mechanism.zd0 + np.linspace(0.5, -1.0, g)])

    def moved(x):
        filter_.reset(x[:g], x[g:], 1e-16 * np.eye(2 * g))
        before = filter_.estimate
        for _ in range(STEPS):
            filter_.predict(dt)
        return before, filter_.estimate

    apart = [[difference(mechanism, one, other) / (2.0 * step)
              for one, other in zip(moved(x + step * d), moved(x - step * d), strict=True)]
             for d in np.eye(2 * g)]
    before, after = np.array(apart).transpose(1, 2, 0)
    F = after @ np.linalg.inv(before)
    start = np.diag(np.linspace(1.0, 2.0, 2 * g)) * 1e-8
    filter_.reset(x[:g], x[g:], start)
    for _ in range(STEPS):
        filter_.predict(dt)
    expected, found = F @ start @ F.T, filter_.estimate.covariance
    deviation = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(found / np.outer(deviation, deviation),
                               expected / np.outer(deviation, deviation),
                               atol=2e-2 if name == 'error_ekf_ej' else 2e-3)       # a series


def of_known_parameters(name):
    """Return settings of a filter by which no parameter of the box is in doubt."""
    if name not in PARAMETER_FILTERS:
        return known_parameters(name) if name in filters_with('modes') else {}
    return known_parameters(name) | {'parameters': ('bodies.box.mass',)} | own_settings(
        name, {'acceleration_psd': 0.1, 'acceleration_variance': 2e-3})


@pytest.mark.parametrize('name', FREE_FILTERS)
def test_a_filter_finds_an_orientation_that_it_does_not_know(name):
    """Of a body that turns on and on; it begins up to 45 degrees off."""
    sensors, dt = place_and_axes(FREE), 2e-3
    random, truth = np.random.default_rng(1), make_stepper(FREE)
    filter_ = make_filter(name, FREE, sensors, dt, gate=0.0, **of_known_parameters(name))
    off = np.array([0.05, 0.05, 0.05, 0.5, -0.4, 0.3]) * (0.05 if name in NEARBY else 1.0)
    deviations = np.full(len(filter_.estimate.covariance), 0.5)
    filter_.reset(FREE.z0 + off, 0.9 * FREE.zd0, np.diag(deviations ** 2))
    errors = []
    for _ in range(500):
        for _ in range(4):
            truth.step(dt / 4.0)
        filter_.predict(dt)
        filter_.correct(read(sensors, truth.q) + SIGMA * random.normal(size=len(sensors)))
        errors.append(difference(FREE, truth, filter_.estimate)[:6])
    assert np.abs(errors[400:]).max() < (20.0 if name in SWINGING else 4.0) * SIGMA
    estimate = filter_.estimate
    body = FREE.body_motion('box', estimate.q, estimate.qd)
    np.testing.assert_allclose(estimate.zd[3:], body.rotation.T @ body.angular_velocity,
                               atol=5e-3 if name in COORDINATES else 1e-9)


def shaken(mechanism, psd, dt, count, seed, pieces=4):
    """Yield the steps of a mechanism whose accelerations have white noise, as Steppers."""
    random, stepper = np.random.default_rng(seed), make_stepper(mechanism)
    h = dt / pieces
    for _ in range(count):
        for _ in range(pieces):
            stepper.zd[:] += np.sqrt(psd * h) * random.normal(size=mechanism.g)
            stepper.refresh()
            stepper.step(h)
        yield stepper


def start_off(mechanism, error):
    """Return z, zd of an estimate from which a free body at its start is that far: (12)."""
    turn = rotation(error[3:6]).T
    sine = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0],
                     turn[1, 0] - turn[0, 1]]) / 2.0
    rates = (np.trace(turn) * np.eye(3) - turn.T) / 2.0
    return (mechanism.z0 - np.concatenate([error[:3], -sine]), np.concatenate(
        [mechanism.zd0[:3] - error[6:9], rates @ (mechanism.zd0[3:] - error[9:])]))


@pytest.mark.parametrize('name', EXACT)
def test_errors_of_a_tumbling_body_are_as_large_as_the_filter_says(name):
    """NEES within its interval of 95 % in 90 to 98 % of all instants of 50 runs."""
    psd, dt, count = 0.05, 5e-3, 40
    sensors, within = place_and_axes(FREE), []
    low, high = chi2.ppf([0.025, 0.975], 12)
    start = np.diag(START)
    filter_ = make_filter(name, FREE, sensors, dt, gate=0.0, acceleration_psd=psd)
    for seed in range(50):
        random = np.random.default_rng(seed + 1000)
        error = np.linalg.cholesky(start) @ random.normal(size=12)
        filter_.reset(*start_off(FREE, error), start)
        for truth in shaken(FREE, psd, dt, count, seed):
            filter_.predict(dt)
            filter_.correct(read(sensors, truth.q) + SIGMA * random.normal(size=len(sensors)))
            estimate = filter_.estimate
            off = difference(FREE, truth, estimate)
            within.append(low < off @ np.linalg.solve(estimate.covariance, off) < high)
    assert 0.90 <= np.mean(within) <= 0.98


@pytest.mark.parametrize(('name', 'settings'), [
    ('dekf_exponential', {}), ('error_ekf_ej', {}), ('ssukf', {}),
    ('fixed_lag_smoother', STILL | {'lag': 0.01})])
def test_errors_of_a_stewart_platform_are_as_large_as_the_filter_says(name, settings):
    """As above; by encoders of its legs, and a gyroscope, of a platform that bounces."""
    platform, psd, dt = load_mechanism('stewart'), 0.05, 1e-3
    sensors, within = sensors_of(platform, ['encoders', 'platform_gyro']), []
    sigma = np.repeat([sensor.settings.sigma for sensor in sensors],
                      [len(sensor.channels) for sensor in sensors])
    low, high = chi2.ppf([0.025, 0.975], 12)
    filter_ = make_filter(name, platform, sensors, dt, gate=0.0, acceleration_psd=psd,
                          initial_variance=1e-4, **settings)
    start = np.diag(np.repeat([1e-4, 1e-10 if settings else 1e-4], [12, 6]))
    for seed in range(50):
        random = np.random.default_rng(seed + 1000)
        error = 0.01 * random.normal(size=12)
        size = len(filter_.estimate.covariance)
        filter_.reset(platform.z0 - error[:6], platform.zd0 - error[6:], start[:size, :size])
        for truth in shaken(platform, psd, dt, 15, seed):
            filter_.predict(dt)
            ideal = np.hstack([true_values(platform, sensor, truth.q[None], truth.qd[None],
                                           truth.qdd[None])[0] for sensor in sensors])
            filter_.correct(ideal + sigma * random.normal(size=len(sigma)))
            estimate = filter_.estimate
            off = difference(platform, truth, estimate)
            within.append(low < off @ np.linalg.solve(estimate.covariance[:12, :12], off) < high)
    assert 0.90 <= np.mean(within) <= 0.98


@pytest.mark.parametrize(('name', 'settings'), [
    *((name, of_known_parameters(name)) for name in FREE_FILTERS if name != 'ssukf'),
    ('kinematic_kf', {'acceleration_model': 'jerk'})])
def test_turning_the_world_changes_nothing(name, settings):
    """The same file, turned, with readings of the same places: innovations turn with it.

    But for ssukf: its points are a simplex, which lies otherwise in axes that are turned.
    """
    turn = rotation([0.7, -1.1, 0.4])
    worlds = two_worlds(dict(TORQUE_FREE, gravity=[0.5, -1.0, -9.0]), turn)
    dt, random = 2e-3, np.random.default_rng(5)
    filters = [make_filter(name, world, place_and_axes(world), dt, gate=0.0, **settings)
               for world in worlds]
    truth, sensors = make_stepper(worlds[0]), place_and_axes(worlds[0])
    for _ in range(30):
        truth.step(dt)
        readings = (read(sensors, truth.q) + SIGMA * random.normal(size=9)).reshape(3, 3)
        fits = []
        for filter_, seen in zip(filters, (readings, readings @ turn.T), strict=True):
            filter_.predict(dt)
            fits.append(filter_.correct(seen.ravel()))
        one, two = (fit.residual.reshape(3, 3) for fit in fits)
        np.testing.assert_allclose(one @ turn.T, two, atol=1e-7)
        assert fits[0].nis == pytest.approx(fits[1].nis, rel=1e-4)
    covariances = [filter_.estimate.covariance[3:6, 3:6] for filter_ in filters]
    np.testing.assert_allclose(*covariances, rtol=1e-4, atol=1e-12)


@pytest.mark.parametrize(('name', 'settings'), [
    ('adekf', {}), ('fixed_lag_smoother', {'acceleration_variance': 1e-2, 'lag': 0.05})])
def test_an_unknown_moment_turns_with_the_body(name, settings):
    """It is found, constant in the frame of a tumbling body: Euler's equations."""
    inertia, moment = np.array([0.1, 0.25, 0.3]), np.array([0.3, -0.2, 0.4])
    dt, h, sigma, random = 5e-3, 5e-4, 5e-4, np.random.default_rng(4)
    filter_ = make_filter(name, FREE, place_and_axes(FREE, sigma), dt, gate=0.0, **settings)
    place, turn = np.array(FREE.z0[:3]), Rotation.from_rotvec([0.3, -0.4, 0.5])
    w = np.array(FREE.zd0[3:])
    start = np.diag(np.repeat([1e-6, 1e-4, 10.0], 6))
    size = len(filter_.estimate.covariance)
    filter_.reset(FREE.z0, FREE.zd0, start[:size, :size])
    for _ in range(300):
        for _ in range(10):
            middle = w + h / 2.0 * (moment - np.cross(w, inertia * w)) / inertia
            w = w + h * (moment - np.cross(middle, inertia * middle)) / inertia
            turn = turn * Rotation.from_rotvec(h * middle)
            place = place + h * np.array(FREE.zd0[:3])
        axes = turn.as_matrix()
        filter_.predict(dt)
        filter_.correct(np.concatenate([place, axes[:, 0], axes[:, 1]])
                        + sigma * random.normal(size=9))
    estimate = filter_.estimate
    off = estimate.forces - np.concatenate([np.zeros(3), moment])
    assert (np.abs(off) < 4.0 * estimate.force_deviations).all()
    assert (estimate.force_deviations[3:] < 0.1).all()


def test_all_filters_follow():
    assert set(FREE_FILTERS) == set(available_filters(load_mechanism('delta')))


@pytest.mark.parametrize('name', ['cekf', 'cekf_penalty', 'diekf_pm', 'sckf'])
def test_filters_of_planar_papers_are_refused_as_published(name):
    with pytest.raises(FilterError, match=r'torque_free: .*as_published: .*planar.*expected false'):
        make_filter(name, FREE, place_and_axes(FREE), 1e-3, as_published=True)


@pytest.mark.parametrize(('name', 'further'), [
    ('error_ekf_ej', {}), ('ukf', {}), ('fixed_lag_smoother', STILL)])
def test_smoothed_orientations_are_better_and_as_good_as_they_say(name, further):
    """Fast and badly read, so that references move far between readings, and by corrections."""
    psd, dt, every, count, g = 0.05, 5e-3, 4, 160, 6
    sensors, squares, ratios = place_and_axes(FREE, 0.05), [], []
    settings = {'gate': 0.0, 'initial_variance': 1e-4, 'acceleration_psd': psd} | further
    for seed in range(8):
        random = np.random.default_rng(seed)
        truth, readings = [], []
        for k, stepper in enumerate(shaken(FREE, psd, dt, count, seed)):
            if (k + 1) % every == 0:
                truth.append((stepper.q.copy(), stepper.qd.copy()))
                readings.append(read(sensors, stepper.q) + 0.05 * random.normal(size=9))
        start = np.full(9, np.nan)
        stamps = 20_000_000 * np.arange(len(truth) + 1)
        filter_ = make_filter(name, FREE, sensors, dt, **settings)
        filtered = []
        for reading in readings:
            for _ in range(every):
                filter_.predict(dt)
            filter_.correct(reading)
            filtered.append(filter_.estimate)
        filter_ = make_filter(name, FREE, sensors, dt, **settings)
        smoothed = smooth(filter_, Recording(stamps, np.vstack([start, readings])), dt)
        off = np.array([motion_difference(FREE, t, (q, qd)) for t, q, qd in zip(
            truth, smoothed.q[1:], smoothed.qd[1:], strict=True)])
        before = np.array([motion_difference(FREE, t, (estimate.q, estimate.qd))
                           for t, estimate in zip(truth, filtered, strict=True)])
        ratios.append(np.sqrt(np.mean(off ** 2, axis=0) / np.mean(before ** 2, axis=0)))
        squares += [d @ np.linalg.solve(P[:2 * g, :2 * g], d)
                    for d, P in zip(off, smoothed.covariance[1:], strict=True)]
    assert np.mean(ratios) < 0.9
    assert np.mean(squares) == pytest.approx(12.0, rel=0.35)
