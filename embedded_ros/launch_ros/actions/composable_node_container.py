"""Container of components."""
from .node import Node


class ComposableNodeContainer(Node):
    """A container of C++ components, which there are none of without ROS 2."""

    def __init__(self, *, name, namespace, composable_node_descriptions=None, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)
        self.__descriptions = composable_node_descriptions

    def execute(self, context):
        raise NotImplementedError(
            'ComposableNodeContainer: components need a ROS 2 installation')
