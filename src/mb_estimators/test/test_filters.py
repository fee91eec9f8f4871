"""Every filter against textbook answers and what must always hold."""

from copy import deepcopy
import pickle

from filter_traits import (
    ACCELERATIONS,
    CONTINUOUS,
    DEPENDENT,
    ERROR_STATE,
    GRAPHS,
    HYDRAULIC,
    PENALTY,
    PERFECT,
    PUBLISHED,
    PULSES,
    VARIANTS,
    WALKS,
    WINDOWED,
    known_parameters,
    own_settings,
)
from free_motion import FLYWHEEL, SLED, SLED_IN_SPACE, filter_and_textbook
from hypothesis import example, given, settings, strategies as st
import numpy as np
import pytest
from wild_readings import endure_wild_readings

from mb_estimators import ImpossibleReadingError, available_filters, make_filter
from mb_estimators.filter import FilterError, put_back
from mb_estimators.state import copied
from mb_model import load_mechanism
from mb_sensors.readings import true_values

DT = 0.005
MACHINES = tuple(name for name in available_filters() if name not in PULSES)
ALL = tuple(name for name in MACHINES if name not in HYDRAULIC)
FILTERS = pytest.mark.parametrize('name', ALL)
ALL_MACHINES = pytest.mark.parametrize('name', MACHINES)

ACCELEROMETER = {'kind': 'accelerometer', 'at': [0.7, 0.4], 'orientation': 0.6, 'axes': ['x', 'y'],
                 'sigma': 0.05}


@pytest.mark.parametrize('name', sorted(set(ALL) - {*WINDOWED, *GRAPHS}))
@pytest.mark.parametrize('mechanism', [FLYWHEEL, SLED, SLED_IN_SPACE],
                         ids=['flywheel', 'sled', 'sled in space'])
def test_on_a_free_motion_it_is_the_kalman_filter(name, mechanism):
    """One body without forces, on a pivot or a slideway: its motion is linear in time.

    The error-state family steps the points of the wheel, on their circle, by the trapezoidal rule,
    whose error over a step is (omega h)^3 / 12.  cekf corrects velocities during the step, which
    moves the position by h/2 of that; readings of velocities put it right.  The penalty method
    keeps the constraints up to about the masses against the penalty.  Filters in dependent
    coordinates learn from the constraints, as from readings of x and y of about their
    dependent_variance.
    """
    circular = mechanism is FLYWHEEL and name in ERROR_STATE
    tolerance = 3e-5 if circular else 1e-10
    if name in CONTINUOUS:
        tolerance = DT * 0.1 * (1.0 if mechanism is FLYWHEEL else 5.0)
    rounding = 1e-6 if name in PENALTY else 1e-12
    filter_, textbook = filter_and_textbook(
        name, mechanism, list(mechanism.sensors), DT, 0.4, 0.01,
        np.eye(2) if mechanism is FLYWHEEL else np.array([[1.0, 0.0], [1.0, 0.0]]), [0.02, 0.05])
    random = np.random.default_rng(7)
    for _ in range(400):
        h = DT * random.uniform(0.2, 1.0)
        filter_.predict(h)
        textbook.predict(h)
        reading = textbook.H @ textbook.x[:2] + random.normal(size=2) * [0.02, 0.05]
        reading[random.random(2) < 0.3] = np.nan
        fit = filter_.correct(reading)
        y, S, nis = textbook.correct(reading)
        np.testing.assert_allclose(fit.residual, y, atol=tolerance)
        np.testing.assert_allclose(fit.covariance, S, atol=rounding)
        assert fit.nis == pytest.approx(nis, abs=1e3 * tolerance)
    estimate = filter_.estimate
    np.testing.assert_allclose([estimate.z[0], estimate.zd[0]], textbook.x[:2], atol=tolerance)
    np.testing.assert_allclose(estimate.covariance, textbook.P, atol=rounding)


@FILTERS
@pytest.mark.parametrize(('mechanism', 'sensors'), [
    ('four_bar', ['coupler_gyro', 'crank_encoder', 'probe']),
    ('five_bar', ['coupler_gyros', 'probe', 'crank_accelerometers']),
    ('four_bar_spring_damper', ['distance_across', 'probe'])])
def test_measurement_jacobian_is_the_central_difference(name, mechanism, sensors):
    """By the innovation covariance: H P H^T + R with P of one z or zd alone; small, for points.

    Accelerometers feel the accelerations that the dynamics answer with.
    """
    mechanism = load_mechanism(mechanism)
    probe = ACCELEROMETER | {'body': list(mechanism.bodies)[1]}
    mechanism = mechanism.replace(sensors={'probe': probe})
    zd = np.linspace(0.8, -1.3, mechanism.g)
    tuning = {} if name in WALKS else {'acceleration_psd': 1e-20}
    filter_ = make_filter(name, mechanism, sensors, DT, gate=0.0, **tuning,
                          **known_parameters(name))
    size, step, variance = len(filter_.estimate.covariance), 1e-6, 1e-10
    noise = np.diag([s.settings.variance for s in filter_.sensors for _ in s.channels])
    count = len(noise)

    def predicted(x):
        filter_.reset(x[:mechanism.g], x[mechanism.g:], np.eye(size) * 1e-20)
        return -filter_.correct(np.zeros(count)).residual

    x = np.concatenate([mechanism.z0 + 0.2, zd])
    for i in range(2 * mechanism.g):
        offset = step * np.eye(2 * mechanism.g)[i]
        column = (predicted(x + offset) - predicted(x - offset)) / (2.0 * step)
        covariance = np.eye(size) * 1e-20
        covariance[i, i] = variance
        filter_.reset(x[:mechanism.g], x[mechanism.g:], covariance)
        fit = filter_.correct(np.zeros(count))
        np.testing.assert_allclose(
            (fit.covariance - noise) / variance, np.outer(column, column), rtol=1e-4, atol=1e-5)


@FILTERS
def test_accelerometers_feel_the_noise_of_the_accelerations(name):
    """On the rim of a free wheel: along the rim zdd, which is all noise; towards the hub -zd^2."""
    wheel = FLYWHEEL.replace(sensors={'rim': {
        'kind': 'accelerometer', 'body': 'wheel', 'at': 'P', 'axes': ['y', 'x'], 'sigma': 0.05}})
    filter_ = make_filter(name, wheel, ['rim'], DT, **known_parameters(name))
    size = len(filter_.estimate.covariance)
    filter_.reset(wheel.z0, wheel.zd0, np.diag([1e-9, 2e-9, 3e-9])[:size, :size])
    noise = 3e-9 if size == 3 else filter_.settings.acceleration_psd / DT
    fit = filter_.correct(np.array([0.0, -4.0]))
    expected = 0.05 ** 2 + np.array([noise, (2.0 * wheel.zd0[0]) ** 2 * 2e-9])
    np.testing.assert_allclose(fit.covariance, np.diag(expected), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize('form', ['error', 'direct'])
def test_acceleration_errors_are_seen_by_accelerometers_alone(form):
    """As readings change with zdd while z and zd stay: the kinematics know no forces."""
    mechanism = load_mechanism('five_bar')
    filter_ = make_filter('error_ekf_fe', mechanism, ['crank_accelerometers', 'coupler_gyros'], DT,
                          gate=0.0, form=form)
    z, zd, zdd = mechanism.z0 + 0.2, np.array([0.8, -1.3]), np.zeros(2)
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)

    def read(zdd):
        state = [x[None] for x in (q, qd, mechanism.acceleration(q, qd, zdd))]
        return np.hstack([true_values(mechanism, s, *state)[0] for s in filter_.sensors])

    for i in range(2):
        column = read(zdd + np.eye(2)[i]) - read(zdd)           # linear
        filter_.reset(z, zd, np.diag(np.where(np.arange(6) == 4 + i, 1.0, 1e-20)))
        fit = filter_.correct(np.zeros(6))
        noise = np.diag([s.settings.variance for s in filter_.sensors for _ in s.channels])
        np.testing.assert_allclose(fit.covariance - noise, np.outer(column, column), atol=1e-9)
        assert np.abs(column).max() > 0.3


def on_its_machine(name, count=1, **tuning):
    """Return a filter with `count` sensors, of the motion only where it suits such a mechanism."""
    if name in HYDRAULIC:
        return make_filter(name, 'crane', ['cylinder_encoder', 'pressure1'][:count], DT)
    return make_filter(name, 'four_bar', ['crank_encoder', 'coupler_gyro'][:count], DT,
                       **tuning)


@ALL_MACHINES
def test_readings_may_be_missing(name):
    filter_ = on_its_machine(name, 2)
    filter_.predict(DT)
    before = filter_.estimate
    fit = filter_.correct(np.array([np.nan, np.nan]))
    assert len(fit.residual) == 0
    assert fit.nis == 0.0
    np.testing.assert_array_equal(before.z, filter_.estimate.z)
    np.testing.assert_array_equal(filter_.correct(np.array([np.nan, 0.0])).channels, [1])


@pytest.mark.parametrize(('name', 'tuning'), [
    *((name, {}) for name in ALL), *(case for case in VARIANTS if case[0] not in PUBLISHED)])
@settings(max_examples=40, deadline=None)
@example(256, 'five_bar', 0.0)
@example(60, 'five_bar', 0.0)
@example(149, 'five_bar', 0.0)
@example(13366, 'four_bar', 0.0)
@given(st.integers(0, 2 ** 32), st.sampled_from(['four_bar', 'five_bar']),
       st.just(0.0) | st.floats(1e-4, 1.0))
def test_covariance_stays_symmetric_and_positive_definite(name, tuning, seed, mechanism,
                                                          bias_sigma):
    """Positions stay closed, too; all sensors have offsets, or the noise of one is coloured.

    Not with noises that are learned: from nonsense these filters may learn of offsets what is none.
    Nor of ssukf_acceleration with offsets, which says that it has diverged where such readings have
    an offset of half a radian.
    """
    loose = name in (*DEPENDENT, *PENALTY)
    if name in WINDOWED or name == 'ssukf_acceleration':
        bias_sigma = 0.0
    if 'coloured_sensors' in tuning:
        second = {'four_bar': 'coupler_gyro', 'five_bar': 'left_crank_encoder'}[mechanism]
        tuning = tuning | {'coloured_sensors': [second]}
    endure_wild_readings(name, seed, mechanism, 1e-3 if loose else 1e-6, bias_sigma, **tuning)


@pytest.mark.parametrize('bias_sigma', [0.0, 0.1], ids=['without bias', 'with bias'])
@pytest.mark.parametrize(('name', 'tuning'), [
    *((name, {}) for name in ALL if name not in (*PERFECT, *ACCELERATIONS)),
    *((name, {'as_published': True, **own_settings(name, {'constraint_tolerance': 1e-30})})
      for name in PUBLISHED)])
def test_impossible_readings_leave_the_prediction(name, tuning, bias_sigma):
    """Both feet of the five-bar linkage cannot be turned to where it would have to tear.

    As published, where the constraints are not met in time, no other solution takes their place.
    """
    mechanism = load_mechanism('five_bar').replace(
        points={'B': {'fixed': [5.9, 0.0]}}, start={'theta1': 0.0, 'theta2': 'pi'},
        sensors={'left_crank_encoder': {'bias_sigma': bias_sigma}})
    filter_ = make_filter(name, mechanism, ['crank_encoders'], DT, initial_variance=10.0, **tuning)
    if tuning:
        filter_.use_gate(False)
        filter_.predict(DT)
    before = filter_.estimate
    with pytest.raises(ImpossibleReadingError):
        filter_.correct(np.array([3.1, 0.05]))
    after = filter_.estimate
    for field in ('z', 'zd', 'q', 'covariance'):
        np.testing.assert_array_equal(getattr(before, field), getattr(after, field))
    assert (after.biases, after.bias_deviations) == (before.biases, before.bias_deviations)
    filter_.predict(DT)
    if not tuning:
        filter_.correct(np.array([0.0, np.pi]))


@FILTERS
def test_an_incredible_reading_is_as_none_unless_it_persists(name):
    """A gyroscope says 50 rad/s once; then an encoder that was 1 rad off is believed in the end.

    How soon depends on how far the model is trusted: far longer by filters of parameters.
    """
    tuning = {'augmented_ekf': {'acceleration_psd': 0.1}, 'chaos_ekf': {'acceleration_psd': 0.1},
              'platform_ekf': {'gate': 30.0}}
    with_spike, without = (
        make_filter(name, 'four_bar', ['crank_encoder', 'crank_gyro'], DT,
                    **tuning.get(name, {}))
        for _ in range(2))
    for k in range(20):
        readings = np.array([1.05, np.nan if k == 10 else 0.0])
        without.correct(readings)
        if k == 10:
            readings[1] = 50.0
        fit = with_spike.correct(readings)
        np.testing.assert_array_equal(fit.rejected, [1] if k == 10 else [])
        np.testing.assert_array_equal(with_spike.estimate.covariance, without.estimate.covariance)
        np.testing.assert_array_equal(with_spike.estimate.q, without.estimate.q)
        with_spike.predict(DT)
        without.predict(DT)
    believed = False
    for _ in range(400):
        fit = with_spike.correct(np.array([with_spike.estimate.z[0] + 1.0, np.nan]))
        believed = fit.rejected.size == 0
        if believed:
            break
        with_spike.predict(DT)
    assert believed


@pytest.mark.parametrize(('name', 'tuning'), [
    *((name, {}) for name in MACHINES if name not in GRAPHS),
    *((name, {'as_published': True}) for name in PUBLISHED)])
def test_a_copy_goes_on_alone(name, tuning):
    original = on_its_machine(name, **tuning)
    original.correct(original.estimate.z + 0.003)
    for copy in (deepcopy(original), pickle.loads(pickle.dumps(original))):
        before = original.estimate
        copy.predict(DT)
        copy.correct(before.z - 0.005)
        np.testing.assert_array_equal(original.estimate.covariance, before.covariance)
        np.testing.assert_array_equal(original.estimate.q, before.q)
        assert copy.estimate.z != before.z
    saved = copied(original.state)
    for _ in range(2):
        original.predict(DT)
        original.correct(before.z - 0.005)
        np.testing.assert_array_equal(original.estimate.q, copy.estimate.q)
        np.testing.assert_array_equal(original.estimate.covariance, copy.estimate.covariance)
        put_back(original, saved)


def test_what_is_available():
    assert set(MACHINES) <= set(available_filters())
    assert not {*HYDRAULIC} & {*available_filters(load_mechanism('four_bar'))}


@pytest.mark.parametrize(('name', 'sensors', 'dt', 'values', 'text'), [
    ('ekf', ['crank_encoder'], DT, {}, 'ekf: unknown filter, expected one of .*dekf.*error_ekf'),
    ('dekf', [], DT, {}, 'dekf: needs at least one sensor'),
    ('dekf', ['encoder'], DT, {}, 'encoder: unknown sensor of four_bar'),
    ('dekf', ['crank_encoder'], 0.0, {}, r'dt: 0\.0 must be > 0'),
    ('dekf', ['crank_encoder'], DT, {'initial_variance': -1.0},
     r'dekf: initial_variance: -1\.0 must be > 0'),
    ('dekf', ['crank_encoder'], DT, {'psd': 1.0}, 'dekf: psd: unknown setting, expected one of'),
])
def test_what_cannot_be_made_is_reported(name, sensors, dt, values, text):
    with pytest.raises(ValueError, match=text):
        make_filter(name, load_mechanism('four_bar'), sensors, dt, **values)


def test_sensors_must_suit_a_filter():
    mechanism = load_mechanism('four_bar').replace(sensors={
        'pump': {'kind': 'pressure', 'sigma': 1e4},
        'perfect': {'kind': 'gyroscope', 'body': 'crank', 'sigma': 0.0}})
    with pytest.raises(ValueError, match='pump: a pressure sensor says nothing about the motion'):
        make_filter('dekf', mechanism, ['pump'], DT)
    with pytest.raises(ValueError, match=r'perfect\.sigma: must be > 0'):
        make_filter('dekf', mechanism, ['perfect'], DT)


@pytest.mark.parametrize(('covariance', 'text'), [
    (np.eye(3), 'shape'), (np.diag([1.0, -1.0]), 'positive definite'),
    (np.array([[1.0, 0.5], [0.0, 1.0]]), 'symmetric')])
def test_an_initial_covariance_must_be_one(covariance, text):
    filter_ = make_filter('dekf', load_mechanism('four_bar'), ['crank_encoder'], DT)
    with pytest.raises(FilterError, match=text):
        filter_.reset(filter_.mechanism.z0, filter_.mechanism.zd0, covariance)


@ALL_MACHINES
def test_arguments_that_cannot_be_are_refused(name):
    filter_ = on_its_machine(name)
    for dt in (0.0, -0.1, float('nan'), float('inf')):
        with pytest.raises(ValueError, match=r'dt: .* must be > 0'):
            filter_.predict(dt)
    with pytest.raises(ValueError, match='readings: 2 must be 1'):
        filter_.correct([1.0, 2.0])
    filter_.correct([1.0])
