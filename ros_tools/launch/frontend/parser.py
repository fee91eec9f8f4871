"""From launch files in any language to launch descriptions."""
import importlib.metadata
import io
import os
import warnings

from ..invalid_launch_file_error import InvalidLaunchFileError
from .expose import instantiate_action
from .parse_substitution import parse_if_substitutions, parse_substitution


class InvalidFrontendLaunchFileError(InvalidLaunchFileError):
    """A launch file no parser understands."""

    def __str__(self):
        return self._extension if not self._likely_errors else super().__str__()


class Parser:
    """Base of the parsers, which are found by the entry points launch.frontend.parser."""

    extensions_loaded = False
    frontend_parsers: dict | None = None

    @classmethod
    def load_launch_extensions(cls) -> None:
        """Import the packages that expose actions and substitutions."""
        if cls.extensions_loaded:
            return
        for entry_point in entry_points('launch.frontend.launch_extension'):
            try:
                entry_point.load()
            except Exception as error:
                warnings.warn(f'Failed to load the launch extension {entry_point.name}: {error}',
                              stacklevel=2)
        Parser.extensions_loaded = True

    @classmethod
    def load_parser_implementations(cls) -> None:
        """Import the parsers of all languages."""
        if cls.frontend_parsers is None:
            Parser.frontend_parsers = {}
            for entry_point in entry_points('launch.frontend.parser'):
                try:
                    Parser.frontend_parsers[entry_point.name] = entry_point.load()
                except Exception as error:
                    warnings.warn(f'Failed to load the parser {entry_point.name}: {error}',
                                  stacklevel=2)

    @classmethod
    def parse_action(cls, entity):
        """Return the action of an element."""
        cls.load_launch_extensions()
        action = instantiate_action(entity, cls)
        entity.assert_entity_completely_parsed()
        return action

    @classmethod
    def parse_substitution(cls, value: str):
        """Return the substitutions a text stands for."""
        cls.load_launch_extensions()
        return parse_substitution(value)

    @classmethod
    def parse_if_substitutions(cls, value):
        """Return substitutions for texts, anything else as it is."""
        cls.load_launch_extensions()
        return parse_if_substitutions(value)

    @classmethod
    def escape_characters(cls, value: str) -> str:
        """Return a text without the backslashes that stand before special characters."""
        return value.replace('\\$', '$')

    @classmethod
    def parse_description(cls, entity):
        """Return the launch description of a file's root element."""
        from ..launch_description import LaunchDescription
        if entity.type_name != 'launch':
            raise RuntimeError(f"Expected 'launch' as root tag, got '{entity.type_name}'")
        actions = [cls.parse_action(child) for child in entity.children]
        entity.assert_entity_completely_parsed()
        return LaunchDescription(actions)

    @classmethod
    def get_available_extensions(cls) -> list[str]:
        """Return the endings of the languages' files, without dot."""
        cls.load_parser_implementations()
        return [ending for parser in cls.frontend_parsers.values()
                for ending in parser.get_file_extensions()]

    @classmethod
    def is_filename_valid(cls, filename: str) -> bool:
        """Return whether this is a usual name of a launch file: x.launch.xml, x_launch.xml, ..."""
        name = os.path.basename(filename)
        return any(name.endswith((f'.launch.{ending}', f'_launch.{ending}', f'launch.{ending}'))
                   or name.endswith('.' + ending) for ending in cls.get_available_extensions())

    @classmethod
    def get_file_extensions(cls) -> set[str]:
        """Return the endings of this language's files."""
        return set()

    @classmethod
    def may_parse(cls, filename: str) -> bool:
        return any(filename.endswith('.' + ending) for ending in cls.get_file_extensions())

    @classmethod
    def load(cls, file: str | io.TextIOBase) -> tuple[object, 'Parser']:
        """Return (root element, its parser) of an open file or a path.

        The language of the file's name is tried first, then all others.
        """
        cls.load_parser_implementations()
        if isinstance(file, (str, os.PathLike)):
            with open(file) as stream:
                return cls.load(stream)
        name = str(getattr(file, 'name', ''))
        for parser in sorted(cls.frontend_parsers.values(),
                             key=lambda parser: not parser.may_parse(name)):
            try:
                file.seek(0)
                return parser.load(file)
            except Exception as error:
                if parser.may_parse(name):
                    raise InvalidFrontendLaunchFileError(
                        os.path.splitext(name)[1][1:], likely_errors=[error]) from error
        raise InvalidFrontendLaunchFileError(
            'The launch file may have a syntax error, or its format is unknown')


def entry_points(group: str) -> list:
    """Return the installed entry points of a group."""
    return list(importlib.metadata.entry_points(group=group))
