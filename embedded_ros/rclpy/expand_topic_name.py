"""Absolute names of topics and services."""
from rclpy.impl import names


def expand_topic_name(topic_name: str, node_name: str, node_namespace: str) -> str:
    """Expand a relative or private name for a node; raises ValueError for an invalid one."""
    return names.expand(topic_name, node_name, node_namespace)
