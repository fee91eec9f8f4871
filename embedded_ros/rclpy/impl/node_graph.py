"""What a node can ask about the graph."""
import time

from embedded_ros.dds.qos import UNKNOWN_HISTORY

from rclpy.duration import Duration
from rclpy.impl.errors import NodeNameNonExistentError
from rclpy.qos import QoSProfile
from rclpy.topic_endpoint_info import TopicEndpointInfo, TopicEndpointTypeEnum
from rclpy.type_hash import TypeHash
from rclpy.validate_full_topic_name import validate_full_topic_name

_UNKNOWN_NODE = ('_NODE_NAME_UNKNOWN_', '_NODE_NAMESPACE_UNKNOWN_')


class NodeGraph:
    """The graph queries of a Node, answered by the graph as its context sees it."""

    # Nodes

    def get_node_names(self):
        """The names of all nodes, without namespaces."""
        return [node.name for node in self.__nodes_of_graph()]

    def get_fully_qualified_node_names(self):
        """The names of all nodes with their namespaces."""
        return [f'{node.namespace.rstrip("/")}/{node.name}' for node in self.__nodes_of_graph()]

    def get_node_names_and_namespaces(self):
        """[(name, namespace)] of all nodes."""
        return [(node.name, node.namespace) for node in self.__nodes_of_graph()]

    def get_node_names_and_namespaces_with_enclaves(self):
        """[(name, namespace, enclave)] of all nodes."""
        return [(node.name, node.namespace, node.enclave) for node in self.__nodes_of_graph()]

    def __nodes_of_graph(self):
        with self.handle:
            return self.handle.graph.nodes()

    def wait_for_node(self, fully_qualified_node_name, timeout):
        """Whether a node of this name is there after at most `timeout` [s]."""
        if not fully_qualified_node_name.startswith('/'):
            fully_qualified_node_name = '/' + fully_qualified_node_name
        end = time.monotonic() + timeout
        while fully_qualified_node_name not in self.get_fully_qualified_node_names():
            if time.monotonic() >= end or not self.context.ok():
                return False
            time.sleep(0.005)
        return True

    # Topics and services of the whole graph

    def get_topic_names_and_types(self, no_demangle=False):
        """[(topic, [types])] of all topics."""
        with self.handle:
            return self.handle.graph.topics(
                self.handle.graph.writers() + self.handle.graph.readers(), no_demangle)

    def get_service_names_and_types(self):
        """[(service, [types])] of all services that have a server or client."""
        with self.handle:
            graph = self.handle.graph
            return graph.services(graph.writers() + graph.readers())

    # One node

    def get_publisher_names_and_types_by_node(self, node_name, node_namespace, no_demangle=False):
        """[(topic, [types])] that one node publishes."""
        writers = self.__endpoints_by_node('writers', node_name, node_namespace)
        return self.handle.graph.topics(writers, no_demangle)

    def get_subscriber_names_and_types_by_node(self, node_name, node_namespace,
                                               no_demangle=False):
        """[(topic, [types])] that one node subscribes to."""
        readers = self.__endpoints_by_node('readers', node_name, node_namespace)
        return self.handle.graph.topics(readers, no_demangle)

    def get_service_names_and_types_by_node(self, node_name, node_namespace):
        """[(service, [types])] that one node offers."""
        readers = self.__endpoints_by_node('readers', node_name, node_namespace)
        return self.handle.graph.services(self.handle.graph.servers_among(readers))

    def get_client_names_and_types_by_node(self, node_name, node_namespace):
        """[(service, [types])] that one node is a client of."""
        readers = self.__endpoints_by_node('readers', node_name, node_namespace)
        return self.handle.graph.services(self.handle.graph.clients_among(readers))

    def __endpoints_by_node(self, kind, name, namespace):
        with self.handle:
            node = self.handle.graph.node(name, namespace)
            if node is None:
                raise NodeNameNonExistentError(
                    f"cannot get {kind} of the node: there is no node '{name}' in namespace "
                    f"'{namespace}'")
            gids = set(getattr(node, kind))
            return [e for e in getattr(self.handle.graph, kind)() if e.gid in gids]

    # One topic or service

    def count_publishers(self, topic_name):
        """How many publishers a topic has; the name is resolved."""
        return len(self.handle.graph.publishers_of(self.__full_name(topic_name)))

    def count_subscribers(self, topic_name):
        """How many subscriptions a topic has; the name is resolved."""
        return len(self.handle.graph.subscriptions_of(self.__full_name(topic_name)))

    def count_clients(self, service_name):
        """How many clients a service has; the name is resolved."""
        name = f'rr{self.__full_name(service_name, is_service=True)}Reply'
        return sum(reader.topic == name for reader in self.handle.graph.readers())

    def count_services(self, service_name):
        """How many servers a service has; the name is resolved."""
        name = f'rq{self.__full_name(service_name, is_service=True)}Request'
        return sum(reader.topic == name for reader in self.handle.graph.readers())

    def __full_name(self, name, is_service=False):
        with self.handle:
            full = self.handle.expanded_name(name)
            validate_full_topic_name(full, is_service=is_service)
            return full

    def get_publishers_info_by_topic(self, topic_name, no_mangle=False):
        """A TopicEndpointInfo for each publisher of a topic."""
        return self.__infos(
            topic_name, no_mangle, self.handle.graph.writers, TopicEndpointTypeEnum.PUBLISHER)

    def get_subscriptions_info_by_topic(self, topic_name, no_mangle=False):
        """A TopicEndpointInfo for each subscription of a topic."""
        return self.__infos(
            topic_name, no_mangle, self.handle.graph.readers, TopicEndpointTypeEnum.SUBSCRIPTION)

    def __infos(self, topic_name, no_mangle, endpoints, kind):
        with self.handle:
            name = topic_name if no_mangle else 'rt' + self.handle.remapped_name(topic_name)
            owners = self.handle.graph.owners()
            return [_info(e, owners.get(e.gid), kind) for e in endpoints() if e.topic == name]


def _info(endpoint, owner, kind):
    from embedded_ros.dds.names import ros_type
    name, namespace = (owner.name, owner.namespace) if owner else _UNKNOWN_NODE
    return TopicEndpointInfo(
        node_name=name, node_namespace=namespace, topic_type=ros_type(endpoint.type_name),
        topic_type_hash=TypeHash.from_text(endpoint.userdata.get('typehash', '')),
        endpoint_type=kind, endpoint_gid=list(endpoint.gid), qos_profile=_profile(endpoint.qos))


def _profile(qos):
    unknown = qos.history == UNKNOWN_HISTORY
    return QoSProfile(
        history=qos.history, depth=0 if unknown else qos.depth, reliability=qos.reliability,
        durability=qos.durability, liveliness=qos.liveliness,
        deadline=Duration(nanoseconds=qos.deadline),
        lifespan=Duration(nanoseconds=qos.lifespan),
        liveliness_lease_duration=Duration(nanoseconds=qos.liveliness_lease_duration))
