"""What contexts, futures and jumps of time refuse, and where errors of callbacks go."""
import pytest
from rclpy.clock import ClockChange, TimeJump
from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.task import Future


def test_a_context_has_no_domain_before_it_is_initialised():
    with pytest.raises(RuntimeError, match='initialized'):
        Context().get_domain_id()
    with Context() as context:
        assert context.handle.get_domain_id() == context.get_domain_id()
        assert context.handle.ok()


def test_only_what_can_be_called_is_called_at_shutdown():
    with pytest.raises(TypeError, match='callable'):
        Context().on_shutdown('text')


def fail(future):
    raise ValueError('in the callback')


def test_errors_of_callbacks_of_a_future():
    """A callback that is added too late raises its error; other errors are only warnings."""
    future = Future()
    future.add_done_callback(fail)
    with pytest.warns(UserWarning, match='in the callback'):
        future.set_result(1)
    with pytest.raises(ValueError, match='in the callback'):
        future.add_done_callback(fail)


def test_a_jump_of_time_knows_how_the_clock_changed():
    jump = TimeJump(ClockChange.ROS_TIME_ACTIVATED, Duration(seconds=2))
    assert jump.clock_change == ClockChange.ROS_TIME_ACTIVATED
    with pytest.raises(TypeError, match='ClockChange'):
        TimeJump('activated', Duration())
