"""A program, how it is called, and where."""
from collections.abc import Iterable, Mapping
import itertools
import os
import shlex

from .launch_context import LaunchContext
from .launch_description_entity import SomeSubstitutionsMapping, SomeSubstitutionsType
from .utilities import normalize_to_list_of_substitutions, perform_substitutions

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
    """A command line with working folder and environment; final_* are known after prepare().

    final_name: the program's name or the given one, and a number.
    """

    def __init__(self, *, cmd: Iterable[SomeSubstitutionsType],
                 prefix: SomeSubstitutionsType | None = None,
                 name: SomeSubstitutionsType | None = None,
                 cwd: SomeSubstitutionsType | None = None,
                 env: SomeSubstitutionsMapping | None = None,
                 additional_env: SomeSubstitutionsMapping | None = None,
                 arguments: Iterable[SomeSubstitutionsType] | None = None) -> None:
        self.cmd = [normalize_to_list_of_substitutions(part) for part in cmd]
        self.cmd += [normalize_to_list_of_substitutions(part) for part in arguments or ()]
        self.prefix = normalize_to_list_of_substitutions('' if prefix is None else prefix)
        self.name = None if name is None else normalize_to_list_of_substitutions(name)
        self.cwd = None if cwd is None else normalize_to_list_of_substitutions(cwd)
        self.env = normalized_pairs(env)
        self.additional_env = normalized_pairs(additional_env)
        self.final_name: str | None = None
        self.final_cmd: list[str] | None = None
        self.final_cwd: str | None = None
        self.final_env: dict[str, str] | None = None

    def prepare(self, context: LaunchContext, action) -> None:
        """Perform all substitutions, give the process its name."""
        cmd = [perform_substitutions(context, part) for part in self.cmd]
        cmd = [*shlex.split(perform_substitutions(context, self.prefix)), *cmd]
        name = (os.path.basename(cmd[0]) if self.name is None
                else perform_substitutions(context, self.name))
        self.final_name = f'{name}-{next(process_counter)}'
        self.final_cmd = cmd
        if self.cwd is not None:
            self.final_cwd = perform_substitutions(context, self.cwd)
        if self.env is not None:
            self.final_env = performed_pairs(context, self.env)
        else:
            self.final_env = dict(context.environment)
        if self.additional_env is not None:
            self.final_env.update(performed_pairs(context, self.additional_env))
