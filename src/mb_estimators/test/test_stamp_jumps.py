"""Stamps that leap ahead: lies are found out by the next reading, gaps are confirmed by it."""

import numpy as np
import pytest
from streamed import stream_of

from mb_model import load_mechanism
from mb_ros.stamp_jump_guard import JUMP

START, STEP = 1_000_000_000, 5_000_000
MECHANISM = load_mechanism('four_bar')


def new_stream(problems=None):
    return stream_of(MECHANISM, ['crank_encoder'], problems=problems)


def estimates(stream, stamps):
    """Return (stamp, z) of all Steps for readings with these stamps [ns]."""
    return [(step.stamp, step.estimate.z[0]) for stamp in stamps
            for step in stream.add('crank_encoder', stamp, (1.05,))]


@pytest.mark.parametrize('ahead', [JUMP + 1, 400, 1999])
@pytest.mark.parametrize('times', [1, 2])
def test_a_single_lie_changes_nothing(ahead, times):
    """Nor one that is sent twice; every lie is counted and reported."""
    good = [START + k * STEP for k in range(30)]
    lie = [good[9] + ahead * STEP] * times
    problems = []
    stream = new_stream(problems)
    assert estimates(stream, good[:10] + lie + good[10:]) == estimates(new_stream(), good)
    assert (stream.state.counts.used, stream.state.counts.rejected) == (30, times)
    assert len(problems) == times
    assert 'far ahead of those around it' in problems[0]


def test_lies_in_a_row_that_disagree_change_nothing():
    good = [START + k * STEP for k in range(30)]
    lies = [good[9] + k * STEP for k in (900, 200, 1500, 40)]
    stream = new_stream()
    assert estimates(stream, good[:10] + lies + good[10:]) == estimates(new_stream(), good)
    assert (stream.state.counts.used, stream.state.counts.rejected) == (30, 4)


@pytest.mark.parametrize('gap', [JUMP - 1, JUMP + 1, 300])
def test_readings_on_both_sides_of_a_gap_are_used(gap):
    stamps = [START + k * STEP for k in (*range(10), *range(10 + gap, 20 + gap))]
    stream = new_stream()
    assert [stamp for stamp, _ in estimates(stream, stamps)] == stamps
    state = stream.state
    assert (state.counts.used, state.counts.rejected, state.missing) == (20, 0, gap)


@pytest.mark.parametrize('every', [JUMP, JUMP + 1, 55])
def test_a_sensor_that_is_slower_than_its_rate_is_believed(every):
    """But for the second reading, which waits for the third, each gives its estimate at once."""
    stamps = [START + k * every * STEP for k in range(20)]
    stream, counts = new_stream(), []
    for stamp in stamps:
        counts.append(len(estimates(stream, [stamp])))
    assert stream.state.counts.used == 20
    assert counts == ([1] * 20 if every == JUMP else [1, 0, 2] + [1] * 17)


@pytest.mark.parametrize('seed', range(3))
def test_random_lies_among_gaps_cost_no_reading(seed):
    """Between two lies there are good readings, two at least, which agree."""
    random = np.random.default_rng(seed)
    good, now = [], START
    for _ in range(100):
        now += STEP * (int(random.integers(20, 100)) if random.random() < 0.05 else 1)
        good += [now, now + STEP, now + 2 * STEP]
        now += 2 * STEP
    mixed = []
    for k, stamp in enumerate(good):
        mixed.append(stamp)
        if k % 3 == 1 and random.random() < 0.3:
            mixed.append(stamp + STEP * int(random.integers(200, 1900)))
    stream = new_stream()
    estimates(stream, mixed)
    assert stream.state.counts.used == len(good)
    assert stream.state.counts.rejected == len(mixed) - len(good)
