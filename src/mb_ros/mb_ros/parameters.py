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


def declare_settings(node, settings_class, prefix='', defaults=None):
    """Declare every setting as a parameter of the node and return the settings made from them.

    settings_class: a Settings dataclass; defaults: values that replace the class's own.
    Raises ValueError naming the parameter, its value and what was expected.
    """
    own_defaults = {f.name: f.default for f in fields(settings_class) if f.default is not MISSING}
    values = {}
    for name, kind, description in settings_class.describe():
        default = {**own_defaults, **(defaults or {})}.get(name)
        value = _declare(node, prefix + name, kind, default, description)
        if value is None:
            raise ValueError(f'{prefix}{name}: missing; expected: {description.help}')
        values[name] = value
    try:
        return settings_class(**values)
    except ValueError as error:
        raise ValueError(f'{prefix}{error}') from error


def _declare(node, name, kind, default, description):
    """Declare one parameter; return its value, or None if it has none."""
    # An empty list has no type in ROS, so it is declared by its type alone.
    known = default is not None and default != ()
    initial = _TYPES[kind]
    if known:
        initial = list(default) if isinstance(default, tuple) else default
    try:
        value = node.declare_parameter(name, initial, _descriptor(kind, description)).value
    except InvalidParameterTypeException as error:
        expected = _TYPES[kind].name.lower()
        raise ValueError(f'{name}: must be of type {expected} ({error.args[0]})') from error
    except InvalidParameterValueException as error:
        expected = description.expectation()
        raise ValueError(f'{name}: must be {expected} ({error.args[0]})') from error
    except ParameterUninitializedException:
        value = None
    if value is None:
        return default
    return tuple(value) if getattr(kind, '__origin__', None) is tuple else value


def _descriptor(kind, description):
    """Return the ParameterDescriptor; ROS ranges are inclusive, the rest is told in words."""
    help_text = description.help + (f' [{description.unit}]' if description.unit else '')
    # Nodes read their settings once, so a later change is refused rather than ignored.
    descriptor = ParameterDescriptor(
        description=help_text, additional_constraints=description.expectation(), read_only=True)
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
