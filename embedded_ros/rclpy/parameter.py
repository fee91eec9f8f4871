"""Parameters: name, type and value; and parameters written as YAML."""
import array
from collections.abc import Sequence
from enum import IntEnum
from types import GenericAlias

from rcl_interfaces.msg import Parameter as ParameterMsg, ParameterType, ParameterValue

PARAMETER_SEPARATOR_STRING = '.'
_SEQUENCES = (list, tuple, array.array)
AllowableParameterValue = (
    None | bool | int | float | str | list[bytes] | Sequence[bool] | Sequence[int]
    | Sequence[float] | Sequence[str])


class Parameter:
    """A parameter; its type follows from the value; a given type is checked."""

    __class_getitem__ = classmethod(GenericAlias)  # Parameter[int] in annotations

    class Type(IntEnum):
        """Types of parameters, numbered as in rcl_interfaces."""

        NOT_SET = ParameterType.PARAMETER_NOT_SET
        BOOL = ParameterType.PARAMETER_BOOL
        INTEGER = ParameterType.PARAMETER_INTEGER
        DOUBLE = ParameterType.PARAMETER_DOUBLE
        STRING = ParameterType.PARAMETER_STRING
        BYTE_ARRAY = ParameterType.PARAMETER_BYTE_ARRAY
        BOOL_ARRAY = ParameterType.PARAMETER_BOOL_ARRAY
        INTEGER_ARRAY = ParameterType.PARAMETER_INTEGER_ARRAY
        DOUBLE_ARRAY = ParameterType.PARAMETER_DOUBLE_ARRAY
        STRING_ARRAY = ParameterType.PARAMETER_STRING_ARRAY

        @classmethod
        def from_parameter_value(cls, parameter_value):
            """Type of a Python value; TypeError for values that no parameter can have.

            An empty sequence counts as BYTE_ARRAY.
            """
            if parameter_value is None:
                return cls.NOT_SET
            for kind, scalar in _SCALARS.items():
                if isinstance(parameter_value, scalar):
                    return kind
            if isinstance(parameter_value, _SEQUENCES):
                for kind, element in _ARRAYS.items():
                    if all(isinstance(item, element) for item in parameter_value):
                        return kind
            raise TypeError(
                f"The given value is not one of the allowed types '{parameter_value}'.")

        def check(self, parameter_value):
            """Whether a value fits this type."""
            if self == Parameter.Type.NOT_SET:
                return parameter_value is None
            if self in _SCALARS:
                return isinstance(parameter_value, _SCALARS[self])
            return isinstance(parameter_value, _SEQUENCES) and all(
                isinstance(item, _ARRAYS[self]) for item in parameter_value)

    @classmethod
    def from_parameter_msg(cls, param_msg):
        """Make one of a rcl_interfaces.msg.Parameter."""
        return cls(param_msg.name, Parameter.Type(param_msg.value.type),
                   parameter_value_to_python(param_msg.value))

    def __init__(self, name, type_=None, value=None):
        if type_ is None:
            type_ = Parameter.Type.from_parameter_value(value)
        if not isinstance(type_, Parameter.Type):
            raise TypeError(f'type must be an instance of {Parameter.Type!r}')
        if not type_.check(value):
            raise ValueError(f"Type '{type_}' and value '{value}' do not agree")
        self._type_, self._name, self._value = type_, name, value

    @property
    def name(self):
        return self._name

    @property
    def type_(self):
        return self._type_

    @property
    def value(self):
        return self._value

    def get_parameter_value(self):
        """Give the value as rcl_interfaces.msg.ParameterValue."""
        message = ParameterValue(type=self.type_.value)
        if self.type_ != Parameter.Type.NOT_SET:
            setattr(message, _VALUE_FIELDS[self.type_], self.value)
        return message

    def to_parameter_msg(self):
        return ParameterMsg(name=self.name, value=self.get_parameter_value())


_SCALARS = {Parameter.Type.BOOL: bool, Parameter.Type.INTEGER: int,
            Parameter.Type.DOUBLE: float, Parameter.Type.STRING: str}
_ARRAYS = {Parameter.Type.BYTE_ARRAY: bytes, Parameter.Type.BOOL_ARRAY: bool,
           Parameter.Type.INTEGER_ARRAY: int, Parameter.Type.DOUBLE_ARRAY: float,
           Parameter.Type.STRING_ARRAY: str}
_VALUE_FIELDS = {kind: f'{kind.name.lower()}_value' for kind in (*_SCALARS, *_ARRAYS)}


def parameter_value_to_python(parameter_value):
    """Give the value inside a rcl_interfaces.msg.ParameterValue; None if it is not set."""
    if parameter_value.type == ParameterType.PARAMETER_NOT_SET:
        return None
    try:
        return getattr(parameter_value, _VALUE_FIELDS[parameter_value.type])
    except KeyError:
        raise RuntimeError(f'unexpected parameter type {parameter_value.type}') from None


def get_parameter_value(string_value):
    """Read a value as YAML writes it and give a ParameterValue; what is no value is a string."""
    import yaml
    try:
        value = yaml.safe_load(string_value)
    except yaml.YAMLError:
        value = string_value
    if isinstance(value, list) and not value:
        return ParameterValue(type=ParameterType.PARAMETER_BOOL_ARRAY)
    try:
        return Parameter('', value=value if value is not None else string_value
                         ).get_parameter_value()
    except TypeError:
        return ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=string_value)


def parameter_dict_from_yaml_file(parameter_file, use_wildcard=False, target_nodes=None,
                                  namespace=''):
    """Read a parameter file: {name: rcl_interfaces.msg.Parameter}, of all nodes or some.

    target_nodes are full names ('/ns/node'); use_wildcard includes sections with '*';
    namespace is put before every name. RuntimeError where there is nothing for the nodes.
    """
    from rclpy.impl.parameter_files import ParameterSections, matches
    from rclpy.impl.yaml_values import ParameterYamlError
    file = ParameterSections()
    try:
        file.add_file(parameter_file)
    except ParameterYamlError as error:
        raise RuntimeError(
            f'{parameter_file} is not a valid ROS parameter file: {error}') from None
    nodes = ['/' + node.lstrip('/') for node in target_nodes or []]
    selected = [
        pattern for pattern in file.sections
        if (use_wildcard or '*' not in pattern)
        and (not nodes or any(matches(pattern, node) for node in nodes))]
    if not selected:
        wanted = ', '.join(nodes) or 'any node'
        raise RuntimeError(f'Param file does not contain any valid parameters for {wanted}, '
                           f'only for {", ".join(file.sections)}')
    selected.sort(key=lambda pattern: '*' not in pattern)  # a node's own section counts last
    return {namespace + name: Parameter(namespace + name, value=value).to_parameter_msg()
            for pattern in selected for name, value in file.sections[pattern].items()}
