"""A parameter for the nodes that follow."""
from launch.action import Action
from launch.frontend import expose_action

from ..parameter_descriptions import Parameter
from ..utilities.normalize_parameters import parameter_value
from .node_parsing import parse_parameter


@expose_action('set_parameter')
class SetParameter(Action):
    """Gives all nodes that follow in this scope a parameter, which their own ones override."""

    def __init__(self, name, value, **kwargs):
        super().__init__(**kwargs)
        if not hasattr(value, 'value_type'):
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
        return self.__parameter.name

    @property
    def value(self):
        return self.__parameter.value

    def execute(self, context):
        name, value = self.__parameter.evaluate(context)
        others = context.launch_configurations.get('global_params') or ()
        context.launch_configurations['global_params'] = [*others, (name, value)]
