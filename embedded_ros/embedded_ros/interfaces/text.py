"""Reading .msg, .srv and .action texts (rosbags' grammar) and writing a .msg text."""
import ast

from rosbags.typesys.base import BASE_NAMES, BaseType, Cardinality, Type, TypesysError
from rosbags.typesys.msg import MSGParser
from rosbags.typesys.peg import Failure, Success

from .spec import SCALARS, STRINGS, Constant, Field, FieldType, MessageSpec

_SIMPLE = ', '.join((*SCALARS, *STRINGS))


class InterfaceTextError(ValueError):
    """A definition that cannot be read; the message names it and the line."""


class _Parser(MSGParser):
    """rosbags' parser, which knows no wide strings."""

    def base_type(self, pos):
        result = self.regex(pos, r'wstring\b')
        if isinstance(result, Failure):
            return super().base_type(pos)
        return Success(result.pos, Type(BaseType(BASE_NAMES['wstring'])))

    def bounded_string(self, pos):
        result = self.all(pos, (lambda p: self.literal(p, 'wstring<='), self.decimal_literal))
        if isinstance(result, Failure):
            return super().bounded_string(pos)
        return Success(result.pos, Type(BaseType(BASE_NAMES['wstring']), str_size=result.value[1]))


def parse_message(text, name):
    """Give the MessageSpec of a .msg text; name is 'package/msg/Name'."""
    try:
        message = _Parser(f'MSG: {name}\n{text}').specification()[0]
    except TypesysError:
        raise InterfaceTextError(f'{name}: {_first_bad_line(text, name)}') from None
    package = name.split('/')[0]
    fields = []
    for field in message.fields:
        field_type = _field_type(field.typ, package)
        if field_type.is_message and not field_type.element.split('/')[2][0].isupper():
            raise InterfaceTextError(
                f"{name}: unknown type '{field_type.element.split('/')[2]}' of '{field.name}'; "
                f'expected a message or one of {_SIMPLE}')
        try:
            default = _default(field.value, field_type)
        except (TypeError, ValueError):
            raise InterfaceTextError(f"{name}: default {field.value!r} of '{field.name}' does not "
                                     f'fit its type {field_type.text}') from None
        fields.append(Field(field.name, field_type, default))
    constants = [Constant(c.name, c.typ.value, _unescape(c.value)) for c in message.constants]
    return MessageSpec(name, tuple(fields), tuple(constants))


def sections(text):
    """Split the text of a service (2 parts) or an action (3 parts) at its '---' lines."""
    parts = [[]]
    for line in text.splitlines():
        if line.strip() == '---':
            parts.append([])
        else:
            parts[-1].append(line)
    return ['\n'.join(part) + '\n' for part in parts]


def render_message(spec):
    """Write a MessageSpec as a .msg text without comments."""
    lines = [f'{c.type} {c.name}={_literal(c.value)}' for c in spec.constants]
    for field in spec.fields:
        default = '' if field.default is None else f' {_literal(field.default)}'
        lines.append(f'{field.type.text} {field.name}{default}')
    return ''.join(line + '\n' for line in lines)


def _field_type(typ, package):
    container = {Cardinality.SCALAR: '', Cardinality.ARRAY: 'array',
                 Cardinality.SEQUENCE: 'sequence'}[typ.cardinality]
    if isinstance(typ.ref, BaseType):
        element = typ.ref.name.value
    else:
        path = typ.ref.name.split('/')  # a bare name is one of the same package's messages
        element = f'{path[0] if len(path) > 1 else package}/msg/{path[-1]}'
    return FieldType(element, container, typ.size, typ.str_size)


def _default(value, field_type):
    """Bring a default into the type of its field: '1' of a float64 is 1.0."""
    if value is None:
        return None
    if isinstance(value, list) != bool(field_type.container):
        raise TypeError
    if isinstance(value, list):
        return [_scalar_default(item, field_type.element) for item in value]
    return _scalar_default(value, field_type.element)


def _scalar_default(value, element):
    if element in STRINGS:
        return _unescape(value) if isinstance(value, str) else str(value)
    if element in ('float32', 'float64'):
        return float(value)
    if element == 'bool':
        return bool(int(value))
    if element not in SCALARS or not isinstance(value, int):
        raise TypeError
    return value


def _unescape(value):
    if isinstance(value, str) and '\\' in value:
        return ast.literal_eval('"' + value.replace('\\"', '"').replace('"', '\\"') + '"')
    return value


def _literal(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return '[' + ', '.join(_literal(item) for item in value) + ']'
    if isinstance(value, str):
        return '"' + value.replace('\\', '\\\\').replace('"', '\\"') + '"'
    return repr(value)


def _first_bad_line(text, name):
    """Find the line that the parser refuses, by giving it the lines one by one."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _Parser(f'MSG: {name}\n{line}\n').specification()
        except TypesysError:
            return (f'line {number}: cannot read {line.strip()!r}; expected "type name", '
                    f'"type name default" or "type NAME=value" (type: a message or {_SIMPLE})')
    return 'the text cannot be read'
