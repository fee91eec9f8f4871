"""A buffer of frames that can be waited for."""
import time as wall

from rclpy.duration import Duration
from tf2_py import BufferCore

POLL_PERIOD = 0.02      # [s]


class Buffer(BufferCore):
    """Answers for any two frames, at once or after waiting."""

    def __init__(self, cache_time=None, node=None):
        super().__init__(cache_time)
        self.clock = node.get_clock() if node else None

    def lookup_transform(self, target_frame, source_frame, time, timeout=Duration()):  # noqa: B008
        """TransformStamped that takes points of `source_frame` to `target_frame`.

        Waits for it at most `timeout`.  Raises a TransformException.
        """
        self.can_transform(target_frame, source_frame, time, timeout)
        return self.lookup_transform_core(target_frame, source_frame, time)

    def can_transform(self, target_frame, source_frame, time, timeout=Duration(),  # noqa: B008
                      return_debug_tuple=False):
        """Whether it is known, or comes to be within `timeout`."""
        found = self._wait(
            lambda: self.can_transform_core(target_frame, source_frame, time), timeout)
        return found if return_debug_tuple else found[0]

    @staticmethod
    def _wait(look, timeout):
        end = wall.monotonic() + timeout.nanoseconds * 1e-9
        found = look()
        while not found[0] and wall.monotonic() < end:
            wall.sleep(POLL_PERIOD)
            found = look()
        return found
