"""Estimates that cannot be right say so, and no filter is far off in silence."""

from pathlib import Path

import numpy as np
import pytest

from mb_estimators import DivergenceError, Estimate, Experiment, Innovation, three_simulation
from mb_estimators.lost import LostWatch
from mb_estimators.plugins import available_filters
from mb_model import load_mechanism
from mb_sensors import sensors_of

MECHANISMS = Path(__file__).parent / 'mechanisms'
PERIOD = 5_000_000      # ns
SENSORS = sensors_of(load_mechanism('five_bar'), [
    'left_crank_encoder', 'right_crank_encoder', 'left_crank_accelerometers'])
NONE = np.array([], int)


def feed(watch, seconds, sizes, begin=0, rejected=()):
    """Feed four channels whose residuals have sizes in deviations; return the last stamp."""
    there = np.setdiff1d(np.arange(len(sizes)), rejected)
    for k in range(round(seconds / 0.005)):
        watch.saw(begin + k * PERIOD, Innovation(
            there, 0.1 * np.array(sizes)[there], 0.01 * np.eye(len(there)), 0.0,
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
    last = feed(watch, 1.0, sizes, rejected=rejected)
    assert bool(watch.by_readings) == lost
    memory = watch.remember()
    feed(watch, 0.5, [0.0] * 4, last + PERIOD)
    assert bool(watch.by_readings) == lost          # for a while
    feed(watch, 4.0, [0.0] * 4, last + 101 * PERIOD)
    assert not watch.by_readings                    # found again
    watch.recall(memory)
    assert bool(watch.by_readings) == lost


@pytest.mark.parametrize(('used', 'lost'), [(True, True), (False, False)])
def test_of_two_sensors_one_that_was_left_out_is_to_blame(used, lost):
    watch = LostWatch(load_mechanism('five_bar'), SENSORS[:2])
    feed(watch, 1.0, [20.0, 1.0], rejected=() if used else (0,))
    assert bool(watch.by_readings) == lost


@pytest.mark.parametrize(('noise', 'outliers'), [(3.0, 0.0), (1.0, 0.1)])
def test_noise_three_times_as_large_as_declared_or_outliers_are_not_lost(noise, outliers):
    rng = np.random.default_rng(1)
    for _ in range(10):
        watch = LostWatch(load_mechanism('four_bar'), SENSORS[:1])
        for k in range(2000):
            spike = 100.0 if rng.random() < outliers else 0.0
            residual = np.array([noise * rng.normal() + spike])
            watch.saw(k * PERIOD, Innovation(np.arange(1), residual, np.eye(1), 0.0, NONE))
            assert not watch.by_readings


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
    told = watch.problem(estimate(z, deviations))
    assert told.startswith(lost) if lost else not told
    assert not LostWatch(None, SENSORS[:1]).problem(estimate([1.0], [1e9, 1.0]))


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


@pytest.mark.parametrize('sensor', ['crank_encoder', 'crank_gyro', 'coupler_gyro'])
def test_a_right_model_is_never_lost(sensor):
    for seed in range(3):
        result = three_simulation('four_bar', 'error_ekf', [sensor], {}, 5.0, 0.005, seed)
        assert not any(result.lost)
        assert not result.undetermined
