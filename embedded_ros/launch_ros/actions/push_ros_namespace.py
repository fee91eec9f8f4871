"""Namespace of the nodes that follow."""
from launch.action import Action
from launch.frontend import expose_action
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from ..utilities.namespace_utils import make_namespace_absolute, prefix_namespace


@expose_action('push_ros_namespace')
@expose_action('push-ros-namespace')
class PushROSNamespace(Action):
    """Puts the nodes that follow in this scope into a namespace, inside earlier ones."""

    def __init__(self, namespace, **kwargs):
        super().__init__(**kwargs)
        self.__namespace = normalize_to_list_of_substitutions(namespace)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['namespace'] = parser.parse_substitution(entity.get_attr('namespace'))
        return cls, kwargs

    @property
    def namespace(self):
        return self.__namespace

    def execute(self, context):
        from rclpy.exceptions import InvalidNamespaceException
        from rclpy.validate_namespace import validate_namespace
        pushed = perform_substitutions(context, self.__namespace)
        namespace = make_namespace_absolute(prefix_namespace(
            context.launch_configurations.get('ros_namespace'), pushed))
        try:
            validate_namespace(namespace)
        except InvalidNamespaceException as error:
            raise ValueError('The resulting namespace is invalid: '
                             f"'{namespace}': {error}") from error
        context.launch_configurations['ros_namespace'] = namespace


PushRosNamespace = PushROSNamespace
