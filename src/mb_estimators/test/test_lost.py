"""Estimates that cannot be right say so, and no filter is far off in silence."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binom, chi2

from mb_estimators import DivergenceError, Estimate, Experiment, Innovation, three_simulation
from mb_estimators.plugins import available_filters
from mb_estimators.state import copied, restore
from mb_estimators.watches.lost import LostWatch, enough_events, far_bound, far_share
from mb_model import load_mechanism
from mb_sensors import sensors_of

MECHANISMS = Path(__file__).parent / 'mechanisms'
PERIOD = 5_000_000      # ns
SENSORS = sensors_of(load_mechanism('five_bar'), [
    'left_crank_encoder', 'right_crank_encoder', 'left_crank_accelerometers'])
NONE = np.array([], int)


def feed(watch, state, seconds, sizes, begin=0, rejected=()):
    """Feed four channels whose residuals have sizes in deviations; return the last stamp."""
    there = np.setdiff1d(np.arange(len(sizes)), rejected)
    for k in range(round(seconds / 0.005)):
        present = np.array(sizes)[there]
        watch.saw(state, begin + k * PERIOD, Innovation(
            there, 0.1 * present, 0.01 * np.eye(len(there)), present @ present,
            np.array(rejected, int)))
    return begin + k * PERIOD


@pytest.mark.parametrize(('sizes', 'rejected', 'lost'), [
    ([1.0, 1.0, 4.9, -4.9], (), False),
    ([6.0, 1.0, 1.0, 1.0], (), False),              # a single sensor among three
    ([6.0, 1.0, 1.0, -6.0], (), True),
    ([np.nan, np.inf, 1.0, 1.0], (), True),
    ([1.0, 1.0, 1.0, 1.0], (0,), False),
    ([1.0, 1.0, 1.0, 1.0], (0, 1), True),
    ([1.0, 1.0, 1.0, 1.0], (0, 1, 2, 3), True)])
def test_estimate_is_lost_when_most_sensors_cannot_believe_it(sizes, rejected, lost):
    watch = LostWatch(load_mechanism('five_bar'), SENSORS)
    state = watch.new_state()
    last = feed(watch, state, 1.0, sizes, rejected=rejected)
    assert bool(state.by_readings) == lost
    saved = copied(state)
    feed(watch, state, 0.5, [0.0] * 4, last + PERIOD)
    assert bool(state.by_readings) == lost          # for a while
    feed(watch, state, 4.0, [0.0] * 4, last + 101 * PERIOD)
    assert not state.by_readings                    # found again
    restore(state, saved)
    assert bool(state.by_readings) == lost


@pytest.mark.parametrize('used', [True, False])
def test_of_two_sensors_that_contradict_each_other_none_is_to_blame(used):
    """Whether the readings of one were used or left out: which of the two is wrong is not known."""
    watch = LostWatch(load_mechanism('five_bar'), SENSORS[:2])
    state = watch.new_state()
    feed(watch, state, 1.0, [20.0, 1.0], rejected=() if used else (0,))
    assert state.by_readings


@pytest.mark.parametrize(('sizes', 'lost'), [
    ([4.9, -4.9], False), ([np.nan, 1.0], True), ([-np.inf, 1.0], True), ([1.0, 5.1], True)])
def test_sensors_of_one_channel_are_far_off_beyond_five_deviations(sizes, lost):
    watch = LostWatch(load_mechanism('five_bar'), SENSORS[:2])
    state = watch.new_state()
    feed(watch, state, 1.0, sizes)
    assert bool(state.by_readings) == lost


@pytest.mark.parametrize(('sensor', 'rejected'), [
    ('left_crank_encoder', (0,)), ('left_crank_accelerometers', (2,)),
    ('left_crank_accelerometers', (2, 3))])
def test_a_sensor_of_which_nothing_is_used_is_an_error_however_well_the_others_fit(
        sensor, rejected):
    watch = LostWatch(load_mechanism('five_bar'), SENSORS)
    state = watch.new_state()
    last = feed(watch, state, 0.9, [1.0] * 4, rejected=rejected)
    assert not watch.of_readings(state)             # not yet
    last = feed(watch, state, 0.2, [1.0] * 4, last + PERIOD, rejected=rejected)
    assert watch.of_readings(state) == f'{sensor}: all readings left out'
    assert not state.by_readings                    # the others are right about the estimate
    feed(watch, state, 0.01, [1.0] * 4, last + PERIOD)
    assert not watch.of_readings(state)             # some are used again


def lost_after(channels, rate, readings, draw):
    """Return whether a sensor is lost after each of its readings, which draw() makes."""
    sensor = SimpleNamespace(name='sensor', channels=range(channels), rate=rate)
    watch, lost = LostWatch(None, [sensor]), []
    state = watch.new_state()
    mixing = np.eye(channels) + 0.8 * np.tri(channels, k=-1)        # channels are correlated
    for k in range(readings):
        white = draw()
        watch.saw(state, round(k * 1e9 / rate), Innovation(
            np.arange(channels), mixing @ white, mixing @ mixing.T, white @ white, NONE))
        lost.append(bool(state.by_readings))
    return lost


@pytest.mark.parametrize('rate', [5.0, 50.0, 200.0, 1000.0])
@pytest.mark.parametrize('channels', [1, 2, 3, 24])
@pytest.mark.parametrize(('noise', 'outliers'), [(3.0, 0.0), (1.0, 0.1)])
def test_noise_three_times_as_large_as_declared_or_outliers_are_not_lost(
        noise, outliers, channels, rate):
    rng = np.random.default_rng(1)

    def draw():
        return noise * rng.normal(size=channels) + 100.0 * (rng.random() < outliers)
    assert not any(lost_after(channels, rate, 2000, draw))


@pytest.mark.parametrize('rate', [5.0, 200.0, 1000.0])
@pytest.mark.parametrize('channels', [1, 3, 6, 24])
def test_noise_five_times_as_large_as_declared_is_lost(channels, rate):
    rng = np.random.default_rng(2)
    readings = round(max(4.0 * rate, 500.0))
    lost = lost_after(channels, rate, readings, lambda: 5.0 * rng.normal(size=channels))
    assert lost[-1]


@pytest.mark.parametrize(('channels', 'in_a_row', 'rate', 'lost'), [
    (1, 5, 200.0, False), (1, 6, 200.0, True),      # 0.1^6 by chance
    (1, 25, 1000.0, False), (1, 26, 1000.0, True),  # a shock of 25 ms is over
    (2, 8, 200.0, False), (2, 9, 200.0, True), (24, 19, 200.0, False), (24, 20, 200.0, True)])
def test_readings_that_are_far_off_in_a_row_are_no_noise(channels, in_a_row, rate, lost):
    """A wrong estimate may fit its readings most of the time; the share does not show it."""
    sizes = iter(20 * [0.5] + in_a_row * [9.0] + 200 * [0.5])
    said = lost_after(channels, rate, 220 + in_a_row, lambda: np.full(channels, next(sizes)))
    assert any(said) == lost
    assert not any(said[:20])


@pytest.mark.parametrize(('channels', 'readings'), [
    (1, 6), (2, 9), (3, 13), (6, 20), (24, 20)])
@pytest.mark.parametrize('rate', [5.0, 1000.0])
def test_a_sensor_that_nothing_fits_is_lost_within_30_ms_or_so_many_readings(
        rate, channels, readings):
    readings = round(max(0.03 * rate, readings))
    assert lost_after(channels, rate, readings, lambda: np.full(channels, 9.0))[-1]


@pytest.mark.parametrize('channels', [1, 2, 3, 6])
def test_share_of_incredible_readings_is_that_of_the_chi_square_distribution(channels):
    chance = chi2.sf(25.0, 1)
    assert chance == pytest.approx(6e-7, rel=0.05)
    bound = max(chi2.isf(chance, channels), 9.0 * chi2.median(channels))
    assert far_bound(channels) == pytest.approx(bound)
    assert far_share(3.0, channels) < 0.5 + 1e-9
    rng = np.random.default_rng(3)
    squares = (4.0 * rng.normal(size=(100_000, channels))) ** 2
    assert far_share(4.0, channels) == pytest.approx(
        np.mean(squares.sum(axis=1) > bound), abs=0.01)


def estimate(z, deviations):
    return Estimate(np.array(z), None, None, None, None, None, np.diag(np.square(deviations)))


@pytest.mark.parametrize(('mechanism', 'z', 'deviations', 'lost'), [
    ('four_bar', [100.0], [6.0, 1e9], ''),          # many turns, and a velocity that is not known
    ('four_bar', [1.0], [6.4, 1.0], 'theta may be anywhere'),
    ('four_bar', [1.0], [np.nan, 1.0], 'theta may be anywhere'),
    ('four_bar', [np.nan], [1.0, 1.0], 'theta may be anywhere'),
    ('crane', [0.9], [1.0, 1.0], ''), ('crane', [0.9], [100.0, 1.0], 's may be anywhere')])
def test_estimate_is_lost_when_it_may_be_anywhere(mechanism, z, deviations, lost):
    watch = LostWatch(load_mechanism(mechanism), SENSORS[:1])
    reason = watch.problem(watch.new_state(), estimate(z, deviations))
    assert reason.startswith(lost) if lost else not reason
    assert not LostWatch(None, SENSORS[:1]).far_off(estimate([1.0], [1e9, 1.0]))


def off(result):
    """Return the share of settled positions whose 95 % interval holds the truth, and the error."""
    late, g = result.t >= 2.0, result.truth.z.shape[1]
    errors = np.abs(result.observer.z - result.truth.z)[late]
    variances = np.diagonal(result.covariance[late], axis1=1, axis2=2)[:, :g]
    return np.mean(errors <= 1.96 * np.sqrt(variances)), errors.max()


def says(result):
    """Return what a run says against its estimate."""
    late = result.t >= 2.0
    return {'lost': any(why for why, settled in zip(result.lost, late, strict=True) if settled),
            'undetermined': bool(result.undetermined),
            'inconsistent': not all(f.is_consistent for f in result.consistency().values())}


@pytest.fixture(scope='module', params=[
    ('jansen_leg', ('foot_gyro',), {'z0': 0.15}),
    ('half_car', ('distances',), {'parameters': {'front_stiffness': 1.2e4}})],
    ids=['jansen_leg', 'half_car'])
def experiment(request):
    name, sensors, errors = request.param
    return Experiment(load_mechanism(str(MECHANISMS / f'{name}.yaml')), sensors, errors, 5.0, 0.005)


@pytest.mark.parametrize('name', available_filters(load_mechanism('four_bar')))
def test_no_filter_is_far_off_in_silence(name, experiment):
    """Where intervals hold the truth in less than 80 % of the time, something is said."""
    try:
        result = experiment.run(name, 0)
    except (DivergenceError, ValueError):
        return                                      # said aloud
    coverage, _ = off(result)
    assert coverage >= 0.8 or any(says(result).values())


def test_a_filter_that_follows_another_branch_is_lost():
    """A gyroscope of the foot reads the same on two branches of the leg, but for the forces."""
    result = three_simulation(load_mechanism(str(MECHANISMS / 'jansen_leg.yaml')), 'dekf',
                              ['foot_gyro'], {'z0': 0.15}, 10.0, 0.005, seed=0)
    coverage, error = off(result)
    assert error > 1.0
    assert coverage < 0.1
    assert np.mean([bool(why) for why in result.lost]) > 0.5
    assert 'foot_gyro' in result.lost[-1]


@pytest.mark.parametrize(('name', 'seed', 'settings', 'end'), [
    ('adaptive_error_ekf_fe', 7, {'method': 'covariance_matching'}, 2.0 * np.pi),
    ('adaptive_error_ekf_fe', 7, {}, None), ('sckf', 8, {}, 0.0)])
def test_the_seeds_of_the_review_that_are_lost_say_so(name, seed, settings, end):
    """The first ends a whole turn ahead, of which a gyroscope says nothing."""
    if name != 'sckf':
        settings = settings | {'acceleration_variance': 9.162e-2}
    result = three_simulation('four_bar', name, ['coupler_gyro'],
                              {'gravity': -1.0, 'z0': np.pi / 16}, 10.0, 0.005, seed, **settings)
    error = result.observer.z[:, 0] - result.truth.z[:, 0]
    assert np.abs(error[result.t >= 2.0]).max() > 0.5
    assert end is None or error[-1] == pytest.approx(end, abs=0.05)
    said = says(result)
    assert said['lost']
    assert said['inconsistent']
    assert said['undetermined'] == (name != 'sckf')


@pytest.mark.parametrize('sensor', ['crank_encoder', 'crank_gyro', 'coupler_gyro'])
def test_a_right_model_is_never_lost(sensor):
    for seed in range(3):
        result = three_simulation('four_bar', 'error_ekf', [sensor], {}, 5.0, 0.005, seed)
        assert not any(result.lost)
        assert not result.undetermined


@pytest.mark.parametrize(('above', 'share'), [(0.21, 0.1), (0.41, 0.2), (0.9, 0.5), (1.0, 0.5)])
def test_the_last_number_of_events_that_deceives(above, share):
    counts = np.arange(1, 2000)
    deceives = binom.sf(np.floor(above * counts), counts, share) > 1e-6
    expected = counts[deceives][-1] if deceives.any() else 1
    assert enough_events(above, share, 1e-6, 2000) == expected
