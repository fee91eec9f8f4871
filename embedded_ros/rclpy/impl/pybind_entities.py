"""Entities as rclpy's C extension makes them: handles without a Node's knowledge of them.

Custom waitables are written with these.
"""
from embedded_ros.dds.names import dds_topic_name

from rclpy.impl import middleware
from rclpy.impl.entity_handles import ClientHandle, PublisherHandle, ServiceHandle
from rclpy.impl.guard_handle import GuardConditionHandle
from rclpy.impl.subscription_handle import SubscriptionHandle
from rclpy.impl.timer_handle import TimerHandle
from rclpy.qos import QoSProfile, qos_profile_default


def _profile(qos):
    return qos_profile_default if qos is None else QoSProfile(**qos.to_dict())


class Publisher(PublisherHandle):
    def __init__(self, node, msg_type, topic, qos_profile=None):
        name = node.entity_name(topic)
        super().__init__(middleware.create_writer(
            node.context, dds_topic_name(name), msg_type, _profile(qos_profile)), name,
            node.logger_name())
        node.add_endpoints(self)


class Subscription(SubscriptionHandle):
    def __init__(self, node, msg_type, topic, qos_profile=None):
        name = node.entity_name(topic)
        super().__init__(middleware.create_reader(
            node.context, dds_topic_name(name), msg_type, _profile(qos_profile)), name,
            node.logger_name())
        node.add_endpoints(self)


class Client(ClientHandle):
    def __init__(self, node, srv_type, service_name, qos_profile=None):
        name = node.entity_name(service_name, is_service=True)
        super().__init__(middleware.create_client(
            node.context, name, srv_type, _profile(qos_profile)), node)
        node.add_endpoints(self)


class Service(ServiceHandle):
    def __init__(self, node, srv_type, service_name, qos_profile=None):
        name = node.entity_name(service_name, is_service=True)
        super().__init__(middleware.create_service(
            node.context, name, srv_type, _profile(qos_profile)), node)
        node.add_endpoints(self)


class GuardCondition(GuardConditionHandle):
    def __init__(self, context):
        super().__init__(context.context)


class Timer(TimerHandle):
    def __init__(self, clock, context, period_nsec, autostart=True):
        from rclpy.timer import Timer as RclpyTimer
        self._kept = RclpyTimer(
            None, None, period_nsec, clock.clock, context=context.context, autostart=autostart)
        super().__init__(self._kept)
