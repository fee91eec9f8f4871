"""The output of a command."""
import shlex
import subprocess

from ..frontend.expose import expose_substitution
from ..logging import get_logger
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, from_to
from .substitution_failure import SubstitutionFailure


@expose_substitution('command')
class Command(Substitution):
    """What a command line prints; on_stderr: 'fail', 'ignore', 'warn' or 'capture'."""

    def __init__(self, command: SomeSubstitutionsType, *,
                 on_stderr: SomeSubstitutionsType = 'fail') -> None:
        self.__command = normalize_to_list_of_substitutions(command)
        self.__on_stderr = normalize_to_list_of_substitutions(on_stderr)

    @classmethod
    def parse(cls, data):
        from_to('command', data, 1, 2)
        kwargs = {'command': data[0]}
        if len(data) == 2:
            kwargs['on_stderr'] = data[1]
        return cls, kwargs

    @property
    def command(self) -> list[Substitution]:
        return self.__command

    @property
    def on_stderr(self) -> list[Substitution]:
        return self.__on_stderr

    def describe(self) -> str:
        return f'Command({described(self.__command)})'

    def perform(self, context) -> str:
        command = perform_substitutions(context, self.__command)
        on_stderr = perform_substitutions(context, self.__on_stderr)
        if on_stderr not in ('fail', 'ignore', 'warn', 'capture'):
            raise SubstitutionFailure(
                "expected 'on_stderr' to be one of: 'fail', 'ignore', 'warn', 'capture', "
                f"got '{on_stderr}'")
        try:
            result = subprocess.run(
                shlex.split(command), stdout=subprocess.PIPE, text=True,
                stderr=subprocess.STDOUT if on_stderr == 'capture' else subprocess.PIPE)
        except FileNotFoundError as error:
            raise SubstitutionFailure(f'file not found: {error}') from error
        if result.returncode != 0:
            raise SubstitutionFailure(f'executed command failed. Command: {command}'
                                      f'\nCaptured stderr output: {result.stderr}')
        if result.stderr and on_stderr in ('fail', 'warn'):
            message = f'executed command showed stderr output. Command: {command}' \
                      f'\nCaptured stderr output:\n{result.stderr}'
            if on_stderr == 'fail':
                raise SubstitutionFailure(message)
            get_logger(__name__).warning(message)
        return result.stdout
