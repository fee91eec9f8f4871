"""One of two texts."""

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import perform_typed_substitution
from .described import described, from_to
from .substitution_failure import SubstitutionFailure


@expose_substitution('if')
class IfElseSubstitution(Substitution):
    """if_value if the condition is true, else else_value."""

    def __init__(self, condition: SomeSubstitutionsType, if_value: SomeSubstitutionsType = '',
                 else_value: SomeSubstitutionsType = '') -> None:
        self.__condition = normalize_to_list_of_substitutions(condition)
        self.__if_value = normalize_to_list_of_substitutions(if_value)
        self.__else_value = normalize_to_list_of_substitutions(else_value)
        if if_value == else_value == '':
            raise RuntimeError('One of if_value and else_value should be specified')

    @classmethod
    def parse(cls, data):
        from_to('if', data, 2, 3)
        return cls, dict(zip(('condition', 'if_value', 'else_value'), data, strict=False))

    @property
    def condition(self):
        return self.__condition

    @property
    def if_value(self):
        return self.__if_value

    @property
    def else_value(self):
        return self.__else_value

    def describe(self) -> str:
        return (f'IfElseSubstitution({described(self.__condition)}, '
                f'{described(self.__if_value)}, {described(self.__else_value)})')

    def perform(self, context) -> str:
        try:
            condition = perform_typed_substitution(context, self.__condition, bool)
        except (TypeError, ValueError) as error:
            raise SubstitutionFailure(str(error)) from error
        return perform_substitutions(
            context, self.__if_value if condition else self.__else_value)
