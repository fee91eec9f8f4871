"""Simulated time for the node inside of the launch."""
from launch.action import Action
from launch.frontend import expose_action
from launch.utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


@expose_action('set_use_sim_time')
class SetUseSimTime(Action):
    """Sets use_sim_time of the launch's own node (see ROSTimer), not of the nodes it starts."""

    def __init__(self, value, **kwargs):
        super().__init__(**kwargs)
        self.__value = normalize_typed_substitution(value, bool)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['value'] = parser.parse_if_substitutions(
            entity.get_attr('value', data_type=bool, can_be_str=True))
        return cls, kwargs

    @property
    def value(self):
        return self.__value

    def execute(self, context):
        from rclpy.parameter import Parameter

        from ..ros_adapters import get_ros_node
        value = perform_typed_substitution(context, self.__value, bool)
        get_ros_node(context).set_parameters([Parameter('use_sim_time', value=value)])
