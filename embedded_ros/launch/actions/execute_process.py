"""Start a process from a command line."""
from collections.abc import Iterable

from ..descriptions.executable import Executable
from ..frontend.expose import expose_action
from ..some_substitutions_type import SomeSubstitutionsMapping, SomeSubstitutionsType
from ..substitution import Substitution
from .command_line import split_command_line
from .execute_local import ExecuteLocal
from .shutdown_action import Shutdown


@expose_action('executable')
class ExecuteProcess(ExecuteLocal):
    """Runs a command; each item of cmd is one argument (texts and substitutions, joined).

    prefix, name, cwd, env (replaces the environment), additional_env (adds to it) describe the
    process; ExecuteLocal has the other options.
    """

    def __init__(self, *, cmd: Iterable[SomeSubstitutionsType],
                 prefix: SomeSubstitutionsType | None = None,
                 name: SomeSubstitutionsType | None = None,
                 cwd: SomeSubstitutionsType | None = None,
                 env: SomeSubstitutionsMapping | None = None,
                 additional_env: SomeSubstitutionsMapping | None = None,
                 **kwargs) -> None:
        super().__init__(process_description=Executable(
            cmd=cmd, prefix=prefix, name=name, cwd=cwd, env=env, additional_env=additional_env),
            **kwargs)

    @classmethod
    def _parse_cmdline(cls, cmd: str, parser) -> list[list[Substitution]]:
        """Return the arguments of a command line, which may hold substitutions."""
        return split_command_line(parser.parse_substitution(cmd))

    @classmethod
    def parse(cls, entity, parser, ignore: list[str] | None = None):
        """Return this class and keyword arguments; the attributes in `ignore` are left out."""
        from ..action import Action
        _, kwargs = Action.parse(entity, parser)
        ignore = ignore or []
        if 'cmd' not in ignore:
            kwargs['cmd'] = cls._parse_cmdline(entity.get_attr('cmd'), parser)
        kwargs.update(cls._parse_texts(entity, parser, ignore))
        kwargs.update(cls._parse_values(entity, parser, ignore))
        if 'on_exit' not in ignore:
            on_exit = entity.get_attr('on_exit', optional=True)
            if on_exit is not None:
                if on_exit != 'shutdown':
                    raise ValueError('Attribute on_exit of Entity node expected to be shutdown '
                                     f'but got `{on_exit}`. Other on_exit actions are not '
                                     'supported in XML and YAML launch files')
                kwargs['on_exit'] = [Shutdown()]
        if 'additional_env' not in ignore:
            env = entity.get_attr('env', data_type=list, optional=True)
            if env is not None:
                kwargs['additional_env'] = cls._parse_env(env, parser)
        return cls, kwargs

    @staticmethod
    def _parse_texts(entity, parser, ignore) -> dict:
        names = {'cwd': 'cwd', 'name': 'name', 'launch-prefix': 'prefix', 'output': 'output'}
        kwargs = {}
        for attribute, option in names.items():
            if attribute not in ignore and option not in ignore:
                text = entity.get_attr(attribute, data_type=str, optional=True)
                if text is not None:
                    kwargs[option] = parser.parse_substitution(text)
        for name in ('sigterm_timeout', 'sigkill_timeout'):
            if name not in ignore:
                time = entity.get_attr(name, data_type=float, optional=True, can_be_str=True)
                if time is not None:
                    kwargs[name] = parser.parse_substitution(str(time))
        return kwargs

    @staticmethod
    def _parse_values(entity, parser, ignore) -> dict:
        kwargs = {}
        for name, kind in {'shell': bool, 'emulate_tty': bool, 'log_cmd': bool,
                           'respawn_max_retries': int}.items():
            if name not in ignore:
                value = entity.get_attr(
                    name, data_type=kind, optional=True, can_be_str=False)
                if value is not None:
                    kwargs[name] = value
        for name, kind in {'respawn': bool, 'respawn_delay': float}.items():
            if name not in ignore:
                value = entity.get_attr(name, data_type=kind, optional=True, can_be_str=True)
                if value is not None:
                    kwargs[name] = parser.parse_if_substitutions(value)
        return kwargs

    @staticmethod
    def _parse_env(env, parser) -> dict:
        variables = {}
        for variable in env:
            name = tuple(parser.parse_substitution(variable.get_attr('name')))
            variables[name] = parser.parse_substitution(variable.get_attr('value'))
            variable.assert_entity_completely_parsed()
        return variables

    @property
    def name(self):
        """The final name of the process if it is known, else the substitutions of its name."""
        if self.process_description.final_name is not None:
            return self.process_description.final_name
        return self.process_description.name

    @property
    def cmd(self):
        if self.process_description.final_cmd is not None:
            return self.process_description.final_cmd
        return self.process_description.cmd

    @property
    def cwd(self):
        if self.process_description.final_cwd is not None:
            return self.process_description.final_cwd
        return self.process_description.cwd

    @property
    def env(self):
        if self.process_description.final_env is not None:
            return self.process_description.final_env
        return self.process_description.env

    @property
    def additional_env(self):
        return self.process_description.additional_env
