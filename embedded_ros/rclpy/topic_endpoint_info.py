"""What the graph knows of one publisher or subscription of a topic."""
from enum import IntEnum

from rclpy.qos import QoSProfile, qos_profile_unknown
from rclpy.type_hash import TypeHash


class TopicEndpointTypeEnum(IntEnum):
    """Publisher or subscription."""

    INVALID = 0
    PUBLISHER = 1
    SUBSCRIPTION = 2


class TopicEndpointInfo:
    """Node, type, kind, gid and QoS of an endpoint."""

    __slots__ = ['_node_name', '_node_namespace', '_topic_type', '_topic_type_hash',
                 '_endpoint_type', '_endpoint_gid', '_qos_profile']

    def __init__(self, **kwargs):
        unknown = [name for name in kwargs if '_' + name not in self.__slots__]
        if unknown:
            raise AssertionError(f'Invalid arguments passed to constructor: {", ".join(unknown)}')
        self.node_name = kwargs.get('node_name', '')
        self.node_namespace = kwargs.get('node_namespace', '')
        self.topic_type = kwargs.get('topic_type', '')
        self.topic_type_hash = kwargs.get('topic_type_hash', TypeHash())
        self.endpoint_type = kwargs.get('endpoint_type', TopicEndpointTypeEnum.INVALID)
        self.endpoint_gid = kwargs.get('endpoint_gid', [])
        self.qos_profile = kwargs.get('qos_profile', qos_profile_unknown)

    @property
    def node_name(self):
        return self._node_name

    @node_name.setter
    def node_name(self, value):
        self._node_name = _checked(value, str)

    @property
    def node_namespace(self):
        return self._node_namespace

    @node_namespace.setter
    def node_namespace(self, value):
        self._node_namespace = _checked(value, str)

    @property
    def topic_type(self):
        return self._topic_type

    @topic_type.setter
    def topic_type(self, value):
        self._topic_type = _checked(value, str)

    @property
    def topic_type_hash(self):
        return self._topic_type_hash

    @topic_type_hash.setter
    def topic_type_hash(self, value):
        self._topic_type_hash = _checked(value, TypeHash)

    @property
    def endpoint_type(self):
        return self._endpoint_type

    @endpoint_type.setter
    def endpoint_type(self, value):
        self._endpoint_type = TopicEndpointTypeEnum(_checked(value, int))

    @property
    def endpoint_gid(self):
        """The 16 bytes of the endpoint's identity, as a list of ints."""
        return self._endpoint_gid

    @endpoint_gid.setter
    def endpoint_gid(self, value):
        self._endpoint_gid = list(_checked(value, (list, tuple, bytes)))

    @property
    def qos_profile(self):
        return self._qos_profile

    @qos_profile.setter
    def qos_profile(self, value):
        self._qos_profile = _checked(value, QoSProfile)

    def __eq__(self, other):
        if not isinstance(other, TopicEndpointInfo):
            return False
        return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__)

    def __str__(self):
        gid = '.'.join(format(byte, '02x') for byte in self.endpoint_gid)
        history = self.qos_profile.history.name
        if history == 'KEEP_LAST':
            history += f' ({self.qos_profile.depth})'
        return '\n'.join([
            f'Node name: {self.node_name}',
            f'Node namespace: {self.node_namespace}',
            f'Topic type: {self.topic_type}',
            f'Topic type hash: {self.topic_type_hash}',
            f'Endpoint type: {self.endpoint_type.name}',
            f'GID: {gid}',
            'QoS profile:',
            f'  Reliability: {self.qos_profile.reliability.name}',
            f'  History (Depth): {history}',
            f'  Durability: {self.qos_profile.durability.name}',
            f'  Lifespan: {self.qos_profile.lifespan}',
            f'  Deadline: {self.qos_profile.deadline}',
            f'  Liveliness: {self.qos_profile.liveliness.name}',
            f'  Liveliness lease duration: {self.qos_profile.liveliness_lease_duration}'])


def _checked(value, expected):
    if not isinstance(value, expected):
        raise AssertionError(f'{value!r} is no {expected}')
    return value
