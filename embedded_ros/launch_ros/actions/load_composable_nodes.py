"""Load components into a container."""
from launch.action import Action
from launch.frontend import expose_action

MISSING = 'LoadComposableNodes: components need a ROS 2 installation'


@expose_action('load_composable_node')
class LoadComposableNodes(Action):
    """Loads C++ components, which there are none of without ROS 2."""

    def __init__(self, *, composable_node_descriptions, target_container, **kwargs):
        super().__init__(**kwargs)
        self.__descriptions = composable_node_descriptions
        self.__target_container = target_container

    @classmethod
    def parse(cls, entity, parser):
        raise NotImplementedError(MISSING)

    def execute(self, context):
        raise NotImplementedError(MISSING)
