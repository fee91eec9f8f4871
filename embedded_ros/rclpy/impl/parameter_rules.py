"""Which values a parameter's descriptor allows."""
import math

from rclpy.parameter import Parameter

_NOT_SET = Parameter.Type.NOT_SET


def type_refusal(parameter, descriptor, declaring=False):
    """Why a value has the wrong type, None if it is right.

    While `declaring`, a parameter may still have no value.
    """
    if descriptor.dynamic_typing or (declaring and parameter.type_ == _NOT_SET):
        return None
    if parameter.type_ == _NOT_SET:
        return 'Static parameter cannot be undeclared'
    expected = Parameter.Type(descriptor.type)
    if parameter.type_ != expected:
        return (f"Wrong parameter type, parameter {{{parameter.name}}} is of type "
                f"'Type.{expected.name}', setting it to 'Type.{parameter.type_.name}' is not "
                'allowed.')
    return None


def refusal(parameter, descriptor):
    """Why a value is outside the range that the descriptor gives, None if it is inside."""
    value = parameter.value
    if parameter.type_ == Parameter.Type.INTEGER and descriptor.integer_range:
        limits, inside = descriptor.integer_range[0], _integer_inside
    elif parameter.type_ == Parameter.Type.DOUBLE and descriptor.floating_point_range:
        limits, inside = descriptor.floating_point_range[0], _double_inside
    else:
        return None
    low, high = sorted((limits.from_value, limits.to_value))
    if inside(value, low, high, limits.step):
        return None
    bounds = f'Min: {low}, Max: {high}, value: {value}'
    if low <= value <= high:
        return (f'The parameter value for {parameter.name} is not a valid step. {bounds}, '
                f'step: {limits.step}')
    return f'Parameter {parameter.name} out of range. {bounds}'


def _integer_inside(value, low, high, step):
    if not low <= value <= high:
        return False
    return value == high or not step or (value - low) % step == 0


def _double_inside(value, low, high, step):
    def close(other):
        return math.isclose(value, other, rel_tol=1e-6)

    if close(low) or close(high):
        return True
    if not low <= value <= high:
        return False
    return not step or close(low + step * round((value - low) / step))


def within_depth(name, prefix, depth):
    """Whether a name is the prefix itself or at most depth levels below it (0: any number)."""
    if prefix:
        if name == prefix:
            return True
        if not name.startswith(prefix + '.'):
            return False
        name = name[len(prefix) + 1:]
    return depth == 0 or name.count('.') < depth
