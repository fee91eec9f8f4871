"""ROS parameters from Settings classes, so that descriptors and checks are written once."""

from dataclasses import MISSING, fields
import sys

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.exceptions import (
    InvalidParameterTypeException,
    InvalidParameterValueException,
    ParameterUninitializedException,
)
from rclpy.parameter import Parameter

_TYPES = {float: Parameter.Type.DOUBLE, int: Parameter.Type.INTEGER, bool: Parameter.Type.BOOL,
          str: Parameter.Type.STRING, tuple[float, ...]: Parameter.Type.DOUBLE_ARRAY,
          tuple[str, ...]: Parameter.Type.STRING_ARRAY}
_INT64_MAX = 2**63 - 1


def declare_settings(node, settings_class, prefix='', defaults=None, chosen=None, when=None):
    """Declare every setting as a parameter of the node and return the settings made from them.

    settings_class: a Settings dataclass; defaults: values that replace the class's own; chosen:
    values that replace also those of command line and files; when(name): a change takes effect, in
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


def settings_from(settings_class, prefix, values):
    """Return settings with values by name; ValueErrors begin with the name of the parameter."""
    try:
        return settings_class(**values)
    except ValueError as error:
        raise ValueError(f'{prefix}{error}') from error


def setting_value(kind, value):
    """Return the value of a parameter as that of a setting of some kind; None for None."""
    return tuple(value) if value is not None and kind in (
        tuple[float, ...], tuple[str, ...]) else value


def _declare(node, name, kind, default, descriptor, description, ignore_override):
    """Declare one parameter; return its value, or None if it has none."""
    # An empty list has no type in ROS, so it is declared by its type alone.
    known = default is not None and default != ()
    initial = _TYPES[kind]
    if known:
        initial = list(default) if isinstance(default, tuple) else default
    try:
        value = node.declare_parameter(name, initial, descriptor, ignore_override).value
    except InvalidParameterTypeException as error:
        problem = f'{name}: must be of type {_TYPES[kind].name.lower()} ({error.args[0]})'
    except InvalidParameterValueException as error:
        problem = f'{name}: must be {description.expectation()} ({error.args[0]})'
    except ParameterUninitializedException:
        return default
    else:
        return default if value is None else setting_value(kind, value)
    node.declare_parameter(name, initial, descriptor, ignore_override=True)
    raise ValueError(problem)


def _descriptor(kind, description, when):
    """Return the ParameterDescriptor; ROS ranges are inclusive, the rest is told in words."""
    help_text = description.help + (f' [{description.unit}]' if description.unit else '')
    # A node that reads its settings once refuses a later change rather than ignore it.
    constraints = '; '.join(words for words in (description.expectation(), when) if words)
    descriptor = ParameterDescriptor(
        description=help_text, additional_constraints=constraints, read_only=when is None)
    low = description.at_least if description.at_least is not None else description.above
    high = description.at_most
    if low is None and high is None:
        return descriptor
    if kind is float:
        descriptor.floating_point_range.append(FloatingPointRange(
            from_value=float(-sys.float_info.max if low is None else low),
            to_value=float(sys.float_info.max if high is None else high)))
    elif kind is int:
        descriptor.integer_range.append(IntegerRange(
            from_value=-_INT64_MAX if low is None else int(low),
            to_value=_INT64_MAX if high is None else int(high), step=1))
    return descriptor
