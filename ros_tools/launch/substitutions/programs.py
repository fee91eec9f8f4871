"""Texts that programs and expressions give."""
import importlib
import os
import shlex
import shutil
import subprocess

from ..frontend.expose import expose_substitution
from ..launch_description_entity import SomeSubstitutionsType, Substitution
from ..logging import get_logger
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .values import SubstitutionFailure, described, exactly, from_to


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


@expose_substitution('find-exec')
class FindExecutable(Substitution):
    """The absolute path of a program on PATH."""

    def __init__(self, *, name: SomeSubstitutionsType) -> None:
        self.__name = normalize_to_list_of_substitutions(name)

    @classmethod
    def parse(cls, data):
        exactly('find-exec', data, 1)
        return cls, {'name': data[0]}

    def describe(self) -> str:
        return f'FindExec({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        found = shutil.which(name)
        if found is None:
            raise SubstitutionFailure(f"executable '{name}' not found on the PATH")
        return os.path.abspath(found)


@expose_substitution('eval')
class PythonExpression(Substitution):
    """str() of an expression; names of modules and, for `math`, its functions may be used in it."""

    def __init__(self, expression: SomeSubstitutionsType,
                 python_modules: SomeSubstitutionsType = ('math',)) -> None:
        self.__expression = normalize_to_list_of_substitutions(expression)
        self.__modules = normalize_to_list_of_substitutions(python_modules)

    @classmethod
    def parse(cls, data):
        from_to('eval', data, 1, 2)
        kwargs = {'expression': data[0]}
        if len(data) == 2:      # names separated by commas, of which some may be substitutions
            modules = []
            for part in data[1]:
                text = getattr(part, 'text', None)
                modules.extend([part] if text is None
                               else [name.strip() for name in text.split(',')])
            kwargs['python_modules'] = modules
        return cls, kwargs

    def describe(self) -> str:
        modules = ', '.join(part.describe() for part in self.__modules)
        return f'PythonExpr({described(self.__expression)}, [{modules}])'

    def perform(self, context) -> str:
        names = {}
        for part in self.__modules:
            name = context.perform_substitution(part)
            if not name:
                continue
            module = importlib.import_module(name)
            names[module.__name__] = module
            if module.__name__ == 'math':
                names.update(vars(module))
        expression = perform_substitutions(context, self.__expression)
        return str(eval(expression, {}, names))     # the purpose of this substitution
