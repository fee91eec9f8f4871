"""Parameters for nodes by name patterns, from parameter files and -p arguments.

    /**:                    all nodes           /ns/*:   nodes directly in /ns
      ros__parameters:      '**' stands for any number of names, '*' for exactly one;
        gain: 1.0           a pattern without a leading slash is one in the root
        filter: {kind: ukf} nested names are joined by dots
"""
import re

import yaml

from rclpy.impl.yaml_values import ParameterYamlError, compose, node_value, value_of

_MARK = 'ros__parameters'


class ParameterSections:
    """Sections {pattern: {parameter name: value}} in the order in which patterns came first."""

    def __init__(self):
        self.sections = {}

    def add(self, pattern, name, text):
        """Add `-p pattern:name:=text`."""
        self._section(pattern)[name] = value_of(text)

    def add_file(self, path):
        """Add a parameter file; ParameterYamlError or OSError where it cannot be read."""
        with open(path, encoding='utf-8') as stream:
            root = compose(stream.read())
        if root is not None:
            self._add_names('', root)

    def for_node(self, full_name):
        """Values for the node '/ns/name': all matching sections, later ones over earlier ones."""
        values = {}
        for pattern, section in self.sections.items():
            if matches(pattern, full_name):
                values.update(section)
        return values

    def _section(self, pattern):
        return self.sections.setdefault('/' + pattern.lstrip('/'), {})

    def _add_names(self, prefix, node):
        """Walk down names of namespaces and nodes to the ros__parameters."""
        line = node.start_mark.line + 1
        if not isinstance(node, yaml.MappingNode):
            raise ParameterYamlError(
                f'expected names of nodes and {_MARK} below them, at line {line}')
        for key, value in node.value:
            if key.value == _MARK:
                if not prefix:
                    raise ParameterYamlError(f'{_MARK} without a node name, at line {line}')
                self._add_values(self._section(prefix), '', value)
            else:
                name = key.value.strip('/')
                self._add_names(f'{prefix}/{name}' if prefix else name, value)

    def _add_values(self, section, prefix, node):
        if not isinstance(node, yaml.MappingNode):
            if isinstance(node, yaml.ScalarNode) and not node.value:
                return  # 'ros__parameters:' with nothing below
            raise ParameterYamlError(
                f'expected names and values below {_MARK}, at line {node.start_mark.line + 1}')
        for key, value in node.value:
            name = f'{prefix}.{key.value}' if prefix else key.value
            if isinstance(value, yaml.MappingNode):
                self._add_values(section, name, value)
            else:
                found = node_value(value)
                if found != []:  # an empty sequence has no type
                    section[name] = found


def matches(pattern, full_name):
    """Whether a pattern of names ('/**', '/ns/*', '/ns/node') fits the node '/ns/name'."""
    expression = ''
    for token in pattern.strip('/').split('/'):
        expression += {'**': '(/[^/]+)*', '*': '/[^/]+'}.get(token, '/' + re.escape(token))
    return re.fullmatch(expression, full_name) is not None
