"""Start a process from a command line."""
from collections.abc import Iterable

from ..descriptions import Executable
from ..frontend.expose import expose_action
from ..launch_description_entity import (
    SomeSubstitutionsMapping,
    SomeSubstitutionsType,
    Substitution,
)
from ..substitutions import TextSubstitution
from .events import Shutdown
from .execute_local import ExecuteLocal


class CommandLine:
    """Splits texts and substitutions at blanks, but not inside of quotes."""

    def __init__(self) -> None:
        self.arguments: list[list[Substitution]] = []
        self._current: list[Substitution] = []
        self._text = ''
        self._quote = ''
        self._begun = False

    def add(self, part: Substitution) -> None:
        """Add the next part of the line."""
        if isinstance(part, TextSubstitution):
            self._add_text(part.text)
        else:
            self._end_text()
            self._current.append(part)
            self._begun = True

    def _add_text(self, text: str) -> None:
        chars = iter(text)
        for char in chars:
            if char == '\\' and self._quote != "'":
                self._text += next(chars, '\\')
                self._begun = True
            elif self._quote:
                if char == self._quote:
                    self._quote = ''
                else:
                    self._text += char
            elif char in '\'"':
                self._quote = char
                self._begun = True
            elif char.isspace():
                self.end_argument()
            else:
                self._text += char
                self._begun = True

    def _end_text(self) -> None:
        if self._text:
            self._current.append(TextSubstitution(text=self._text))
            self._text = ''

    def end_argument(self) -> None:
        """Close the argument that has been begun, if there is one."""
        self._end_text()
        if self._begun:
            self.arguments.append(self._current or [TextSubstitution(text='')])
        self._current, self._begun = [], False


def split_command_line(parts) -> list[list[Substitution]]:
    """Return the arguments of a command line; a ValueError if a quote is not closed."""
    line = CommandLine()
    for part in parts:
        line.add(part)
    if line._quote:
        raise ValueError(f'a quote {line._quote} is not closed in a command line')
    line.end_argument()
    return line.arguments


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
        return self.process_description.final_name or self.process_description.name

    @property
    def cmd(self):
        """The final command line if it is known, else the substitutions of its arguments."""
        return self.process_description.final_cmd or self.process_description.cmd
