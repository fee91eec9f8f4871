"""Parameters of the model, estimated beside the motion."""

from filter_traits import PARAMETER_FILTERS
from free_motion import SLED
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from scipy import stats

from mb_estimators import FilterError, ImpossibleReadingError, make_filter, three_simulation
from mb_estimators.filter import DivergenceError
from mb_model import MechanismError, load_mechanism, simulate
from mb_sensors import SensorNoise, sensors_of
from mb_sensors.readings import true_values

DT = 0.005
FILTERS = pytest.mark.parametrize('name', PARAMETER_FILTERS)
DRAWN = SLED.replace(gravity=[0.5, -9.81])      # along its slideway: zdd = 0.5, whatever its mass
DEVIATION = 0.4                                 # of gravity.x, as a share
QUIET = {'augmented_ekf': {'acceleration_psd': 1e-14},
         'chaos_ekf': {'acceleration_psd': 1e-14},
         'dual_ukf_error_ekf_fe': {'acceleration_variance': 1e-16}}


def drawn_sled(name, walk, **tuning):
    return make_filter(name, DRAWN, list(DRAWN.sensors), DT, initial_variance=0.01,
                       parameters=['gravity.x'], parameter_deviations=[DEVIATION],
                       parameter_walks=[walk], **tuning)


@FILTERS
def test_on_a_drawn_sled_it_is_the_kalman_filter_of_the_augmented_state(name):
    """States z, zd, the acceleration error where there is one, gravity.x; gaps in the readings."""
    force, walk, psd = name.endswith('_fe'), 0.3, 0.05
    filter_ = drawn_sled(name, walk, **(
        {'acceleration_variance': psd * DT} if force else {'acceleration_psd': psd}))
    size = 4 if force else 3
    x = np.array([0.3, 2.0, 0.0, 0.5])[[0, 1, 2, 3] if force else [0, 1, 3]]
    P = np.diag([0.01] * (size - 1) + [(DEVIATION * 0.5) ** 2])
    H = np.zeros((2, size))
    H[:, 0] = 1.0
    random = np.random.default_rng(5)
    for _ in range(300):
        h = DT * random.uniform(0.2, 1.0)
        F, Q = np.eye(size), np.zeros((size, size))
        F[0, 1], F[0, 2:], F[1, 2:] = h, h * h / 2.0, h
        if force:
            Q[2, 2] = psd * h
        else:
            Q[:2, :2] = psd * np.array([[h ** 3 / 3.0, h * h / 2.0], [h * h / 2.0, h]])
        Q[-1, -1] = (walk * 0.5) ** 2 * h
        x, P = F @ x, F @ P @ F.T + Q
        filter_.predict(h)
        there = random.random(2) < 0.7
        R = np.diag([0.02 ** 2, 0.05 ** 2])[there][:, there]
        S = H[there] @ P @ H[there].T + R
        y = random.multivariate_normal(np.zeros(len(S)), S) if there.any() else np.zeros(0)
        reading = np.full(2, np.nan)
        reading[there] = H[there] @ x + y
        fit = filter_.correct(reading)
        np.testing.assert_allclose(fit.residual, y, atol=1e-9)
        np.testing.assert_allclose(fit.covariance, S, atol=1e-11)
        assert fit.nis == pytest.approx(y @ np.linalg.solve(S, y), abs=1e-6)
        K = P @ H[there].T @ np.linalg.inv(S)
        x, P = x + K @ y, P - K @ S @ K.T
    estimate = filter_.estimate
    np.testing.assert_allclose([estimate.z[0], estimate.zd[0], estimate.parameters['gravity.x']],
                               x[[0, 1, -1]], atol=1e-8)
    np.testing.assert_allclose(estimate.covariance[:2, :2], P[:2, :2], atol=1e-10)
    np.testing.assert_allclose(estimate.parameter_covariance, P[-1:, -1:], atol=1e-10)
    if force:
        np.testing.assert_allclose(estimate.forces, 4.0 * x[2], atol=1e-8)
        by_zdd = np.array([0.0, 0.0, 1.0, 1.0])
        assert estimate.covariance[2, 2] == pytest.approx(by_zdd @ P @ by_zdd, rel=1e-8)
        assert estimate.force_deviations[0] == pytest.approx(4.0 * np.sqrt(P[2, 2]), rel=1e-8)


@FILTERS
def test_it_finds_what_least_squares_over_the_whole_run_find(name):
    """z = z0 + zd0 t + (gravity.x + error) t^2 / 2 through all readings, and what was expected."""
    filter_ = drawn_sled(name, 0.0, **QUIET[name])
    t = np.arange(1, 401) * DT
    truth = 0.33 + 1.9 * t + 0.62 * t ** 2 / 2.0
    readings = truth[:, None] + np.random.default_rng(2).normal(size=(400, 2)) * [0.02, 0.05]
    for reading in readings:
        filter_.predict(DT)
        filter_.correct(reading)
    expected, deviations = [0.3, 2.0, 0.5, 0.0], [0.1, 0.1, DEVIATION * 0.5, 0.1]
    unknown = 4 if name.endswith('_fe') else 3
    columns = np.stack([np.ones_like(t), t, t ** 2 / 2.0, t ** 2 / 2.0], axis=1)
    rows = np.vstack([columns / 0.02, columns / 0.05, np.diag(1.0 / np.array(deviations))])
    right = np.concatenate([readings[:, 0] / 0.02, readings[:, 1] / 0.05,
                            np.divide(expected, deviations)])
    rows, right = rows[:800 + unknown, :unknown], right[:800 + unknown]
    solution = np.linalg.lstsq(rows, right, rcond=None)[0]
    covariance = np.linalg.inv(rows.T @ rows)
    estimate = filter_.estimate
    assert estimate.parameters['gravity.x'] == pytest.approx(solution[2], abs=1e-6)
    assert estimate.parameter_deviations['gravity.x'] == pytest.approx(
        np.sqrt(covariance[2, 2]), rel=1e-5)


GEOMETRY = ('bodies.coupler.length', 'points.B.fixed.x', 'bodies.coupler.mass', 'gravity.y')
CASES = [*[('four_bar', parameter) for parameter in GEOMETRY],
         ('five_bar', 'bodies.left_coupler.length'), ('five_bar', 'rods')]


@FILTERS
@pytest.mark.parametrize(('mechanism', 'parameter'), CASES)
def test_readings_depend_on_parameters_as_the_central_difference_says(name, mechanism, parameter):
    """By the innovation covariance, with the parameter alone in doubt; accelerometers, too."""
    mechanism = load_mechanism(mechanism)
    second = list(mechanism.bodies)[1]
    mechanism = mechanism.replace(sensors={'probe': {
        'kind': 'accelerometer', 'body': second, 'at': [0.7, 0.4], 'axes': ['x', 'y'],
        'sigma': 0.05}})
    if parameter == 'rods':                   # a named one, in several numbers of the file
        mechanism = mechanism.replace(parameters={'rods': 1.5}, bodies={
            second: {'mass': 'rods', 'length': 'rods + 0.561553'}})
    require_central_difference(name, mechanism, parameter, mechanism.z0 + 0.2)


@FILTERS
@pytest.mark.parametrize('parameter', ['bodies.upper_arm.points.outer.z',
                                       'bodies.lower_arm.points.strut.y'])
def test_readings_depend_on_places_in_space_as_the_central_difference_says(name, parameter):
    car = load_mechanism('quarter_car')
    car = car.replace(
        bodies={body: {'variable_places': True} for body in car.bodies},
        sensors={'probe': {'kind': 'accelerometer', 'body': 'lower_arm', 'at': [0.1, 0.2, 0.0],
                           'sigma': 0.05}})
    require_central_difference(name, car, parameter, car.z0 + 0.02, step=1e-3)


def require_central_difference(name, mechanism, parameter, z, step=1e-5):
    """Compare how readings at z depend on a parameter with readings of changed files."""
    zd = np.linspace(0.8, -1.3, mechanism.g)
    tuning = {} if name.endswith('_fe') else {'acceleration_psd': 1e-20}
    filter_ = make_filter(name, mechanism, [*mechanism.sensors], DT, gate=0.0,
                          parameters=[parameter], parameter_deviations=[step], **tuning)
    filter_.reset(z, zd, np.eye(len(filter_.estimate.covariance)) * 1e-20)
    unit = filter_.estimate.parameter_deviations[parameter]
    value = filter_.estimate.parameters[parameter]
    noise = np.diag([s.settings.variance for s in filter_.sensors for _ in s.channels])
    fit = filter_.correct(np.zeros(len(noise)))

    def read(value):
        changed = changed_file(mechanism, parameter, value)
        q = changed.assemble(z, mechanism.assemble(z))
        qd = changed.velocity(q, zd)
        qdd = changed.acceleration(q, qd, changed.forward_dynamics(z, zd, near=q))
        return np.hstack([true_values(mechanism, s, q[None], qd[None], qdd[None])[0]
                          for s in filter_.sensors])

    column = (read(value + unit) - read(value - unit)) / 2.0
    assert np.abs(column).max() > 1e-8
    np.testing.assert_allclose((fit.covariance - noise) / step ** 2,
                               np.outer(column, column) / step ** 2, rtol=1e-4, atol=1e-5)


def changed_file(mechanism, parameter, value):
    """Return the mechanism with a number of its file replaced."""
    keys = parameter.split('.')
    if len(keys) == 1:
        return mechanism.replace(parameters={parameter: value})
    if keys[-1] in ('x', 'y', 'z'):
        axis, old = 'xyz'.index(keys.pop()), mechanism.raw
        for key in keys:
            old = old[key]
        value = [value if k == axis else number for k, number in enumerate(old)]
    for key in reversed(keys):
        value = {key: value}
    return mechanism.replace(**value)


@FILTERS
@pytest.mark.parametrize(('mechanism', 'parameters', 'sensors'), [
    ('four_bar', ['gravity.y', 'bodies.coupler.mass'], ['crank_encoder']),
    ('four_bar', ['bodies.rocker.length'], ['crank_encoder', 'coupler_gyro']),
    ('four_bar_spring_damper', ['forces.spring.stiffness', 'forces.spring.damping'],
     ['distance_across']),
    ('five_bar', ['bodies.left_crank.mass', 'bodies.right_coupler.mass'], ['crank_encoders'])])
def test_errors_are_as_large_as_it_says(name, mechanism, parameters, sensors):
    """Motion and parameters drawn as the filter expects them, over several seeds."""
    mechanism = load_mechanism(mechanism)
    sensors = sensors_of(mechanism, sensors)
    deviation, start, count = 0.05, 1e-2, 16
    tuning = ({'acceleration_variance': 1e-12} if name.endswith('_fe')
              else {'acceleration_psd': 1e-8})
    squares, shrunk = [], []
    for seed in range(count):
        random = np.random.default_rng(seed)
        filter_ = make_filter(name, mechanism, sensors, DT, initial_variance=start ** 2,
                              parameters=parameters, parameter_deviations=[deviation],
                              parameter_walks=[0.0], **tuning)
        if name.endswith('_fe'):
            filter_.reset(mechanism.z0, mechanism.zd0, np.diag(
                np.repeat([start ** 2, start ** 2, 1e-12], mechanism.g)))
        prior, truth = filter_.estimate, mechanism
        for parameter in parameters:
            value = prior.parameters[parameter] * np.exp(deviation * random.normal())
            truth = changed_file(truth, parameter, value)
        true = truth.parameter_records(parameters)['value']
        z, zd = random.normal(mechanism.z0, start), random.normal(mechanism.zd0, start)
        run = simulate(truth, 3.0, DT, z0=z, zd0=zd)
        readings = np.hstack([
            SensorNoise(sensor.settings, seed, sensor.name).readings(range(len(run.t)), true_values(
                mechanism, sensor, run.q, run.qd, run.qdd)) for sensor in sensors])
        for reading in readings[1:]:
            filter_.predict(DT)
            filter_.correct(reading)
        estimate = filter_.estimate
        error = np.array(list(estimate.parameters.values())) - true
        squares.append(error @ np.linalg.solve(estimate.parameter_covariance, error))
        shrunk.append(np.linalg.det(estimate.parameter_covariance)
                      / np.linalg.det(prior.parameter_covariance))
    assert max(shrunk) < 0.2
    low, high = stats.chi2.interval(0.999, count * len(parameters))
    assert low < sum(squares) < high


@FILTERS
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2 ** 32))
def test_wild_readings_leave_masses_and_lengths_positive(name, seed):
    random = np.random.default_rng(seed)
    mechanism = load_mechanism('four_bar')
    sensors = ['crank_encoder', 'coupler_gyro', 'crank_accelerometers']
    filter_ = make_filter(name, mechanism, sensors, DT, parameters=GEOMETRY,
                          parameter_walks=[0.1])
    for _ in range(40):
        try:
            filter_.predict(DT)
            before = filter_.estimate
            filter_.correct(random.normal(size=4) * 10.0 ** random.uniform(-3.0, 1.0))
        except DivergenceError:
            filter_.reset(mechanism.z0, mechanism.zd0)
        except ImpossibleReadingError:
            after = filter_.estimate
            assert after.parameters == before.parameters
            np.testing.assert_array_equal(after.parameter_covariance, before.parameter_covariance)
            np.testing.assert_array_equal(after.q, before.q)
        estimate = filter_.estimate
        assert estimate.parameters['bodies.coupler.length'] > 0.0
        assert estimate.parameters['bodies.coupler.mass'] > 0.0
        np.linalg.cholesky(estimate.covariance)
        np.linalg.cholesky(estimate.parameter_covariance)
    assert mechanism.model == load_mechanism('four_bar').model


@FILTERS
def test_a_run_gives_them_over_time(name):
    result = three_simulation('four_bar', name, ['crank_encoder'], {'gravity': -1.0}, 3.0, DT, 1)
    values, deviations = result.parameters['gravity.y'], result.parameter_deviations['gravity.y']
    assert values.shape == deviations.shape == result.t.shape
    assert values[0] == pytest.approx(-8.81, abs=0.05)
    assert deviations[0] == pytest.approx(0.881, abs=0.01)
    assert deviations[-1] < 0.1
    assert abs(values[-1] + 9.81) < 3.3 * deviations[-1]


@FILTERS
def test_a_new_start_forgets_the_parameters(name):
    filter_ = make_filter(name, 'four_bar', ['crank_encoder'], DT, parameters=GEOMETRY)
    fresh = filter_.estimate
    for _ in range(50):
        filter_.predict(DT)
        filter_.correct([1.3])
    assert filter_.estimate.parameters != fresh.parameters
    filter_.reset(filter_.mechanism.z0, filter_.mechanism.zd0)
    again = filter_.estimate
    assert again.parameters == fresh.parameters
    np.testing.assert_allclose(again.q, fresh.q, atol=1e-12)
    np.testing.assert_array_equal(again.covariance, fresh.covariance)
    assert fresh.parameter_deviations['bodies.coupler.mass'] == pytest.approx(0.8)


@FILTERS
@pytest.mark.parametrize(('values', 'error', 'text'), [
    ({'parameters': []}, FilterError, 'parameters: missing'),
    ({'parameters': ['gravity.y'] * 2}, FilterError, 'must be different'),
    ({'parameters': ['bodies.crank.colour']}, MechanismError, 'bodies.crank.colour: is no'),
    ({'parameter_walks': [0.0, 1.0]}, FilterError, 'parameter_walks: 2 values, expected 1')])
def test_parameters_that_cannot_be_estimated_are_reported(name, values, error, text):
    with pytest.raises(error, match=text):
        make_filter(name, 'four_bar', ['crank_encoder'], DT, **values)
