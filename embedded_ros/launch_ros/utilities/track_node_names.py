"""Names of the nodes launched so far."""

KEY = 'unique_ros_node_names'


def add_node_name(context, node_name):
    """Count one more node of this name."""
    counts = context.get_globals_as_dict().setdefault(KEY, {})
    counts[node_name] = counts.get(node_name, 0) + 1


def get_node_name_count(context, node_name):
    """Return how many nodes of this name have been launched."""
    return context.get_globals_as_dict().get(KEY, {}).get(node_name, 0)
