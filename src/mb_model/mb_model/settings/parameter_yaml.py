"""YAML of parameters as ROS 2 reads it, which is neither YAML 1.1 nor 1.2.

rcl reads numbers as C does: 017 is 15, 1e3 and nan are floats, 1_000 and 1:30 are strings; quotes
or !!str make a string.  It refuses aliases, mixed lists and missing values; an empty list is none.
"""

from collections.abc import Mapping
import re
import sys
from typing import Any

import yaml

_TRUE = {'Y', 'y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'}
_FALSE = {'N', 'n', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'}
_INTEGER = re.compile(r'([-+]?)(?:(0[xX][0-9a-fA-F]+)|0([0-7]*)|([1-9][0-9]*))')
_DECIMAL = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?')
_HEXADECIMAL = re.compile(r'[-+]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)'
                          r'(?:[pP][-+]?[0-9]+)?')
_NOT_FINITE = re.compile(r'([-+]?)(?:\.(?:inf|Inf|INF)|(?i:inf|infinity))')
_NO_NUMBER = re.compile(r'\.(?:nan|NaN|NAN)|[-+]?(?i:nan)(?:\(\w*\))?', re.ASCII)
_UNTAGGED = '?'
INTEGER_LIMIT = 2 ** 63     # integers have 64 bits: -limit <= value < limit
STRING_TAG = 'tag:yaml.org,2002:str'


class ParameterValueError(ValueError):
    """What cannot be the value of a parameter."""


def scalar_of(text: str) -> bool | int | float | str:
    """Return the bool, int, float or str that a text without quotes is."""
    if text in _TRUE | _FALSE:
        return text in _TRUE
    integer = _integer(text)
    return integer if integer is not None else _float(text)


def _integer(text: str) -> int | None:
    match = _INTEGER.fullmatch(text)
    if not match:
        return None
    sign, hexadecimal, octal, decimal = match.groups()
    digits, base = next((digits, base) for digits, base in (
        (hexadecimal, 16), (decimal, 10), (octal or '0', 8)) if digits)
    value = -int(digits, base) if sign == '-' else int(digits, base)
    return value if -INTEGER_LIMIT <= value < INTEGER_LIMIT else None


def _float(text: str) -> float | str:
    """Return a float, or the text where it is none or out of range."""
    if match := _NOT_FINITE.fullmatch(text):
        return float(f'{match[1]}inf')
    if _NO_NUMBER.fullmatch(text):
        return float('nan')
    decimal = _DECIMAL.fullmatch(text)
    try:
        value = float(text) if decimal else float.fromhex(text)
    except (ValueError, OverflowError):
        return text
    if decimal:
        small = abs(value) < sys.float_info.min and decimal[1].strip('0.')
        return text if small or abs(value) == float('inf') else value
    return value if _HEXADECIMAL.fullmatch(text) else text


class _Loader(yaml.SafeLoader):
    """Keeps !!str apart from what has no tag, and takes no aliases."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """Return the tag of a node that has none."""
        return _UNTAGGED if kind is yaml.ScalarNode else super().resolve(kind, value, implicit)

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Return the next node."""
        if self.check_event(yaml.AliasEvent):
            line = self.peek_event().start_mark.line + 1
            raise ParameterValueError(f'line {line}: ROS 2 takes no aliases')
        return super().compose_node(parent, index)


def documents(text: str) -> list[yaml.Node]:
    """Return the nodes of YAML at the top of documents.  Raises ParameterValueError."""
    try:
        return list(yaml.compose_all(text, _Loader))
    except yaml.YAMLError as error:
        raise ParameterValueError(str(error)) from None


def value_of(node: yaml.Node) -> Any:
    """Return the value of a node of YAML; None for an empty list.  Raises ParameterValueError."""
    line = f'line {node.start_mark.line + 1}:'
    if isinstance(node, yaml.ScalarNode):
        quoted = node.style in ("'", '"')
        if not (quoted or node.value):
            raise ParameterValueError(f'{line} a value is missing')
        return node.value if quoted or node.tag == STRING_TAG else scalar_of(node.value)
    if isinstance(node, yaml.MappingNode) or not all(
            isinstance(item, yaml.ScalarNode) for item in node.value):
        raise ParameterValueError(f'{line} expected a value or a list of values')
    values = [value_of(item) for item in node.value]
    if len({type(value) for value in values}) > 1:
        raise ParameterValueError(f'{line} values of a list must be of one type')
    return values or None


_SCALARS = (bool, int, float, str)


class _Dumper(yaml.SafeDumper):
    """Writes values that rcl and YAML read alike."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write what is there twice twice."""
        return True


def _string(dumper: Any, text: str) -> Any:
    plain = isinstance(scalar_of(text), str)
    return dumper.represent_scalar(STRING_TAG, text, style=None if plain else "'")


def _whole(dumper: Any, value: int) -> Any:
    if not -INTEGER_LIMIT <= value < INTEGER_LIMIT:
        raise ParameterValueError(f'{value} does not fit into 64 bits')
    return dumper.represent_int(value)


def _real(dumper: Any, value: float) -> Any:
    if 0.0 < abs(value) < sys.float_info.min:       # C takes such numbers exactly or not at all
        return dumper.represent_scalar(STRING_TAG, value.hex())    # tag: without quotes
    return dumper.represent_float(value)


def _list(dumper: Any, values: Any) -> Any:
    if not values:
        return dumper.represent_list([])
    if {type(value) for value in values} == {int, float}:
        values = [float(value) for value in values]
    if len({type(value) for value in values}) > 1 or not isinstance(values[0], _SCALARS):
        raise ParameterValueError(f'values of a list must be of one type: {values}')
    return dumper.represent_list(values)


for _type, _represent in {str: _string, int: _whole, float: _real, list: _list,
                          tuple: _list}.items():
    _Dumper.add_representer(_type, _represent)


def value_text(value: Any) -> str:
    """Return a value on one line, as `-p name:=value` takes it.  Raises ParameterValueError."""
    text = yaml.dump(value, Dumper=_Dumper, default_flow_style=True, width=float('inf'))
    return text.removesuffix('...\n').strip()


def sections_text(sections: Mapping[str, Any]) -> str:
    """Return a parameter file of {node: values by name, nested or not}, without empty lists."""
    named = {node: {'ros__parameters': _with_values(values)} for node, values in sections.items()}
    return yaml.dump(named, Dumper=_Dumper, sort_keys=False, width=float('inf'))


def _with_values(values: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: _with_values(value) if isinstance(value, dict) else value
            for name, value in values.items()}
    return {name: value for name, value in kept.items()
            if not (isinstance(value, (list, tuple, dict)) and not value)}
