"""Parameters of nodes in YAML files, as ROS 2 reads them, for programs that are no nodes."""

from dataclasses import MISSING, fields
from pathlib import Path
import re

import yaml

from mb_model.settings import SettingError
from mb_model.settings.parameter_text import sections_text
from mb_model.settings.parameter_yaml import ParameterValueError, documents, value_of

RECORDED = 'parameters.yaml'        # of all nodes of a recorded run, beside its bag
_KEY = 'ros__parameters'
_TYPES = (bool, int, float, str)


class GivenParameters:
    """Values of parameters by name, from which settings are made as a node makes them.

    Names that no settings ask for are of no effect, as with a node.
    """

    def __init__(self, values, source='parameters'):
        """Set up for values by name, such as 'filter.alpha'; source: of them, for errors."""
        self.values, self._source = dict(values), source

    def settings_of(self, settings_class, prefix='', defaults=None):
        """Return settings; defaults: values that replace the class's own.  Raises SettingError."""
        values = dict(defaults or {})
        values |= {name: self.values[prefix + name] for name, _, _ in settings_class.describe()
                   if prefix + name in self.values}
        missing = [f.name for f in fields(settings_class)
                   if f.default is MISSING and f.name not in values]
        if missing:
            raise SettingError(f'{self._source}: {prefix}{missing[0]}: missing')
        try:
            return settings_class(**values)
        except SettingError as error:
            raise SettingError(f'{self._source}: {prefix}{error}') from None


def read_parameters(files, node, namespace='/'):
    """Return the values by name that parameter files hold for a node; later ones count more.

    Sections are named for the node ('estimator', '/estimator') or for many ('/**'); whichever name
    came first, in any of the files, counts least.  A value replaces one of its own type; of
    several types given under one name the first of bool, int, float, str, lists counts, unless
    the name is nested ('filter: {gate: ...}').  All as in ROS 2.  Raises OSError, ValueError.
    """
    sections, found = {}, {}
    for file in files:
        for name, values in _sections(file):
            section = sections.setdefault(name, {})
            for key, value, nested in values:
                given = {} if nested else section.get(key, {})
                section[key] = given if value is None else {**given, _rank(value): value}
    full_name = f'{namespace.rstrip("/")}/{node}'
    for name, values in sections.items():
        if re.fullmatch(f'/{name.removeprefix("/")}'.replace('/*', r'(/\w+)'), full_name):
            found |= {key: given[min(given)] for key, given in values.items() if given}
    return found


def write_parameters(nodes, path):
    """Write {name of a node: values by name} as a parameter file."""
    Path(path).write_text(sections_text(nodes), encoding='utf-8')


def _rank(value):
    """Return which of several values counts: that of the least rank."""
    is_list = isinstance(value, list)
    return is_list, _TYPES.index(type(value[0] if is_list else value))


def _sections(file):
    """Yield (name, [(name of a parameter, value, whether it is nested)]) of a file's sections."""
    try:
        for document in documents(Path(file).read_text(encoding='utf-8')):
            yield from _named('', document)
    except ParameterValueError as error:
        raise ValueError(f'{file}: {error}') from None


def _named(name, node):
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


def _flat(node, prefix=''):
    """Yield (name, value, whether it is nested) of nested mappings, names joined by dots."""
    for key, value in node.value:
        if isinstance(value, yaml.MappingNode):
            yield from _flat(value, f'{prefix}{key.value}.')
        else:
            yield f'{prefix}{key.value}', value_of(value), bool(prefix)
