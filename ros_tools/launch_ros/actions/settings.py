"""Settings of the nodes that follow in a scope."""
from launch import Action
from launch.frontend import expose_action
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions
from launch.utilities.type_utils import normalize_typed_substitution, perform_typed_substitution

from ..parameter_descriptions import Parameter, ParameterFile, ParameterValue
from ..utilities import make_namespace_absolute, parameter_value, prefix_namespace


@expose_action('push_ros_namespace')
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


class SetParameter(Action):
    """Gives all nodes that follow in this scope a parameter, which their own ones override."""

    def __init__(self, name, value, **kwargs):
        super().__init__(**kwargs)
        if not isinstance(value, ParameterValue):
            value = parameter_value(value, name)
        self.__parameter = Parameter(name=name, value=value)

    def execute(self, context):
        name, value = self.__parameter.evaluate(context)
        others = context.launch_configurations.get('global_params') or ()
        context.launch_configurations['global_params'] = [*others, (name, value)]


class SetParametersFromFile(Action):
    """Gives all nodes that follow in this scope a parameter file."""

    def __init__(self, filename, **kwargs):
        super().__init__(**kwargs)
        self.__file = filename if isinstance(filename, ParameterFile) else ParameterFile(filename)

    def execute(self, context):
        path = str(self.__file.evaluate(context))
        others = context.launch_configurations.get('global_params') or ()
        context.launch_configurations['global_params'] = [*others, path]


class SetRemap(Action):
    """Gives all nodes that follow in this scope a remapping, before their own ones."""

    def __init__(self, src, dst, **kwargs):
        super().__init__(**kwargs)
        self.__src = normalize_to_list_of_substitutions(src)
        self.__dst = normalize_to_list_of_substitutions(dst)

    def execute(self, context):
        rule = (perform_substitutions(context, self.__src),
                perform_substitutions(context, self.__dst))
        others = context.launch_configurations.get('ros_remaps') or ()
        context.launch_configurations['ros_remaps'] = [*others, rule]


class SetUseSimTime(Action):
    """Sets use_sim_time of the launch's own node not of the nodes it starts."""

    def __init__(self, value, **kwargs):
        super().__init__(**kwargs)
        self.__value = normalize_typed_substitution(value, bool)

    def execute(self, context):
        from rclpy.parameter import Parameter

        from ..ros_adapters import get_ros_node
        value = perform_typed_substitution(context, self.__value, bool)
        get_ros_node(context).set_parameters([Parameter('use_sim_time', value=value)])
