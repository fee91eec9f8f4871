"""The handles of publishers, clients and services, with the methods their pybind objects have."""
from typing import NamedTuple

from embedded_ros.interfaces import deserialize, serialize

from rclpy.impl.handle import Handle


class PublisherHandle(Handle):
    """Owns a writer."""

    def __init__(self, writer, topic_name, logger_name):
        super().__init__(writer, logger_name)
        self._topic_name = topic_name

    def get_topic_name(self):
        self.middleware  # noqa: B018  raises after destruction
        return self._topic_name

    def get_subscription_count(self):
        return self.middleware.matched_count()

    def publish(self, message):
        self.middleware.write(serialize(message))

    def publish_raw(self, data):
        """Send bytes that are a message already."""
        self.middleware.write(data)


class RequestId(NamedTuple):
    """Which request of which client."""

    writer_guid: list
    sequence_number: int


class ServiceInfo(NamedTuple):
    """What is known of a request or response."""

    source_timestamp: int
    received_timestamp: int
    request_id: RequestId
    header: tuple = None  # what the middleware wants to know for a response


def client_gid(number):
    """The 16 bytes that name a client, from its number in the headers of its requests."""
    return list(number.to_bytes(16, 'little'))


def _info(info, client, number, header=None):
    from rclpy.impl.subscription_handle import message_info
    known = message_info(info)
    return ServiceInfo(known['source_timestamp'], known['received_timestamp'],
                       RequestId(client_gid(client), number), header)


class _ServiceEnd(Handle):
    """What the handles of clients and services share."""

    def __init__(self, middleware, node_handle):
        super().__init__(middleware, node_handle.logger_name())
        self.node_handle = node_handle  # of the node that it belongs to

    @property
    def name(self):
        return self.middleware.name


class ClientHandle(_ServiceEnd):
    """Owns the endpoints of a client."""

    def service_server_is_available(self):
        return self.middleware.server_is_available()

    def send_request(self, request):
        """Send a request; the sequence number that its response will bear."""
        return self.middleware.send_request(serialize(request))

    def take_response(self, response_type):
        """(ServiceInfo, response) of the oldest response not taken yet, or (None, None)."""
        taken = self.middleware.take_reply()
        if taken is None:
            return None, None
        data, info, number = taken
        return (_info(info, self.middleware.client_id, number),
                deserialize(data, response_type))


class ServiceHandle(_ServiceEnd):
    """Owns the endpoints of a server."""

    def service_take_request(self, request_type):
        """(request, ServiceInfo) of the oldest request not taken yet, or (None, None)."""
        taken = self.middleware.take_request()
        if taken is None:
            return None, None
        data, info, header = taken
        return deserialize(data, request_type), _info(info, header[0], header[1], header)

    def service_send_response(self, response, info):
        """Send the response to the request that came with this ServiceInfo."""
        self.middleware.send_reply(info.header, serialize(response))
