"""Container of components."""
from launch.frontend import expose_action

from .node import Node

MISSING = 'ComposableNodeContainer: components need a ROS 2 installation'


@expose_action('node_container')
class ComposableNodeContainer(Node):
    """A container of C++ components, which there are none of without ROS 2."""

    def __init__(self, *, name, namespace, composable_node_descriptions=None, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)
        self.__descriptions = composable_node_descriptions

    @classmethod
    def parse(cls, entity, parser):
        raise NotImplementedError(MISSING)

    def execute(self, context):
        raise NotImplementedError(MISSING)
