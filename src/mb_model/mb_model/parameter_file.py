"""Parameters of nodes in YAML files, as ROS 2 reads them, for programs that are no nodes."""

from dataclasses import MISSING, fields
import fnmatch
from pathlib import Path

import yaml

from mb_model.settings import SettingError

RECORDED = 'parameters.yaml'        # of all nodes of a recorded run, beside its bag
_KEY = 'ros__parameters'


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
    came first, in any of the files, counts least, as in ROS 2.  Raises OSError, ValueError.
    """
    sections, found = {}, {}
    for file in files:
        for name, values in _sections(file):
            sections.setdefault(name, {}).update(values)
    full_name = f'{namespace.rstrip("/")}/{node}'
    for name, values in sections.items():
        if fnmatch.fnmatchcase(full_name, name.replace('**', '*')):
            found |= values
    return found


def write_parameters(nodes, path):
    """Write {name of a node: values by name} as a parameter file."""
    sections = {node: {_KEY: values} for node, values in nodes.items()}
    Path(path).write_text(yaml.safe_dump(sections, sort_keys=False), encoding='utf-8')


def _sections(file):
    """Yield (full name, values by name) of the sections of a file."""
    text = Path(file).read_text(encoding='utf-8')
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f'{file}: {error}') from None
    yield from _named(file, '', {} if document is None else document)


def _named(file, name, content):
    """Yield the sections below a name, of namespaces and nodes, or the one that it names."""
    if not isinstance(content, dict):
        raise ValueError(f'{file}: {name or "it"} must be a mapping down to {_KEY}')
    for key, value in content.items():
        if key != _KEY:
            yield from _named(file, f'{name}/{str(key).lstrip("/")}', value)
        elif isinstance(value, dict):
            yield name, dict(_flat(value))
        else:
            raise ValueError(f'{file}: {name}/{_KEY} must be a mapping')


def _flat(values, prefix=''):
    """Yield (name, value) of nested mappings, names joined by dots."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f'{prefix}{name}.')
        else:
            yield f'{prefix}{name}', value
