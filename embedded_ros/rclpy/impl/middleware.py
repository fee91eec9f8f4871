"""DDS endpoints for message and service classes, with QoS and type hash as ROS 2 has them."""
from embedded_ros.dds.message_type import message_type
from embedded_ros.dds.participant import Reader, Writer
from embedded_ros.dds.service import ServiceClient, ServiceServer
from embedded_ros.interfaces import interface_name, type_hash

from rclpy.impl.best_available import settle
from rclpy.qos import QoSProfile
from rclpy.type_support import check_is_valid_msg_type, check_is_valid_srv_type


def _hash(cls):
    return f'typehash={type_hash(interface_name(cls))};'


def create_writer(context, dds_name, msg_type, profile):
    """A DDS writer for messages of a class."""
    check_is_valid_msg_type(msg_type)
    profile = settle(profile, list, offering=True)
    return Writer(
        context.participant, dds_name, message_type(msg_type), profile, _hash(msg_type).encode())


def create_reader(context, dds_name, msg_type, profile):
    """A DDS reader for messages of a class."""
    check_is_valid_msg_type(msg_type)
    profile = settle(profile, lambda: [
        writer.qos for writer in context.graph.writers() if writer.topic == dds_name])
    return Reader(
        context.participant, dds_name, message_type(msg_type), profile, _hash(msg_type).encode())


def _service(kind, context, name, srv_type, profile):
    check_is_valid_srv_type(srv_type)
    request, response = srv_type.Request, srv_type.Response
    return kind(
        context.participant, name, message_type(request), message_type(response), profile,
        (_hash(request), _hash(response)))


def create_client(context, name, srv_type, profile):
    """The DDS endpoints of a client."""
    return _service(ServiceClient, context, name, srv_type, profile)


def create_service(context, name, srv_type, profile):
    """The DDS endpoints of a server."""
    return _service(ServiceServer, context, name, srv_type, profile)


def profile_of(qos_profile):
    """A QoSProfile from itself or a depth."""
    if isinstance(qos_profile, QoSProfile):
        return qos_profile
    if isinstance(qos_profile, int):
        if qos_profile < 0:
            raise ValueError('history depth must be greater than or equal to zero')
        return QoSProfile(depth=qos_profile)
    raise TypeError(f'Expected QoSProfile or int, but received {type(qos_profile)!r}')


def gids(endpoint):
    """The gids of the readers and of the writers of an entity's DDS object."""
    if isinstance(endpoint, (ServiceServer, ServiceClient)):
        return [endpoint.reader.gid], [endpoint.writer.gid]
    return ([endpoint.gid], []) if isinstance(endpoint, Reader) else ([], [endpoint.gid])
