"""A parameter for the nodes that follow."""
from launch.action import Action
from launch.frontend import expose_action
from launch.utilities import normalize_to_list_of_substitutions
from launch.utilities.type_utils import is_substitution

from ..parameter_descriptions import Parameter, ParameterValue
from ..utilities.normalize_parameters import parameter_value
from .node_parsing import parse_parameter


@expose_action('set_parameter')
class SetParameter(Action):
    """Gives all nodes that follow in this scope a parameter, which their own ones override."""

    def __init__(self, name, value, **kwargs):
        super().__init__(**kwargs)
        self.__name = normalize_to_list_of_substitutions(name)
        self.__value = (normalize_to_list_of_substitutions(value)
                        if isinstance(value, str) or is_substitution(value) else value)
        if not isinstance(value, ParameterValue):
            value = parameter_value(value, name)
        self.__parameter = Parameter(name=name, value=value)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        name, kwargs['value'] = parse_parameter(entity, parser)
        kwargs['name'] = list(name)
        return cls, kwargs

    @property
    def name(self):
        return self.__name

    @property
    def value(self):
        return self.__value

    def execute(self, context):
        name, value = self.__parameter.evaluate(context)
        others = context.launch_configurations.get('global_params') or ()
        context.launch_configurations['global_params'] = [*others, (name, value)]
