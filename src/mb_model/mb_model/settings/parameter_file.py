"""Parameters of nodes in YAML files, as ROS 2 reads them, for programs that are no nodes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
import os
from pathlib import Path
import re
from typing import Any, TypeVar, cast

import yaml

from mb_model.files.whole import write_whole
from mb_model.settings import SettingError, Settings
from mb_model.settings.parameter_yaml import ParameterValueError, documents, sections_text, value_of

Chosen = TypeVar('Chosen', bound=Settings)
RECORDED = 'parameters.yaml'        # of all nodes of a recorded run, beside its bag
_BESIDE = './'                      # first of a text in it that is the path of a file beside it
_KEY = 'ros__parameters'
_TYPES = (bool, int, float, str)


class GivenParameters:
    """Values of parameters by name, from which settings are made as a node makes them.

    Names that no settings ask for are of no effect, as with a node.
    """

    def __init__(self, values: Mapping[str, Any], source: str = 'parameters') -> None:
        """Set up for values by name, such as 'filter.alpha'; source: of them, for errors."""
        self.values, self._source = dict(values), source

    def settings_of(self, settings_class: type[Chosen], prefix: str = '',
                    defaults: Mapping[str, Any] | None = None) -> Chosen:
        """Return settings; defaults: values that replace the class's own.  Raises SettingError."""
        values = dict(defaults or {})
        values |= {name: self.values[prefix + name] for name, _, _ in settings_class.describe()
                   if prefix + name in self.values}
        missing = [f.name for f in fields(cast(Any, settings_class))
                   if f.default is MISSING and f.name not in values]
        if missing:
            raise SettingError(f'{self._source}: {prefix}{missing[0]}: missing')
        try:
            return settings_class(**values)
        except SettingError as error:
            raise SettingError(f'{self._source}: {prefix}{error}') from None


def read_parameters(files: Iterable[str | Path], node: str, namespace: str = '/') -> dict[str, Any]:
    """Return the values by name that parameter files hold for a node; later ones count more.

    Sections are named for the node ('estimator', '/estimator') or for many ('/**'); whichever name
    came first, in any of the files, counts least.  A value replaces one of its own type; of
    several types given under one name the first of bool, int, float, str, lists counts, unless
    the name is nested ('filter: {gate: ...}').  All as in ROS 2, but for paths in a RECORDED file:
    they are relative to its folder.  Raises OSError, ValueError.
    """
    sections: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    for file in files:
        for name, values in _sections(file):
            section = sections.setdefault(name, {})
            for key, value, nested in values:
                given = {} if nested else section.get(key, {})
                section[key] = given if value is None else {
                    **given, _rank(value): _absolute(value, file)}
    full_name = f'{namespace.rstrip("/")}/{node}'
    for name, values in sections.items():
        if re.fullmatch(f'/{name.removeprefix("/")}'.replace('/*', r'(/\w+)'), full_name):
            parameters |= {key: given[min(given)] for key, given in values.items() if given}
    return parameters


def write_recorded(nodes: Mapping[str, Mapping[str, Any]], folder: str | Path) -> None:
    """Write {name of a node: values by name} as the RECORDED file of a folder.

    Paths of files in that folder become relative to it, so that it can be moved.
    """
    relative = {node: {name: _relative(value, folder) for name, value in values.items()}
                for node, values in nodes.items()}
    write_whole(Path(folder, RECORDED), sections_text(relative))


def _relative(value: Any, folder: str | Path) -> Any:
    """Return a value; a path of a file in a folder relative to it, other ones from here absolute.
    """
    if not isinstance(value, str) or not os.path.isfile(value):
        return value
    if value.startswith(f'{folder}{os.sep}'):
        return _BESIDE + str(Path(value).relative_to(folder))
    return os.path.abspath(value) if value.startswith(_BESIDE) else value


def _absolute(value: Any, file: str | Path) -> Any:
    """Return a value of a file; the path of one beside a RECORDED file as an absolute one."""
    if isinstance(value, str) and value.startswith(_BESIDE) and Path(file).name == RECORDED:
        beside = str(Path(file).resolve().parent / value)
        return beside if os.path.isfile(beside) else value
    return value


def _rank(value: Any) -> tuple[bool, int]:
    """Return which of several values counts: the least rank does."""
    is_list = isinstance(value, list)
    return is_list, _TYPES.index(type(value[0] if is_list else value))


def _sections(file: str | Path) -> Iterator[tuple[str, list[tuple[str, Any, bool]]]]:
    """Yield (name, [(name of a parameter, value, whether it is nested)]) of a file's sections."""
    try:
        for document in documents(Path(file).read_text(encoding='utf-8')):
            yield from _named('', document)
    except ParameterValueError as error:
        raise ValueError(f'{file}: {error}') from None


def _named(name: str, node: Any) -> Iterator[tuple[str, list[tuple[str, Any, bool]]]]:
    """Yield the sections below a name, of namespaces and nodes, or the one that it names."""
    if not isinstance(node, yaml.MappingNode):
        raise ParameterValueError(f'{name or "it"} must be a mapping down to {_KEY}')
    for key, value in node.value:
        if key.value != _KEY:
            yield from _named(f'{name}/{key.value}' if name else key.value, value)
        elif isinstance(value, yaml.MappingNode):
            yield name, list(_flat(value))
        else:
            raise ParameterValueError(f'{name}/{_KEY} must be a mapping')


def _flat(node: Any, prefix: str = '') -> Iterator[tuple[str, Any, bool]]:
    """Yield (name, value, whether it is nested) of nested mappings, names joined by dots."""
    for key, value in node.value:
        if isinstance(value, yaml.MappingNode):
            yield from _flat(value, f'{prefix}{key.value}.')
        else:
            yield f'{prefix}{key.value}', value_of(value), bool(prefix)
