"""The value of a launch configuration."""
import collections.abc
from typing import Any

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, from_to
from .substitution_failure import SubstitutionFailure


@expose_substitution('var')
class LaunchConfiguration(Substitution):
    """A launch configuration, or a default if it is not set."""

    def __init__(self, variable_name: SomeSubstitutionsType, *,
                 default: Any | None = None) -> None:
        self.__name = normalize_to_list_of_substitutions(variable_name)
        self.__default: list[Substitution] | None = None
        if default is not None:
            parts = (default if isinstance(default, collections.abc.Iterable)
                     and not isinstance(default, (str, bytes)) else [default])
            self.__default = normalize_to_list_of_substitutions(
                [part if isinstance(part, Substitution) else str(part) for part in parts])

    @classmethod
    def parse(cls, data):
        from_to('var', data, 1, 2)
        kwargs = {'variable_name': data[0]}
        if len(data) == 2:
            kwargs['default'] = data[1]
        return cls, kwargs

    @property
    def variable_name(self) -> list[Substitution]:
        return self.__name

    def describe(self) -> str:
        return f'LaunchConfig({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        if name in context.launch_configurations:
            return context.launch_configurations[name]
        if self.__default is None:
            raise SubstitutionFailure(f"launch configuration '{name}' does not exist")
        return perform_substitutions(context, self.__default)
