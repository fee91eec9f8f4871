"""Services, the server side."""
from types import GenericAlias

from embedded_ros.interfaces import deserialize, serialize


class Service:
    """Answers requests; made by Node.create_service."""

    __class_getitem__ = classmethod(GenericAlias)  # Service[...] in annotations

    def __init__(self, service_impl, srv_type, srv_name, callback, callback_group, qos_profile):
        self._handle = service_impl
        self.srv_type = srv_type
        self.srv_name = srv_name
        self.callback = callback
        self.callback_group = callback_group
        self.qos_profile = qos_profile
        self._executor_event = False  # taken by an executor that has not run it yet
        self._events = None  # ServiceEvents, where calls are published

    @property
    def handle(self):
        return self._handle

    @property
    def service_name(self):
        """The full, remapped name of the service."""
        return self._handle.middleware.name

    def take(self):
        """(request, header for send_response) of the oldest request not taken yet, or None."""
        taken = self._handle.middleware.take_request() if self._handle.valid else None
        if taken is None:
            return None
        data, _info, header = taken
        request = deserialize(data, self.srv_type.Request)
        if self._events is not None:
            self._events.request_received(*header[:2], request)
        return request, header

    def send_response(self, response, header):
        """Send the response to the request that came with `header`."""
        if not isinstance(response, self.srv_type.Response):
            raise TypeError(f'Expected {self.srv_type.Response}, got {type(response)}')
        server = self._handle.middleware
        server.send_reply(header, serialize(response))
        if self._events is not None:
            self._events.response_sent(*header[:2], response)

    def configure_introspection(self, clock, service_event_qos_profile, introspection_state):
        """Publish the calls from now on, on <service name>/_service_event, or do not."""
        from rclpy.impl.service_events import configured
        self._events = configured(self._events, self._handle, self.srv_type, clock,
                                  service_event_qos_profile, introspection_state)

    def destroy(self):
        """Close the service; use Node.destroy_service."""
        self._handle.destroy_when_not_in_use()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.destroy()
