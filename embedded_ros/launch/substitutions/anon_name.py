"""A unique name."""
import os
import random
import sys

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, exactly


@expose_substitution('anon')
class AnonName(Substitution):
    """The given name with process and a random number added; the same within a launch."""

    def __init__(self, name: SomeSubstitutionsType) -> None:
        self.__name = normalize_to_list_of_substitutions(name)

    @classmethod
    def parse(cls, data):
        exactly('anon', data, 1)
        return cls, {'name': data[0]}

    @property
    def name(self) -> list[Substitution]:
        return self.__name

    def describe(self) -> str:
        return f'AnonName({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        names = context.launch_configurations.setdefault('anon', {})
        return names.setdefault(name, self.anonymous_name(name))

    def anonymous_name(self, id_value: str) -> str:
        return f'{id_value}_{os.getpid()}_{random.randint(0, sys.maxsize)}'
