"""Condition on the value of a launch configuration."""

from ..condition import Condition
from ..launch_context import LaunchContext
from ..some_substitutions_type import SomeSubstitutionsType
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class LaunchConfigurationEquals(Condition):
    """True if the configuration equals the expected text (None: it is undefined)."""

    def __init__(self, launch_configuration_name: str,
                 expected_value: SomeSubstitutionsType | None) -> None:
        self.__name = launch_configuration_name
        self.__expected = (None if expected_value is None
                           else normalize_to_list_of_substitutions(expected_value))
        super().__init__(predicate=self._predicate_func)

    def _predicate_func(self, context: LaunchContext) -> bool:
        expected = self.__expected
        if expected is not None:
            expected = perform_substitutions(context, expected)
        return context.launch_configurations.get(self.__name) == expected

    def describe(self) -> str:
        return f"LaunchConfigurationEquals('{self.__name}')"
