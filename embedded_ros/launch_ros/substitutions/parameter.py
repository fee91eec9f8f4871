"""Parameters set for all nodes."""
from launch.frontend import expose_substitution
from launch.substitution import Substitution
from launch.substitutions import SubstitutionFailure
from launch.substitutions.described import described, from_to
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


@expose_substitution('param')
class Parameter(Substitution):
    """The value a SetParameter gave a parameter, or a default."""

    def __init__(self, name, *, default=None):
        self.__name = normalize_to_list_of_substitutions(name)
        self.__default = None if default is None else normalize_to_list_of_substitutions(default)

    @classmethod
    def parse(cls, data):
        from_to('param', data, 1, 2)
        kwargs = {'name': data[0]}
        if len(data) == 2:
            kwargs['default'] = data[1]
        return cls, kwargs

    @property
    def name(self):
        return self.__name

    @property
    def default(self):
        return self.__default

    def describe(self):
        return f'Param({described(self.__name)})'

    def perform(self, context):
        name = perform_substitutions(context, self.__name)
        for item in reversed(context.launch_configurations.get('global_params') or ()):
            if isinstance(item, tuple) and item[0] == name:
                return str(item[1])
        if self.__default is None:
            raise SubstitutionFailure(f"parameter '{name}' does not exist")
        return perform_substitutions(context, self.__default)
