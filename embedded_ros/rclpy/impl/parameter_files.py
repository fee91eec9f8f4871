"""Parameters for nodes by name patterns, from parameter files and -p arguments.

    /**:                    all nodes           /ns/*:   nodes directly in /ns
      ros__parameters:      '**' stands for any number of names, '*' for exactly one;
        gain: 1.0           a pattern without a leading slash is one in the root
        filter: {kind: ukf} nested names are joined by dots
"""
import re

from rclpy.impl.parameter_file_reader import ParameterFileReader
from rclpy.impl.yaml_values import GivenValues, read_value


class ParameterSections:
    """Sections by pattern, in the order in which patterns came first; later ones count more.

    'node' and '/node' are two patterns, and stay apart, although they mean the same node.
    """

    def __init__(self):
        self._sections = {}

    @property
    def sections(self):
        """{pattern: {parameter name: value}}; a value is None where only a name was given."""
        found = {}
        for pattern, section in self._sections.items():
            found.setdefault('/' + pattern.removeprefix('/'), {}).update(section.values())
        return found

    def add(self, pattern, name, text):
        """Add `-p pattern:name:=text`."""
        read_value(text, self.section(pattern).find(name).given)

    def add_file(self, path):
        """Add a parameter file; ParameterYamlError or OSError where it cannot be read."""
        with open(path, encoding='utf-8') as stream:
            text = stream.read()
        ParameterFileReader(self).read(text)

    def for_node(self, full_name):
        """Values for the node '/ns/name': all matching sections, later ones over earlier ones."""
        values = {}
        for pattern, section in self._sections.items():
            if matches(pattern, full_name):
                values.update(section.values())
        return values

    def section(self, pattern):
        """The Section of a pattern, a new one if need be."""
        return self._sections.setdefault(pattern if pattern != '**' else '/**', Section())


class Section:
    """Parameters of one pattern, in the order in which they came."""

    def __init__(self):
        self._parameters = []

    def find(self, name):
        """The first parameter of this name, a new one if need be."""
        for parameter in self._parameters:
            if parameter.name == name:
                return parameter
        self._parameters.append(Given(name))
        return self._parameters[-1]

    def values(self):
        """{name: value}; the last one of a name counts."""
        return {parameter.name: parameter.given.value() for parameter in self._parameters}


class Given:
    """A parameter: its name and what it was given."""

    def __init__(self, name):
        self.name, self.given = name, GivenValues()


def matches(pattern, full_name):
    """Whether a pattern of names ('/**', '/ns/*', '/ns/node') fits the node '/ns/name'."""
    expression = ''
    for token in pattern.removeprefix('/').split('/'):
        expression += {'**': '(/[^/]+)*', '*': '/[^/]+'}.get(token, '/' + re.escape(token))
    return re.fullmatch(expression, full_name) is not None
