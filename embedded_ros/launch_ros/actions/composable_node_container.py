"""Container of components."""
from launch.frontend import expose_action

from ..descriptions.composable_node import parse_composable_nodes
from .node import Node

MISSING = 'ComposableNodeContainer: components need a ROS 2 installation'


@expose_action('node_container')
class ComposableNodeContainer(Node):
    """A container of C++ components, which there are none of without ROS 2."""

    def __init__(self, *, name, namespace, composable_node_descriptions=None, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)
        self.__composable_node_descriptions = composable_node_descriptions

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['composable_node_descriptions'] = parse_composable_nodes(
            entity, parser, optional=True)
        return cls, kwargs

    def execute(self, context):
        raise NotImplementedError(MISSING)
