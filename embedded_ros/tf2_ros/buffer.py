"""A buffer of frames that can be waited for."""
import threading
import time as wall

from rclpy.duration import Duration
from rclpy.task import Future
from tf2_py import BufferCore

POLL_PERIOD = 0.02      # [s]


class Buffer(BufferCore):
    """Answers for any two frames, at once, after waiting, or by a future."""

    def __init__(self, cache_time=None, node=None):
        super().__init__(cache_time)
        self._waiting = []          # (what is waited for, future)
        self._waiting_lock = threading.Lock()
        self.clock = node.get_clock() if node else None

    def lookup_transform(self, target_frame, source_frame, time, timeout=Duration()):  # noqa: B008
        """TransformStamped that takes points of `source_frame` to `target_frame`.

        Waits for it at most `timeout`.  Raises a TransformException.
        """
        self.can_transform(target_frame, source_frame, time, timeout)
        return self.lookup_transform_core(target_frame, source_frame, time)

    def lookup_transform_full(self, target_frame, target_time, source_frame, source_time,
                              fixed_frame, timeout=Duration()):  # noqa: B008
        """As lookup_transform between different times, over a frame that stays where it is."""
        arguments = target_frame, target_time, source_frame, source_time, fixed_frame
        self.can_transform_full(*arguments, timeout)
        return self.lookup_transform_full_core(*arguments)

    def can_transform(self, target_frame, source_frame, time, timeout=Duration(),  # noqa: B008
                      return_debug_tuple=False):
        """Whether it is known, or comes to be within `timeout`."""
        found = self._wait(
            lambda: self.can_transform_core(target_frame, source_frame, time), timeout)
        return found if return_debug_tuple else found[0]

    def can_transform_full(self, target_frame, target_time, source_frame, source_time, fixed_frame,
                           timeout=Duration(), return_debug_tuple=False):  # noqa: B008
        """As can_transform between different times."""
        found = self._wait(lambda: self.can_transform_full_core(
            target_frame, target_time, source_frame, source_time, fixed_frame), timeout)
        return found if return_debug_tuple else found[0]

    @staticmethod
    def _wait(look, timeout):
        end = wall.monotonic() + timeout.nanoseconds * 1e-9
        found = look()
        while not found[0] and wall.monotonic() < end:
            wall.sleep(POLL_PERIOD)
            found = look()
        return found

    def wait_for_transform_async(self, target_frame, source_frame, time):
        """A future that is done when it is known."""
        future = Future()
        wanted = target_frame, source_frame, time
        with self._waiting_lock:
            if self.can_transform_core(*wanted)[0]:
                future.set_result(True)
            else:
                self._waiting.append((wanted, future))
        return future

    async def lookup_transform_async(self, target_frame, source_frame, time):
        """The transform, as soon as it is known."""
        await self.wait_for_transform_async(target_frame, source_frame, time)
        return self.lookup_transform_core(target_frame, source_frame, time)

    def transform(self, object_stamped, target_frame, timeout=None, new_type=None):
        """Not there."""
        raise NotImplementedError(
            'tf2_ros.Buffer.transform (tf2_geometry_msgs) is not part of embedded_ros')

    def set_transform(self, transform, authority):
        """Take a moving frame's transform, and serve waiting requests."""
        super().set_transform(transform, authority)
        self._serve_waiting()

    def set_transform_static(self, transform, authority):
        """Take a fixed frame's transform, and serve waiting requests."""
        super().set_transform_static(transform, authority)
        self._serve_waiting()

    def _serve_waiting(self):
        with self._waiting_lock:
            ready = [item for item in self._waiting
                     if item[1].cancelled() or self.can_transform_core(*item[0])[0]]
            for item in ready:
                self._waiting.remove(item)
        for _, future in ready:
            if not future.cancelled():
                future.set_result(True)
