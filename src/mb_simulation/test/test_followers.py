"""Waiting for nodes that follow: while they report, and at most for a while once they do not."""

import pytest

from mb_ros import running_time
from mb_simulation.nodes import followers
from mb_simulation.nodes.followers import Followers

START, MOST_AHEAD, STEP = 1_000_000_000, 0.015, 1_000_000       # [ns], [s], [ns]
LATE = 10 * START       # what wall time wants, far ahead of the followers [ns]


@pytest.fixture
def wall(monkeypatch):
    """Return wall time in a list, to be set [s]; the process works all the time."""
    now = [100.0]
    for clock in ('monotonic', 'process_time'):
        monkeypatch.setattr(running_time.time, clock, lambda: now[0])
    return now


@pytest.fixture
def warnings():
    """Return the sentences that Followers warn with."""
    return []


@pytest.fixture
def followed(warnings):
    """Return Followers that publish judgements."""
    return Followers(START, MOST_AHEAD, 'judgements', warnings.append)


def test_time_is_never_further_ahead_while_there_is_news(wall, followed):
    for k in range(50):
        wall[0] += 4.0      # a slow machine, within the patience
        assert followed.allowed(LATE) == START + k * STEP + 15 * STEP
        assert followed.allowed(START + k * STEP) == START + k * STEP
        followed.reach(START + (k + 1) * STEP)
    assert followed.wrong == ''


def test_no_follower_is_absent_while_time_is_slow_by_itself(wall, followed):
    """A run a hundred times slower than the clock has no news for long, and nothing waits."""
    for _ in range(10):
        wall[0] += 60.0
        assert followed.allowed(START + 10 * STEP) == START + 10 * STEP
    assert followed.wrong == ''


def test_time_passes_freely_from_the_first_time_out_to_the_next_news(wall, followed, warnings):
    followed.reach(START + 100 * STEP)
    followed.allowed(LATE)
    wall[0] += followers.PATIENCE + 0.1
    for k in range(800):        # at once, all of them
        assert followed.allowed(LATE + k * STEP) == LATE + k * STEP
    expected = 'does not wait any more: no judgements since 0.100 s: another run with this seed may'
    assert followed.wrong.startswith(expected)
    assert len(warnings) == 1
    followed.reach(START + 100 * STEP)      # the same again, or an older one, is no news
    followed.reach(0)
    assert followed.allowed(LATE) == LATE
    followed.reach(START + 101 * STEP)
    assert followed.allowed(LATE) == START + 116 * STEP
    assert followed.wrong == ('time went on 1 times without judgements: another run with this '
                              'seed may differ')


def test_old_news_do_not_hold_up_time(wall, followed):
    """As of a contact that is published by hand, again and again."""
    for _ in range(8):
        followed.allowed(LATE)
        followed.reach(0)
        wall[0] += 1.0
    assert followed.allowed(LATE) == LATE


def test_nodes_that_never_report_in_time_hold_up_a_run_by_ten_seconds(wall, followed, warnings):
    """Each judgement is known 20 ms after its state, 5 ms later than time waits."""
    published, began = START, wall[0]
    while published < START + 2000 * STEP:
        if followed.allowed(LATE) > published:
            published += STEP
            followed.reach(published - 20 * STEP)
        else:
            wall[0] += 0.01
    assert 9.0 < wall[0] - began < 10.5
    assert len(warnings) == 6
    assert 'does not wait any more: 6 times no judgements for long' in followed.wrong


@pytest.mark.parametrize('standstill', [8.0, 3600.0])
def test_a_standstill_of_the_prototype_costs_no_patience(wall, followed, monkeypatch, standstill):
    followed.allowed(LATE)
    wall[0] += 1.0
    followed.allowed(LATE)
    worked = wall[0]
    monkeypatch.setattr(running_time.time, 'process_time', lambda: worked)
    wall[0] += standstill
    assert followed.allowed(LATE) == START + 15 * STEP
    followed.reach(START + STEP)
    assert followed.wrong == ''
