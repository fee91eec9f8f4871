"""ROS parameters from Settings classes, so that descriptors and checks are written once."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import MISSING, fields
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.exceptions import (
    InvalidParameterTypeException,
    InvalidParameterValueException,
    ParameterUninitializedException,
)
from rclpy.node import Node
from rclpy.parameter import Parameter

_TYPES = {float: Parameter.Type.DOUBLE, int: Parameter.Type.INTEGER, bool: Parameter.Type.BOOL,
          str: Parameter.Type.STRING, tuple[float, ...]: Parameter.Type.DOUBLE_ARRAY,
          tuple[str, ...]: Parameter.Type.STRING_ARRAY}
_TEXTS = str, tuple[str, ...]


def declare_settings(node: Node, settings_class: type[Any], prefix: str = '',
                     defaults: Mapping[str, Any] | None = None,
                     chosen: Mapping[str, Any] | None = None, when: Any = None) -> dict[str, Any]:
    """Declare every setting as a parameter of the node and return the settings made from them.

    settings_class: a Settings dataclass; defaults: values that replace the class's own; chosen:
    values that replace also what command line and files give; when(name): a change takes effect, in
    words; without it changes are refused.  All are declared, also if one of them raises ValueError
    naming the parameter, its value and what was expected.
    """
    own_defaults = {f.name: f.default for f in fields(settings_class) if f.default is not MISSING}
    defaults, chosen = {**own_defaults, **(defaults or {})}, chosen or {}
    values, problems = {}, []
    for name, kind, description in settings_class.describe():
        try:
            values[name] = _declare(
                node, prefix + name, kind, chosen.get(name, defaults.get(name)),
                _descriptor(kind, description, when and when(name)), description, name in chosen)
            if values[name] is None:
                raise ValueError(f'{prefix}{name}: missing; expected: {description.help}')
        except ValueError as error:
            problems.append(error)
    if problems:
        raise problems[0]
    return settings_from(settings_class, prefix, values)


def declare_autostart(node: Node) -> bool:
    """Declare the parameter `autostart` of a managed node; return it.  Raises ValueError."""
    descriptor = ParameterDescriptor(
        description='Whether to configure and activate at the start; if not, it waits for '
                    'transitions', read_only=True)
    try:
        return node.declare_parameter('autostart', True, descriptor).value
    except InvalidParameterTypeException as error:
        raise ValueError(f'autostart: must be true or false ({error.args[0]})') from error


def settings_from(settings_class: Any, prefix: str, values: Mapping[str, Any]) -> Any:
    """Return settings with values by name; ValueErrors begin with the name of the parameter."""
    try:
        return settings_class(**values)
    except ValueError as error:
        raise ValueError(f'{prefix}{error}') from error


def setting_value(kind: Any, value: Any) -> Any:
    """Return the value of a parameter as a setting of some kind has it; None for None."""
    return tuple(value) if value is not None and kind in (
        tuple[float, ...], tuple[str, ...]) else value


def parameter_meant(parameter: Parameter, kind: Any, description: Any) -> Parameter:
    """Return the Parameter of a text that YAML, here or in the client, took for a truth value.

    kind, description: of the setting.  Every other Parameter is returned as it is.
    """
    if kind not in _TEXTS:
        return parameter
    value = value_meant(kind, parameter.value, description)
    fits = isinstance(value, str) if kind is str else isinstance(value, list) and value and all(
        isinstance(item, str) for item in value)
    return Parameter(parameter.name, _TYPES[kind], value) if fits else parameter


def value_meant(kind: Any, value: Any, description: Any) -> Any:
    """Return the value of a text, or of texts in a list, as its description has it."""
    if kind is str:
        return description.text_meant(value)
    if isinstance(value, (list, tuple)):
        return [description.text_meant(item) for item in value]
    return value


def _declare(node, name, kind, default, descriptor, description, ignore_override):
    """Declare one parameter; return its value, or None if it has none."""
    initial = list(default) if isinstance(default, tuple) else default
    try:
        return _declared(node, name, kind, initial, descriptor, ignore_override)
    except InvalidParameterTypeException as error:
        given = parameter_meant(_given(node, name), kind, description)
        if kind in _TEXTS and given.type_ == _TYPES[kind]:
            return _declared(node, name, kind, given.value, descriptor, True)
        hint = ', what YAML reads as something else needs quotes' if kind in _TEXTS else ''
        unit = '' if kind in _TEXTS else description.unit_problem(given.value)
        problem = f'{name}: ' + (
            unit or f'must be of type {_TYPES[kind].name.lower()} ({error.args[0]}){hint}')
    except InvalidParameterValueException as error:
        expected = description.expectation() or 'within its range'
        problem = f'{name}: must be {expected} ({error.args[0]})'
    _declared(node, name, kind, initial, descriptor, True)
    raise ValueError(problem)


def _declared(node, name, kind, initial, descriptor, ignore_override):
    """Declare one parameter of a type; return its value, None if it has none.

    An empty list has no type in ROS, so it is declared by its type and set then: what has no value
    cannot be dumped or got with others.  rclpy keeps and fills the descriptor that it is given, so
    it gets one of its own each time.
    """
    if initial is not None and initial != []:
        return setting_value(kind, node.declare_parameter(
            name, initial, deepcopy(descriptor), ignore_override).value)
    changeable = deepcopy(descriptor)
    changeable.read_only = False
    try:
        value = node.declare_parameter(name, _TYPES[kind], changeable, ignore_override).value
    except ParameterUninitializedException:
        value = None
    if value is None and initial == []:
        node.set_parameters([Parameter(name, _TYPES[kind], [])])
        value = []
    if descriptor.read_only and value is not None:      # rclpy describes what has a value
        final = deepcopy(descriptor)
        final.name, final.type = name, _TYPES[kind].value
        node.set_descriptor(name, final)
    return setting_value(kind, value)


def _given(node: Node, name: str) -> Any:
    """Return the Parameter that command line or files give, of whatever type."""
    parameter = node.declare_parameter(name, None, ParameterDescriptor(dynamic_typing=True))
    node.undeclare_parameter(name)
    return parameter


def _descriptor(kind, description, when):
    """Return the ParameterDescriptor; ROS ranges are inclusive, the rest is stated in words."""
    help_text = description.help + (f' [{description.unit}]' if description.unit else '')
    # A node that reads its settings once refuses a later change rather than ignore it.
    constraints = '; '.join(words for words in (description.expectation(), when) if words)
    descriptor = ParameterDescriptor(
        description=help_text, additional_constraints=constraints, read_only=when is None)
    if kind in (float, int):
        least, largest = description.range(kind)
        if kind is float:
            descriptor.floating_point_range.append(FloatingPointRange(
                from_value=least, to_value=largest))
        else:
            descriptor.integer_range.append(IntegerRange(
                from_value=least, to_value=largest, step=1))
    return descriptor
