"""Names that belong to rclpy's nodes: attributes of a LifecycleNode as the rclpy here makes it."""
from functools import cache

import rclpy
from rclpy.context import Context
from rclpy.lifecycle import LifecycleNode


@cache
def reserved_names():
    """Every attribute, private ones too, but not Python's own."""
    context = Context()
    rclpy.init(args=[], context=context)
    node = LifecycleNode('names', context=context)
    try:
        return frozenset(name for name in {*dir(node), *vars(node)} if not name.startswith('__'))
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)
