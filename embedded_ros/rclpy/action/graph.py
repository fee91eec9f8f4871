"""Which actions there are: recognised by their feedback topics."""

_TOPIC, _TYPE = '/_action/feedback', '_FeedbackMessage'


def get_action_names_and_types(node):
    """All actions that servers offer or clients use: [(name, [types])]."""
    return _actions(node.get_topic_names_and_types())


def get_action_client_names_and_types_by_node(node, remote_node_name, remote_node_namespace):
    """The actions that a node is a client of."""
    return _actions(node.get_subscriber_names_and_types_by_node(
        remote_node_name, remote_node_namespace))


def get_action_server_names_and_types_by_node(node, remote_node_name, remote_node_namespace):
    """The actions that a node serves."""
    return _actions(node.get_publisher_names_and_types_by_node(
        remote_node_name, remote_node_namespace))


def _actions(topics):
    return [(name.removesuffix(_TOPIC), [kind.removesuffix(_TYPE) for kind in kinds])
            for name, kinds in topics if name.endswith(_TOPIC)]
