"""Masses over time: filters against their formulas, gates, changes of load, wild streams."""

from dataclasses import replace
from functools import cache

from crane_states import MS, START, covariances, crane, pressures, stamps, strokes
from hypothesis import given, settings as hypothesis_settings, strategies as st
import numpy as np
import pytest
from scipy.signal import lfilter

from mb_contact.payload.estimator import PayloadEstimator
from mb_contact.payload.payload_settings import PayloadSettings

METHODS = 'low_pass', 'window_least_squares'
RNG = np.random.default_rng(11)


def estimator_of(mechanism=None, dt=0.001, **settings):
    return PayloadEstimator(mechanism or crane(), ['load'], PayloadSettings(**settings), dt)


@cache
def moving(load, friction=1.0, seconds=8.0, dt=0.001):
    """Return (t, z, zd, zdd, p) of the crane that goes up and down with a load."""
    t, z, zd, zdd = strokes(seconds, dt)
    coarse = slice(None, None, 20)       # pressures change slowly
    p = pressures(crane(load), z[coarse], zd[coarse], zdd[coarse], friction)
    fine = np.stack([np.interp(t, t[coarse], column) for column in p.T], axis=1)
    return t, z[:, None], zd[:, None], zdd[:, None], fine


def run(estimator, motion, covariance=None, **others):
    t, *state = motion
    return estimator.run(stamps(t), *map(np.ascontiguousarray, state), covariance=covariance,
                         **others)


def test_low_pass_and_triangle_are_the_papers():
    """Eqs. (58) and (59) written down, on instants that all count."""
    n, dt, time_constant = 6, 0.001, 0.02
    estimator = estimator_of(time_constant=time_constant, settling_time=0.0, least_change=1e6,
                             averaging_time=(2 * n + 1) * dt)
    t = dt * np.arange(200)
    rows = np.ones((200, 1))
    p = np.column_stack([5e6 + 1e5 * RNG.normal(size=200), np.full(200, 2e6)])
    result = run(estimator, (t, 0.9 * rows, 0.05 * rows, 0.0 * rows, p))
    low, share = result.raw_mass[0, 0], 1.0 - np.exp(-dt / time_constant)
    passed = []
    for k, raw in enumerate(result.raw_mass[:, 0]):
        low += max(share, 1.0 / (k + 1)) * (raw - low)
        passed.append(low)
    weights = np.array([*range(1, n + 1), n + 1, *range(n, 0, -1)])
    expected = np.convolve(passed, weights / weights.sum(), 'valid')
    assert result.updating.all()
    np.testing.assert_allclose(result.mass[2 * n:, 0], expected, rtol=1e-12)


def test_deviation_of_the_low_pass_is_that_of_correlated_instants():
    """Against the weights of the filter and the covariance of all instants, written down."""
    k, dt, tau, time_constant = 300, 0.001, 0.03, 0.05
    estimator = estimator_of(time_constant=time_constant, averaging_time=0.0, settling_time=0.0,
                             correlation_time=tau, friction_uncertainty=0.0,
                             model_uncertainty=0.0)
    rows = np.ones((k, 1))
    p = np.tile(pressures(crane(), [0.9], [0.05], [0.0]), (k, 1))
    result = run(estimator, (dt * np.arange(k), 0.9 * rows, 0.05 * rows, 0.0 * rows, p),
                 covariances(k))
    weights, share = np.zeros(k), 1.0 - np.exp(-dt / time_constant)
    for i in range(k):
        now = max(share, 1.0 / (i + 1))
        weights *= 1.0 - now
        weights[i] = now
    lags = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    expected = result.deviation[0, 0] * np.sqrt(weights @ np.exp(-lags * dt / tau) @ weights)
    assert result.deviation[-1, 0] == pytest.approx(expected, rel=1e-3)


def test_window_is_least_squares_with_the_friction_as_an_unknown():
    """Against numpy's least squares over the same instants, friction tied to 1 by a last row."""
    sigma = 0.1
    estimator = estimator_of(method='window_least_squares', window=1.0, settling_time=0.0,
                             friction_uncertainty=sigma, least_change=1e6, time_constant=0.1,
                             correlation_time=0.5, model_uncertainty=0.0)
    t, z, zd, zdd, p = (array[:1500] for array in moving(50.0, 1.3))
    P = covariances(len(t), zdd=0.0)      # of which the noise would depend on the mass
    result = run(estimator, (t, z, zd, zdd, p), P)
    counted = np.flatnonzero(result.updating)[-1000:]
    circuit, rows, right = crane().circuit, [], []
    light, heavy = crane(1.0), crane(2.0)
    single = estimator_of(averaging_time=0.0, settling_time=0.0, friction_uncertainty=0.0,
                          model_uncertainty=0.0)
    for k in counted[::10]:      # every tenth, ten times
        needed = [m.inverse_dynamics(z[k], zd[k], zdd[k])[0] for m in (light, heavy)]
        slope, rubbing = needed[1] - needed[0], circuit.friction(p[k], zd[k])[0]
        pressing = circuit.force(p[k], zd[k])[0] + rubbing
        single.reset()
        noise = slope * single.update(START, z[k], zd[k], zdd[k], p[k], P[k]).deviation[0]
        weight = np.sqrt(10.0 * 0.5 * 0.001 / 0.5) / noise
        rows.append(weight * np.array([slope, rubbing]))
        right.append(weight * (pressing - needed[0] + slope))
    rows.append([0.0, 1.0 / sigma])
    right.append(1.0 / sigma)
    solution = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]
    assert result.mass[-1, 0] == pytest.approx(solution[0], abs=0.02)
    variance = np.linalg.inv(np.array(rows).T @ np.array(rows))[0, 0]
    assert result.deviation[-1, 0] == pytest.approx(np.sqrt(variance), rel=0.02)


def test_window_finds_the_mass_whatever_the_friction():
    """Up and down, 20 % of friction too much push the mass to one side, then to the other."""
    motion = moving(50.0, 1.2)
    P = covariances(len(motion[0]))
    followed = run(estimator_of(method='low_pass'), motion, P)
    fitted = run(estimator_of(method='window_least_squares', friction_uncertainty=0.2), motion, P)
    late = slice(5000, None)
    assert np.abs(followed.mass[late] - 50.0).max() > 1.5
    assert np.abs(fitted.mass[late] - 50.0).max() < 0.3


@pytest.mark.parametrize('method', METHODS)
def test_nothing_counts_below_the_transition_velocity(method):
    motion = moving(50.0)
    result = run(estimator_of(method=method), motion, covariances(len(motion[0])))
    deviation = 1e-3         # of the velocity, see covariances
    slow = np.abs(motion[2][:, 0]) <= crane().circuit.transition_velocity[0] + 2.0 * deviation
    assert slow.sum() > 100
    assert not result.updating[slow].any()
    first = np.argmax(result.updating)
    held = np.flatnonzero(slow[first:]) + first
    assert (result.mass[held] == result.mass[held - 1]).all()
    assert all('stands still' in result.reason[k] for k in held)
    # and what comes right after is let settle
    starts = np.flatnonzero(slow[:-1] & ~slow[1:]) + 1
    assert all(not result.updating[k:k + 99].any() for k in starts)
    assert not any(result.event)


@pytest.mark.parametrize('method', METHODS)
@pytest.mark.parametrize('load', [0.0, 50.0, 200.0])
def test_exact_states_give_the_exact_mass(method, load):
    motion = moving(load)
    result = run(estimator_of(method=method), motion, covariances(len(motion[0])))
    assert result.updating.sum() > 5000
    assert np.nanmax(np.abs(result.mass - load)) < 0.05      # pressures are interpolated


def with_noise(motion, seed, deviation=4.0, tau=0.03):
    """Return (motion, covariances): its first pressure with errors alike over a time tau.

    deviation [kg]: about the deviation of the mass of an instant.
    """
    t, z, zd, zdd, p = motion
    alike = np.exp(-0.001 / tau)
    white = np.random.default_rng(seed).normal(size=len(t))
    errors = lfilter([np.sqrt(1.0 - alike ** 2)], [1.0, -alike], white)
    per_kilogram = 4.0 * 9.81 / crane().circuit.area[0]      # [Pa/kg]
    P = np.zeros((len(t), 6, 6))
    P[:, 3, 3] = (deviation * per_kilogram) ** 2
    off = p.copy()
    off[:, 0] += deviation * per_kilogram * errors
    return (t, z, zd, zdd, off), P


@pytest.mark.parametrize('method', METHODS)
def test_intervals_cover_the_truth_and_nothing_is_found_that_is_not_there(method):
    """Noise of many seeds: 95 % intervals, and no event in two minutes of motion."""
    motion, inside, event_count = moving(50.0), [], 0
    for seed in range(15):
        noisy, P = with_noise(motion, seed)
        result = run(estimator_of(method=method, correlation_time=0.03, friction_uncertainty=0.0,
                                  model_uncertainty=0.0), noisy, P)
        errors = np.abs(result.mass - 50.0)[2000::500, 0]
        inside += list(errors <= 1.96 * result.deviation[2000::500, 0])
        event_count += sum(map(bool, result.event))
    assert 0.90 <= np.mean(inside) <= 1.0
    assert event_count == 0


@pytest.mark.parametrize('method', METHODS)
def test_deviations_are_those_of_machines_that_differ_from_their_file(method):
    """Friction and own masses drawn anew: errors have the size that the settings make expect."""
    friction, own, scores = 0.05, 0.01, []
    rng = np.random.default_rng(4)
    motion = [array[::10] for array in moving(50.0)]
    nominal = crane().circuit.record[0]
    for _ in range(20):
        rubbing, heavier = 1.0 + friction * rng.normal(), 1.0 + own * rng.normal()
        seals = {key: rubbing * nominal[field][0] for key, field in (
            ('coulomb', 'coulomb'), ('static', 'static'), ('viscous', 'viscous'),
            ('pressure_difference', 'difference_friction'), ('rod_pressure', 'rod_friction'))}
        other = crane().replace(
            hydraulics={'cylinders': {'lift': {'friction': seals}}},
            bodies={'arm': {'mass': 40.0 * heavier, 'inertia': 13.3 * heavier},
                    'piston': {'mass': 6.0 * heavier}})
        estimator = estimator_of(other, dt=0.01, method=method, friction_uncertainty=friction,
                                 model_uncertainty=own)
        result = run(estimator, motion, covariances(len(motion[0]), zdd=1e-3, p=1e3))
        scores.append((result.mass[-1, 0] - 50.0) / result.deviation[-1, 0])
    assert 0.65 < np.sqrt(np.mean(np.square(scores))) < 1.4


@pytest.mark.parametrize('method', METHODS)
@pytest.mark.parametrize(('before', 'after', 'event'), [
    (50.0, 100.0, 'picked up'), (50.0, 10.0, 'released'), (0.0, 50.0, 'picked up')])
def test_a_change_while_moving_is_reported_once_and_followed(method, before, after, event):
    first, second = moving(before), moving(after)
    at = 4700                # in the middle of a stroke
    p = np.where(np.arange(len(first[0]))[:, None] < at, first[4], second[4])
    noisy, P = with_noise((*first[:4], p), seed=1)
    result = run(estimator_of(method=method), noisy, P)
    events = [(k, text) for k, text in enumerate(result.event) if text]
    assert [text for _, text in events] == [event]
    assert at <= events[0][0] <= at + 1000
    assert abs(result.mass[at + 1000, 0] - after) < 4.0
    assert abs(result.mass[-1, 0] - after) < 2.0


def test_a_change_at_standstill_is_reported_and_the_estimate_is_rough_until_it_moves():
    first = moving(50.0)
    t = np.arange(0.0, 12.0, 0.001)
    z, zd, zdd = (np.concatenate([array, np.full((4000, 1), still)]) for array, still in zip(
        first[1:4], (first[1][-1, 0], 0.0, 0.0), strict=True))
    still = pressures(crane(50.0), z[-1:, 0], [0.0], [0.0]), pressures(
        crane(120.0), z[-1:, 0], [0.0], [0.0])
    p = np.concatenate([first[4], np.tile(still[0], (2000, 1)), np.tile(still[1], (2000, 1))])
    result = run(estimator_of(), (t, z, zd, zdd, p), covariances(len(t)))
    events = [(k, text) for k, text in enumerate(result.event) if text]
    assert [text for _, text in events] == ['picked up']
    assert 10000 <= events[0][0] <= 11000
    assert abs(result.mass[-1, 0] - 120.0) < 1.96 * result.deviation[-1, 0] < 40.0
    assert not result.updating[8100:].any()


def test_a_spike_is_held():
    motion = moving(50.0)
    p = motion[4].copy()
    p[4700:4710, 0] += 5e6
    result = run(estimator_of(), (*motion[:4], p), covariances(len(p)))
    assert not result.updating[4700:4710].any()
    assert 'far off' in result.reason[4705]
    assert result.updating[4711]
    assert not any(result.event)
    assert np.abs(result.mass[4700:] - 50.0).max() < 0.1


@pytest.mark.parametrize('method', METHODS)
def test_one_by_one_is_the_same_as_all_at_once_and_reset_forgets(method):
    t, *state = moving(50.0)
    P, estimator = covariances(len(t)), estimator_of(method=method)
    at_once = estimator.run(stamps(t)[:400], *(array[:400] for array in state), P[:400])
    estimator.reset()
    one_by_one = [estimator.update(int(stamps(t)[k]), *(array[k] for array in state), P[k])
                  for k in range(400)]
    for name in ('mass', 'raw_mass', 'deviation', 'updating', 'reason'):
        np.testing.assert_array_equal(
            np.array([getattr(result, name) for result in one_by_one]).reshape(400, -1),
            np.asarray(getattr(at_once, name)).reshape(400, -1), err_msg=name)


@pytest.mark.parametrize('wrong', ['z', 'zd', 'zdd', 'p', 'covariance', 'q', 'forces', 'trusted'])
def test_rows_of_another_number_are_refused(wrong):
    t, *state = (array[:4] for array in moving(50.0))
    rows = {**dict(zip(('z', 'zd', 'zdd', 'p'), state, strict=True)),
            'covariance': covariances(4), 'q': np.tile(crane().q0, (4, 1)),
            'forces': np.zeros((4, 1)), 'trusted': np.ones(4, bool)}
    rows[wrong] = rows[wrong][:3]
    with pytest.raises(ValueError, match=f'{wrong}: shape .* must be'):
        estimator_of().run(stamps(t), **rows)


@pytest.mark.parametrize('method', METHODS)
def test_other_settings_go_on_where_the_estimator_is(method):
    """What does not act here changes nothing; another window begins anew."""
    t, *state = (array[:400] for array in moving(50.0))
    P = covariances(len(t))
    whole, estimator = (estimator_of(method=method) for _ in range(2))
    expected = whole.run(stamps(t), *state, P)
    estimator.run(stamps(t)[:300], *(array[:300] for array in state), P[:300])
    rest = stamps(t)[300:], *(array[300:] for array in state), P[300:]
    settings = PayloadSettings(method=method, alarm=30.0)
    result = estimator.with_settings(settings).run(*rest)
    for name in ('mass', 'raw_mass', 'deviation', 'updating'):
        np.testing.assert_array_equal(getattr(result, name), getattr(expected, name)[300:])
    wider = replace(settings, window=9.0, averaging_time=2.0)
    alone = PayloadEstimator(crane(), ['load'], wider).run(*rest)
    np.testing.assert_array_equal(estimator.with_settings(wider).run(*rest).mass, alone.mass)


def test_repeated_and_old_stamps_change_nothing():
    t, *state = (array[:300] for array in moving(50.0))
    estimator = estimator_of()
    estimator.run(stamps(t), *state, covariances(300))
    before = estimator.update(int(stamps(t)[-1]) + MS, *(array[-1] for array in state))
    for stamp in (int(stamps(t)[-1]) + MS, START, 0):
        result = estimator.update(stamp, *(array[0] for array in state))
        assert 'stamp' in result.reason
        assert result.mass == before.mass


_number = st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.floats(-1.0, 1.2),
                    st.floats(1e5, 2e7))


@hypothesis_settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(-10 ** 7, 10 ** 9), _number, _number, _number, _number,
                          st.floats(-1.0, 1e12)), max_size=20), st.sampled_from(METHODS))
def test_wild_streams_are_survived(rows, method):
    """Whatever comes, nothing is raised, and a mass is finite or not known; then it recovers."""
    estimator = estimator_of(method=method, settling_time=0.0, window=1.0)
    stamp = START
    for step, s, rate, acceleration, p, variance in rows:
        stamp += step
        result = estimator.update(
            stamp, np.array([s]), np.array([rate]), np.array([acceleration]),
            np.array([p, 2e6]), variance * np.eye(6))
        assert result.updating or result.reason
        assert np.isfinite(result.mass[0]) or np.isinf(result.deviation[0])
    stamp = max(stamp, START) + 10 ** 10
    p = pressures(crane(50.0), [0.9], [0.05], [0.0])[0]
    rows = np.ones((3000, 1))
    result = estimator.run(stamp + MS * np.arange(3000), 0.9 * rows, 0.05 * rows, 0.0 * rows,
                           p * rows, covariances(3000))
    assert result.updating[-1]
    assert abs(result.mass[-1, 0] - 50.0) < 1.0
