"""Coloured noise of a model by a true motion whose noise is known."""

from free_motion import SLED
import numpy as np
import pytest

from mb_estimators import Experiment, FilterError, identify_shaping, make_filter
from mb_estimators.recording.recording import Track

DT, VARIANCE = 0.005, 2e-3


def disturbed(seed, weight, count, second=0.0):
    """The motion of a sled whose acceleration changes by an autoregressive noise each step."""
    random = np.random.default_rng(seed)
    zdd, before, noise, rows = 0.0, 0.0, 0.0, []
    for _ in range(count):
        rows.append(zdd)
        zdd += noise
        before, noise = noise, weight * noise + second * before + random.normal(
            scale=np.sqrt(VARIANCE))
    zdd = np.array(rows)[:, np.newaxis]
    zd = 2.0 + DT * np.cumsum(zdd, axis=0)
    z = 0.3 + DT * np.cumsum(zd, axis=0)
    return Track(z, zd, zdd), DT * np.arange(count)


@pytest.mark.parametrize('weight', [0.0, 0.5, 0.95])
def test_a_gauss_markov_noise_is_found_within_its_intervals(weight):
    """Of 40 runs and two intervals few miss; what is left is white."""
    held, white = 0, 0
    for seed in range(40):
        found = identify_shaping(SLED, *disturbed(seed, weight, 1500))
        held += sum(low <= true <= high for (low, high), true in (
            (found.intervals['weight'], weight), (found.intervals['variance'], VARIANCE)))
        white += found.reservation == ''
    assert held >= 70           # of 80; fewer have a chance of 0.2 %
    assert white >= 37
    if weight:
        assert found.settings['correlation_time'] == pytest.approx(-DT / np.log(found.weight))


def test_a_noise_of_the_second_order_is_reported():
    assert 'no single correlation time' in identify_shaping(
        SLED, *disturbed(1, 1.2, 1500, second=-0.6)).reservation


def test_gaps_and_known_forces():
    """A known force explains what it does; rows without truth are left out."""
    track, t = disturbed(3, 0.5, 1500)
    force = 8.0 * np.sin(5.0 * t)[:, np.newaxis]
    moved = Track(track.z, track.zd, track.zdd + force / 4.0)       # of 4 kg
    moved.z[200:300] = np.nan
    kept = np.delete(np.arange(len(t)), [500, 501, 700])
    t, force, moved = t[kept], force[kept], moved[kept]
    known = identify_shaping(SLED, moved, t, lambda k: force[k])
    assert known.weight == pytest.approx(0.5, abs=0.07)
    assert known.variance == pytest.approx(VARIANCE, rel=0.15)
    assert identify_shaping(SLED, moved, t).weight > 0.6


def test_instants_that_say_too_little_are_refused():
    track, t = disturbed(3, 0.5, 100)
    with pytest.raises(FilterError, match='evenly spaced'):
        identify_shaping(SLED, track, t ** 1.5)
    with pytest.raises(FilterError, match='evenly spaced'):
        identify_shaping(SLED, *disturbed(3, 0.5, 20))
    track.z[5:] = np.nan
    with pytest.raises(FilterError, match='known at 3 pairs'):
        identify_shaping(SLED, track, t)


def test_a_filter_takes_what_was_found():
    experiment = Experiment('four_bar', ['crank_encoder'], {'gravity': -1.0}, 2.0, DT)
    found = identify_shaping(experiment.mechanism, experiment.true_track, experiment.t)
    filter_ = make_filter('shaping_error_ekf_fe', experiment.mechanism, experiment.sensors, DT,
                          window=0, **found.settings)
    np.testing.assert_allclose(filter_.weights, found.weight)
