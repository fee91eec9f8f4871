"""Names and types of topics, services and nodes in the graph."""
from typing import NamedTuple

from rclpy.topic_or_service_is_hidden import topic_or_service_is_hidden


class NodeName(NamedTuple):
    """Name of a node in its parts and as a whole."""

    name: str
    namespace: str
    full_name: str


def get_absolute_node_name(name):
    """The node's name with a leading slash (None stays None)."""
    return name if not name or name.startswith('/') else f'/{name}'


def get_node_names(node, include_hidden=False):
    """NodeNames of all nodes; a hidden name starts with '_'."""
    names = [NodeName(name, namespace, f'{namespace.rstrip("/")}/{name}')
             for name, namespace in node.get_node_names_and_namespaces()]
    return [
        name for name in names if include_hidden or (name.name and not name.name.startswith('_'))
    ]


def visible(names_and_types, include_hidden=False):
    """The (name, types) to be shown, sorted by name."""
    return sorted((name, types) for name, types in names_and_types
                  if include_hidden or not topic_or_service_is_hidden(name))


def get_topic_names_and_types(node, include_hidden=False):
    """[(topic, types)] to be shown."""
    return visible(node.get_topic_names_and_types(), include_hidden)


def get_service_names_and_types(node, include_hidden=False):
    """[(service, types)] to be shown."""
    return visible(node.get_service_names_and_types(), include_hidden)


def print_names(names_and_types, show_types):
    """One line for each name, its types in brackets if asked for."""
    for name, types in names_and_types:
        print(f'{name} [{", ".join(types)}]' if show_types else name)
