"""Act after a time of the ROS clock."""
import asyncio

from launch.actions import TimerAction
from launch.events import TimerEvent
from launch.frontend import expose_action
from launch.utilities.type_utils import perform_typed_substitution

POLL = 0.01         # [s] between looks at the clock


@expose_action('ros_timer')
class ROSTimer(TimerAction):
    """A TimerAction on the ROS clock, which is simulated time after SetUseSimTime(True)."""

    async def _wait(self, context):
        from ..ros_adapters import get_ros_node
        clock = get_ros_node(context).get_clock()
        period = perform_typed_substitution(context, self.period, float)
        end = clock.now().nanoseconds + int(period * 1e9)
        while clock.now().nanoseconds < end:
            await asyncio.wait([self._cancel_wait], timeout=POLL)
            if self._cancel_wait.done():
                return
        await context.emit_event(TimerEvent(timer_action=self))
        self._set_done()


RosTimer = ROSTimer
