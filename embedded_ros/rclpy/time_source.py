"""Time sources: switch a node's clocks to /clock when use_sim_time is set."""
from rclpy.clock import ROSClock
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile, QoSReliabilityPolicy
from rclpy.time import Time

CLOCK_TOPIC = '/clock'
USE_SIM_TIME_NAME = 'use_sim_time'


class TimeSource:
    """Feeds the messages of /clock to the ROS clocks attached to it."""

    def __init__(self, *, node=None):
        self._node, self._clock_sub = None, None
        self._clocks, self._active = [], False
        self._last_time = Time(clock_type=ROSClock().clock_type)
        if node is not None:
            self.attach_node(node)

    @property
    def ros_time_is_active(self):
        return self._active

    @ros_time_is_active.setter
    def ros_time_is_active(self, enabled):
        if self._active == enabled:
            return
        self._active = enabled
        for clock in self._clocks:
            clock._set_ros_time_is_active(enabled)
        if enabled:
            self._subscribe()
        elif self._clock_sub is not None:
            self._node.destroy_subscription(self._clock_sub)
            self._clock_sub = None

    def attach_node(self, node):
        """Follow the parameter use_sim_time of this node, and listen to /clock with it."""
        if self._node is not None:
            self.detach_node()
        self._node = node
        if not node.has_parameter(USE_SIM_TIME_NAME):
            node.declare_parameter(USE_SIM_TIME_NAME, False)
        value = node.get_parameter(USE_SIM_TIME_NAME)
        if value.type_ == Parameter.Type.BOOL:
            self.ros_time_is_active = value.value
        elif value.type_ != Parameter.Type.NOT_SET:
            node.get_logger().error(
                f"Invalid type for parameter '{USE_SIM_TIME_NAME}' {value.type_!r} "
                'should be bool')
        node.add_on_set_parameters_callback(self._on_parameters)

    def _get_node(self):
        return self._node

    def detach_node(self):
        """Forget the node; the clocks go back to system time."""
        self.ros_time_is_active = False
        if self._node is not None:
            self._node.remove_on_set_parameters_callback(self._on_parameters)
            self._node = None

    def attach_clock(self, clock):
        """Let this ROS clock follow."""
        if not isinstance(clock, ROSClock):
            raise ValueError('Only clocks with type ROS_TIME can be attached.')
        clock.set_ros_time_override(self._last_time)
        clock._set_ros_time_is_active(self._active)
        self._clocks.append(clock)

    def _subscribe(self):
        if self._clock_sub is None and self._node is not None:
            from rosgraph_msgs.msg import Clock
            self._clock_sub = self._node.create_subscription(
                Clock, CLOCK_TOPIC, self._on_clock,
                QoSProfile(depth=1, reliability=QoSReliabilityPolicy.BEST_EFFORT))

    def _on_clock(self, message):
        self._last_time = Time.from_msg(message.clock)
        for clock in self._clocks:
            clock.set_ros_time_override(self._last_time)

    def _on_parameters(self, parameters):
        from rcl_interfaces.msg import SetParametersResult
        for parameter in parameters:
            if parameter.name != USE_SIM_TIME_NAME:
                continue
            if parameter.type_ != Parameter.Type.BOOL:
                return SetParametersResult(successful=False, reason=(
                    f'{USE_SIM_TIME_NAME} parameter set to something besides a bool'))
            self.ros_time_is_active = parameter.value
        return SetParametersResult(successful=True)
