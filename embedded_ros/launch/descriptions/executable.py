"""A program, how it is called, and where."""
from collections.abc import Iterable, Mapping
import itertools
import os
import re
import shlex

from ..launch_context import LaunchContext
from ..some_substitutions_type import SomeSubstitutionsMapping, SomeSubstitutionsType
from ..substitution import Substitution
from ..substitutions.launch_configuration import LaunchConfiguration
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions

Pairs = list | None
process_counter = itertools.count(1)


def normalized_pairs(environment: Mapping | None) -> Pairs:
    if environment is None:
        return None
    return [(normalize_to_list_of_substitutions(key), normalize_to_list_of_substitutions(value))
            for key, value in environment.items()]


def performed_pairs(context: LaunchContext, pairs: list) -> dict[str, str]:
    return {perform_substitutions(context, key): perform_substitutions(context, value)
            for key, value in pairs}


class Executable:
    """A command line with working folder and environment; final_* are known after prepare()."""

    def __init__(self, *, cmd: Iterable[SomeSubstitutionsType],
                 prefix: SomeSubstitutionsType | None = None,
                 name: SomeSubstitutionsType | None = None,
                 cwd: SomeSubstitutionsType | None = None,
                 env: SomeSubstitutionsMapping | None = None,
                 additional_env: SomeSubstitutionsMapping | None = None,
                 arguments: Iterable[SomeSubstitutionsType] | None = None) -> None:
        self.__cmd = [normalize_to_list_of_substitutions(part) for part in cmd]
        self.__cmd += [normalize_to_list_of_substitutions(part) for part in arguments or ()]
        self.__arguments = list(arguments or ())
        self.__prefix = normalize_to_list_of_substitutions(
            LaunchConfiguration('launch-prefix', default='') if prefix is None else prefix)
        self.__prefix_filter = (
            normalize_to_list_of_substitutions(
                LaunchConfiguration('launch-prefix-filter', default=''))
            if prefix is None else None)
        self.__name = None if name is None else normalize_to_list_of_substitutions(name)
        self.__cwd = None if cwd is None else normalize_to_list_of_substitutions(cwd)
        self.__env = normalized_pairs(env)
        self.__additional_env = normalized_pairs(additional_env)
        self.__final_name: str | None = None
        self.__final_cmd: list[str] | None = None
        self.__final_cwd: str | None = None
        self.__final_env: dict[str, str] | None = None

    @property
    def name(self) -> list[Substitution] | None:
        return self.__name

    @property
    def prefix(self) -> list[Substitution] | None:
        return self.__prefix

    @property
    def cmd(self) -> list[list[Substitution]]:
        return self.__cmd

    @property
    def cwd(self) -> list[Substitution] | None:
        return self.__cwd

    @property
    def env(self) -> Pairs:
        return self.__env

    @property
    def additional_env(self) -> Pairs:
        return self.__additional_env

    @property
    def arguments(self) -> list[SomeSubstitutionsType]:
        return self.__arguments

    @property
    def final_name(self) -> str | None:
        """Name of the process: the program's or the given one, and a number."""
        return self.__final_name

    @property
    def final_cmd(self) -> list[str] | None:
        return self.__final_cmd

    @property
    def final_cwd(self) -> str | None:
        return self.__final_cwd

    @property
    def final_env(self) -> dict[str, str] | None:
        return self.__final_env

    def prepare(self, context: LaunchContext, action) -> None:
        """Perform all substitutions, give the process its name."""
        cmd = [perform_substitutions(context, part) for part in self.__cmd]
        cmd = [*self._prefix_for(context, cmd[0]), *cmd]
        name = (os.path.basename(cmd[0]) if self.__name is None
                else perform_substitutions(context, self.__name))
        self.__final_name = f'{name}-{next(process_counter)}'
        self.__final_cmd = cmd
        if self.__cwd is not None:
            self.__final_cwd = perform_substitutions(context, self.__cwd)
        if self.__env is not None:
            self.__final_env = performed_pairs(context, self.__env)
        else:
            self.__final_env = dict(context.environment)
        if self.__additional_env is not None:
            self.__final_env.update(performed_pairs(context, self.__additional_env))

    def _prefix_for(self, context: LaunchContext, program: str) -> list[str]:
        prefix = shlex.split(perform_substitutions(context, self.__prefix))
        if prefix and self.__prefix_filter is not None:
            pattern = perform_substitutions(context, self.__prefix_filter)
            if pattern and not re.match(pattern, os.path.basename(program)):
                return []
        return prefix
