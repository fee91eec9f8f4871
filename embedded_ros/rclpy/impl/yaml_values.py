"""YAML as parameters are written: which scalar is which type, which sequences are arrays."""
import re

import yaml

_TRUE = {'Y', 'y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'}
_FALSE = {'N', 'n', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'}
_INTEGER = re.compile(r'[-+]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)')
_FLOAT = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?')
_SPECIAL_FLOAT = re.compile(r'([-+]?)\.?(inf|Inf|INF)|\.(nan|NaN|NAN)')
_LOADER = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


class ParameterYamlError(ValueError):
    """The YAML is no parameter value or no parameter file; the message says where."""


def compose(text):
    """Parse YAML into nodes, which still know quotes and lines."""
    try:
        return yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise ParameterYamlError(' '.join(str(error).split())) from None


def value_of(text):
    """Value of 'name:=text': a scalar or a sequence of scalars of one type."""
    node = compose(text)
    if node is None:
        raise ParameterYamlError('the value is empty')
    return node_value(node)


def node_value(node):
    """Value of a node: bool, int, float, str or a list of one of them."""
    line = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.MappingNode):
        raise ParameterYamlError(f'a mapping is no parameter value, at line {line}')
    values = []
    for item in node.value:
        if not isinstance(item, yaml.ScalarNode):
            raise ParameterYamlError(f'a sequence may hold single values only, at line {line}')
        values.append(_scalar(item))
        if type(values[-1]) is not type(values[0]):
            raise ParameterYamlError(
                f'a sequence must be of one type; {_kind(values[-1])} does not belong to '
                f'{_kind(values[0])}, at line {item.start_mark.line + 1}')
    return values


def _kind(value):
    return f"'{value}' ({type(value).__name__})"


def _scalar(node):
    text = node.value
    if node.style in ("'", '"', '|', '>'):
        return text
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    special = _SPECIAL_FLOAT.fullmatch(text)
    if special:
        return float('nan') if special[3] else float(f'{special[1]}inf')
    return text


def _integer(text):
    digits = text.lstrip('+-')
    if len(digits) > 1 and digits[0] == '0' and digits[1] not in 'xX':
        value = int(digits, 8)
    else:
        value = int(digits, 0)
    value = -value if text[0] == '-' else value
    if not -2**63 <= value < 2**63:
        raise ParameterYamlError(f'{text} does not fit into 64 bits')
    return value
