"""Given texts, and values of the running launch."""
import collections.abc
from collections.abc import Iterable
import os
from typing import Any

from ..frontend.expose import expose_substitution
from ..launch_description_entity import SomeSubstitutionsType, Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class TextSubstitution(Substitution):
    """The text itself."""

    def __init__(self, *, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"TextSubstitution expected Text object got '{type(text)}' instead.")
        self.__text = text

    @property
    def text(self) -> str:
        return self.__text

    def describe(self) -> str:
        return f"'{self.text}'"

    def perform(self, context) -> str:
        return self.text


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

    def describe(self) -> str:
        return f'LaunchConfig({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        if name in context.launch_configurations:
            return context.launch_configurations[name]
        if self.__default is None:
            raise SubstitutionFailure(f"launch configuration '{name}' does not exist")
        return perform_substitutions(context, self.__default)


@expose_substitution('env')
class EnvironmentVariable(Substitution):
    """An environment variable, or a default if it is not set."""

    def __init__(self, name: SomeSubstitutionsType, *,
                 default_value: SomeSubstitutionsType | None = None) -> None:
        self.__name = normalize_to_list_of_substitutions(name)
        self.__default = (None if default_value is None
                          else normalize_to_list_of_substitutions(default_value))

    @classmethod
    def parse(cls, data):
        from_to('env', data, 1, 2)
        kwargs = {'name': data[0]}
        if len(data) == 2:
            kwargs['default_value'] = data[1]
        return cls, kwargs

    def describe(self) -> str:
        return f'EnvVar({described(self.__name)})'

    def perform(self, context) -> str:
        name = perform_substitutions(context, self.__name)
        if name in context.environment:
            return context.environment[name]
        if self.__default is None:
            raise SubstitutionFailure(f"environment variable '{name}' does not exist")
        return perform_substitutions(context, self.__default)


class PathJoinSubstitution(Substitution):
    """The parts joined by the separator; each is one text or substitution."""

    def __init__(self, substitutions: collections.abc.Iterable[str | Substitution]) -> None:
        self.__parts = normalize_to_list_of_substitutions(substitutions)

    def describe(self) -> str:
        return f'PathJoin({described(self.__parts)})'

    def perform(self, context) -> str:
        return os.path.join(*[context.perform_substitution(part) for part in self.__parts])


@expose_substitution('dirname')
class ThisLaunchFileDir(Substitution):
    """The folder of the launch file in which this stands."""

    @classmethod
    def parse(cls, data):
        exactly('dirname', data, 0)
        return cls, {}

    def describe(self) -> str:
        return 'ThisLaunchFileDir()'

    def perform(self, context) -> str:
        path = context.get_locals_as_dict().get('current_launch_file_directory')
        if path is None:
            raise SubstitutionFailure(
                'ThisLaunchFileDir used outside of a launch file (in a script)')
        return path


class SubstitutionFailure(RuntimeError):
    """A substitution could not be performed."""


def described(parts: Iterable[Substitution]) -> str:
    """Return how a reader would write the joined parts."""
    return ' + '.join(part.describe() for part in parts)


def exactly(name: str, data, count: int) -> None:
    """Raise a TypeError unless a substitution in XML or YAML has this number of arguments."""
    if len(data) != count:
        arguments = 'argument' if count == 1 else 'arguments'
        raise TypeError(f'{name} substitution expects {count} {arguments}, got {len(data)}')


def from_to(name: str, data, least: int, most: int) -> None:
    """Raise a TypeError unless a substitution's number of arguments is in this range."""
    if not least <= len(data) <= most:
        raise TypeError(f'{name} substitution expects {least} to {most} arguments, '
                        f'got {len(data)}')
