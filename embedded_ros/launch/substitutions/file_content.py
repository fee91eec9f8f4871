"""The text of a file."""

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, exactly
from .substitution_failure import SubstitutionFailure


@expose_substitution('file-content')
class FileContent(Substitution):
    """What a text file holds."""

    def __init__(self, path: SomeSubstitutionsType) -> None:
        self.__path = normalize_to_list_of_substitutions(path)

    @classmethod
    def parse(cls, data):
        exactly('file-content', data, 1)
        return cls, {'path': data[0]}

    @property
    def path(self) -> list[Substitution]:
        return self.__path

    def describe(self) -> str:
        return f'FileContent({described(self.__path)})'

    def perform(self, context) -> str:
        path = perform_substitutions(context, self.__path)
        try:
            with open(path, encoding='utf-8') as file:
                return file.read()
        except OSError as error:
            raise SubstitutionFailure(f"Failed to read file '{path}': {error}") from error
