"""Nodes by their name."""


def matches_node_name(node_name):
    """Return a predicate: whether a Node action has this fully qualified name."""
    wanted = node_name if node_name.startswith('/') else '/' + node_name
    return lambda action: getattr(action, 'node_name', None) == wanted
