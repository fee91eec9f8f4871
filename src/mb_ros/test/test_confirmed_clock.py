"""The time that a node believes, under whatever comes on /clock."""

from hypothesis import given, settings, strategies as st
import pytest
from rclpy.clock import ClockChange
from rclpy.duration import Duration
from rclpy.time import Time

from mb_ros import running_time
from mb_ros.confirmed_clock import ConfirmedClock
from mb_ros.stamp_jump_guard import CONFIRMED

STEP = 5_000_000            # of /clock [ns]
START = 100_000_000_000
STRAYS = st.one_of(st.integers(0, START - 1), st.integers(START + 3_000_000_000, 2**62))


class Clock:
    """A clock of rclpy that tests move."""

    ros_time_is_active = True

    def __init__(self):
        self.time = 0

    def now(self):
        return Time(nanoseconds=self.time)

    def create_jump_callback(self, threshold, post_callback):
        assert threshold.on_clock_change
        self.callback = post_callback

    def move(self, time):
        """Take a message on /clock, as rclpy does: only changes are passed on."""
        jump, self.time = time - self.time, time
        if jump:
            self.callback(Jump(jump))


class Jump:
    clock_change = ClockChange.ROS_TIME_NO_CHANGE

    def __init__(self, delta):
        self.delta = Duration(nanoseconds=delta)


class Node:
    def __init__(self):
        self.clock, self.logged = Clock(), []

    def get_clock(self):
        return self.clock

    def get_logger(self):
        return self

    def warning(self, text, **_):
        self.logged.append(text)


@pytest.fixture
def followed():
    """(the Clock, ConfirmedClock of it, [(before, now) of returns], wall time to be set [s])."""
    node, returns, wall = Node(), [], [0.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running_time.time, 'monotonic', lambda: wall[0])
        patch.setattr(running_time.time, 'process_time', lambda: wall[0])
        yield node.clock, ConfirmedClock(node, lambda *one: returns.append(one)), returns, wall


@settings(deadline=None)
@given(strays=st.dictionaries(st.integers(1, 90), st.lists(
    STRAYS, min_size=1, max_size=CONFIRMED - 1), max_size=20))
def test_strays_are_never_believed_and_nothing_begins_anew(strays):
    """As many as nine in a row, back or ahead; right ones, two at least, lie between."""
    node, returns = Node(), []
    confirmed = ConfirmedClock(node, lambda *one: returns.append(one))
    for k in range(100):
        now = START + k * STEP
        node.clock.move(now)
        assert confirmed.now() == now
        if k % 2 == 0:
            alone = sorted(set(strays.get(k, [])))[:1] + sorted(
                one for one in strays.get(k, []) if one < START)[:CONFIRMED - 2]
            for stray in alone:
                node.clock.move(stray)
                assert confirmed.now() == now
    assert not returns
    assert bool(confirmed.denied) == any(k % 2 == 0 for k in strays)


@settings(deadline=None)
@given(back=st.integers(1, START))
def test_time_that_goes_back_for_good_is_believed_once(back):
    node, returns = Node(), []
    ConfirmedClock(node, lambda *one: returns.append(one))
    for begin in (START, START - back):
        for k in range(20):
            node.clock.move(begin + k)
    end = START + 19
    if back > 19:
        assert returns == [(end, START - back + CONFIRMED - 1)]
    assert len(returns) <= 1


@pytest.mark.parametrize('to', [START // 2, START + 5_000_000_000, START * 50])
def test_a_step_after_which_time_stays_is_believed(followed, to):
    clock, confirmed, returns, wall = followed
    clock.move(START)
    clock.move(START + STEP)
    for _ in range(9):
        wall[0] += 0.1
        clock.move(to)
        assert confirmed.now() == START + STEP
    wall[0] += 0.3
    assert confirmed.now() == to
    assert returns == ([(START + STEP, to)] if to < START else [])
    clock.move(to + STEP)
    assert confirmed.now() == to + STEP
