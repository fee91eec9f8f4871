"""A parameter file for the nodes that follow."""
from launch.action import Action
from launch.frontend import expose_action

from ..parameter_descriptions import ParameterFile


@expose_action('set_parameters_from_file')
class SetParametersFromFile(Action):
    """Gives all nodes that follow in this scope a parameter file."""

    def __init__(self, filename, **kwargs):
        super().__init__(**kwargs)
        self.__file = filename if isinstance(filename, ParameterFile) else ParameterFile(filename)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['filename'] = parser.parse_substitution(entity.get_attr('filename'))
        return cls, kwargs

    def execute(self, context):
        path = str(self.__file.evaluate(context))
        others = context.launch_configurations.get('global_params') or ()
        context.launch_configurations['global_params'] = [*others, path]
