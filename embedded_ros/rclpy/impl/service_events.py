"""Events of a service or client, published for observers."""
from embedded_ros.dds.names import dds_topic_name
from embedded_ros.interfaces import serialize

from rclpy.impl import middleware
from rclpy.impl.entity_handles import PublisherHandle, client_gid
from rclpy.service_introspection import ServiceIntrospectionState


def configured(events, handle, srv_type, clock, qos_profile, state):
    """The ServiceEvents to use from now on, None while none is published; earlier ones end."""
    if events is not None:
        events.close()
    if state == ServiceIntrospectionState.OFF:
        return None
    return ServiceEvents(handle, srv_type, clock, qos_profile, state)


class ServiceEvents:
    """Publishes events of one client or service on <service name>/_service_event."""

    def __init__(self, handle, srv_type, clock, qos_profile, state):
        from service_msgs.msg import ServiceEventInfo
        self._info, self._event = ServiceEventInfo, srv_type.Event
        self._clock, self._contents = clock, state == ServiceIntrospectionState.CONTENTS
        name = f'{handle.name}/_service_event'
        self._publisher = PublisherHandle(middleware.create_writer(
            handle.node_handle.context, dds_topic_name(name), srv_type.Event, qos_profile), name,
            handle.get_logger_name())
        handle.node_handle.add_endpoints(self._publisher)
        handle.at_end(self.close)

    def close(self):
        self._publisher.destroy_when_not_in_use()

    def request_sent(self, client, number, request):
        self._publish(self._info.REQUEST_SENT, client, number, request=request)

    def request_received(self, client, number, request):
        self._publish(self._info.REQUEST_RECEIVED, client, number, request=request)

    def response_sent(self, client, number, response):
        self._publish(self._info.RESPONSE_SENT, client, number, response=response)

    def response_received(self, client, number, response):
        self._publish(self._info.RESPONSE_RECEIVED, client, number, response=response)

    def _publish(self, event_type, client, number, **contents):
        info = self._info(event_type=event_type, stamp=self._clock.now().to_msg(),
                          client_gid=client_gid(client), sequence_number=number)
        event = self._event(info=info)
        if self._contents:
            for name, message in contents.items():
                setattr(event, name, [message])
        self._publisher.middleware.write(serialize(event))
