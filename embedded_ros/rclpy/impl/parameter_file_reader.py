"""Parameter files, read event by event as rcl reads them."""
import re

import yaml

from rclpy.impl.yaml_values import ParameterYamlError, events, place

_MARK = 'ros__parameters'
_NAME = re.compile(r'/?((\*\*?|[A-Za-z_]\w*)/)*(\*\*?|[A-Za-z_]\w*)', re.ASCII)


class ParameterFileReader:
    """Reads the events of a parameter file into sections.

    A nested mapping renames the parameter of its name: 'filter' becomes 'filter.kind'.  Nested
    parameters therefore are always new ones, while others, as with -p, keep what they were
    given before.  Documents of one file count as one; a list within a list replaces it.
    """

    def __init__(self, sections):
        self._sections = sections
        self._names, self._prefix = Path('/'), Path('.')
        self._depth = 0
        self._section = self._parameter = None      # section: None outside of ros__parameters
        self._expects_key, self._in_list, self._nests = True, False, False

    def read(self, text):
        """Read a text; raises ParameterYamlError."""
        handlers = {yaml.ScalarEvent: self._scalar, yaml.AliasEvent: self._alias,
                    yaml.SequenceStartEvent: self._begin_list,
                    yaml.SequenceEndEvent: self._end_list,
                    yaml.MappingStartEvent: self._begin_mapping,
                    yaml.MappingEndEvent: self._end_mapping}
        for event in events(text):
            handlers.get(type(event), lambda event: None)(event)

    def _scalar(self, event):
        if self._expects_key:
            if not event.value:
                raise ParameterYamlError(f'no name {place(event)}')
            (self._node_key if self._section is None else self._parameter_key)(event)
            self._expects_key = False
            return
        if self._section is None:
            raise ParameterYamlError(
                f'expected names of nodes and {_MARK} below them, {place(event)}')
        if self._parameter is None:
            raise ParameterYamlError(f'expected names and values below {_MARK}, {place(event)}')
        self._parameter.given.add(event, self._in_list)
        self._expects_key = not self._in_list

    def _node_key(self, event):
        if not event.value.startswith(_MARK):
            self._names.add(event.value)
            return
        pattern = self._names.text
        if not pattern:
            raise ParameterYamlError(f'{_MARK} without a node name, {place(event)}')
        if not _NAME.fullmatch(pattern):
            raise ParameterYamlError(f"'{pattern}' is no name of nodes, {place(event)}")
        self._section, self._parameter = self._sections.section(pattern), None
        self._names.remove()

    def _parameter_key(self, event):
        if self._nests:
            if self._parameter is None:
                raise ParameterYamlError(f'a mapping without a name, {place(event)}')
            self._prefix.enter(self._parameter.name)
            self._nests = False
        prefix = self._prefix.text
        self._parameter = self._section.find(prefix or event.value)
        if prefix:
            self._parameter.name = f'{prefix}.{event.value}'

    def _begin_list(self, event):
        if self._expects_key or self._section is None or self._parameter is None:
            raise ParameterYamlError(f'a sequence is no name, {place(event)}')
        self._in_list = True
        self._parameter.given.begin_list()

    def _end_list(self, event):
        self._in_list, self._expects_key = False, True

    def _begin_mapping(self, event):
        self._depth += 1
        self._expects_key = True
        self._nests = self._section is None or self._depth != self._names.count + 3

    def _end_mapping(self, event):
        if self._section is None:
            if self._depth == self._names.count + 1:
                self._names.remove()
        elif self._prefix.count:
            self._prefix.remove()
        else:
            self._section = None
        self._depth -= 1

    def _alias(self, event):
        raise ParameterYamlError(f'aliases are not supported, {place(event)}')


class Path:
    """Names joined by a separator, while it is counted how often one was added."""

    def __init__(self, separator):
        self.text, self.count, self._separator = '', 0, separator

    def add(self, name):
        """Add a name at the end."""
        between = '' if not self.text or self.text.endswith(self._separator) else self._separator
        self.enter(f'{self.text}{between}{name}')

    def enter(self, text):
        """Replace the names by others, which are one more."""
        self.text, self.count = text, self.count + 1

    def remove(self):
        """Remove the last name."""
        self.count = max(0, self.count - 1)
        self.text = self.text.rpartition(self._separator)[0] if self.count else ''
