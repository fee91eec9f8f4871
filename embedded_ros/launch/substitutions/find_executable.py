"""The path of a program."""
import os
import shutil

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, exactly
from .substitution_failure import SubstitutionFailure


@expose_substitution('find-exec')
class FindExecutable(Substitution):
    """The absolute path of a program on PATH."""

    def __init__(self, *, name: SomeSubstitutionsType) -> None:
        self.__name = normalize_to_list_of_substitutions(name)

    @classmethod
    def parse(cls, data):
        exactly('find-exec', data, 1)
        return cls, {'name': data[0]}

    @property
    def name(self) -> list[Substitution]:
        return self.__name

    def describe(self) -> str:
        return f'FindExec({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        found = shutil.which(name)
        if found is None:
            raise SubstitutionFailure(f"executable '{name}' not found on the PATH")
        return os.path.abspath(found)
