"""Source of a message class in the shape that rosidl gives its Python classes."""
from .read_source import class_variable
from .spec import SCALARS, STRINGS

TEMPLATE = '''
class {class_name}(metaclass=MessageMeta):
    """Message class '{class_name}'."""

    __slots__ = {slots!r}
    _NAME = {name!r}
    _fields_and_field_types = {types!r}
    SLOT_TYPES = SlotTypes()

    def __init__(self, *{arguments}, check_fields=None, **unknown):
        self._check_fields = CHECK_FIELDS if check_fields is None else check_fields
        if self._check_fields:
            _check_arguments(self, unknown, ({given}))
{assignments}

    def __eq__(self, other):
        if not isinstance(other, {class_name}):
            return False
        return {equality}

    __repr__ = _message_repr

    @_classmethod
    def get_fields_and_field_types(cls):
        return cls._fields_and_field_types.copy()
'''

FIELD_TEMPLATE = '''
    @_property
    def {attribute}(self):
        """Message field '{name}'."""
        return self._{attribute}

    @{attribute}.setter
    def {attribute}(self, value):
        if self._check_fields:
            _check_field(self, {index}, value)
        self._{attribute} = {converted}
'''


def class_source(spec):
    """Write the class of a MessageSpec."""
    names = [field.attribute for field in spec.fields]
    assignments = [f'        self._{f.attribute} = {_initial(f)}' for f in spec.fields]
    equality = ' and '.join(_comparison(field) for field in spec.fields) or 'True'
    source = TEMPLATE.format(
        class_name=spec.name.split('/')[2], name=spec.name,
        slots=[*(f'_{name}' for name in names), '_check_fields'],
        types={field.name: field.type.idl for field in spec.fields},
        arguments=''.join(f', {name}=UNSET' for name in names),
        given=''.join(f'{name}, ' for name in names),
        assignments='\n'.join(assignments), equality=equality)
    source += ''.join(
        FIELD_TEMPLATE.format(attribute=field.attribute, name=field.name, index=index,
                              converted=_converted(field.type, 'value'))
        for index, field in enumerate(spec.fields))
    source += ''.join(f'\n    {c.name} = {_constant(c)!r}' for c in spec.constants)
    source += ''.join(f'\n    {field.name.upper()}__DEFAULT = {field.default!r}'
                      for field in spec.fields if field.default is not None)
    return source + '\n'


def _constant(constant):
    return bytes((constant.value,)) if constant.type == 'byte' else constant.value


def _initial(field):
    kind, name = field.type, field.attribute
    if kind.is_numeric and kind.container == 'array':
        fresh, given = _fresh(field), _converted(kind, name, exact=True)
    else:
        fresh, given = _fresh(field), _converted(kind, name)
    return f'{fresh} if {name} is UNSET else {given}'


def _converted(kind, expression, exact=False):
    """How a given value is stored: numeric sequences and arrays are copied into their type."""
    if kind.is_numeric and kind.container == 'sequence':
        return f"_array('{SCALARS[kind.element][1]}', {expression})"
    if kind.is_numeric and kind.container == 'array':
        dtype = f"'{SCALARS[kind.element][1]}'"
        if exact:
            return f'_fixed_array({expression}, {dtype}, {kind.size}, {expression!r})'
        return f'_numpy_array({expression}, {dtype})'
    return expression


def _fresh(field):
    """Expression that makes the default value anew."""
    kind = field.type
    if field.default is not None:
        return _default_expression(kind, field.default)
    if not kind.container:
        return _zero(kind)
    if kind.container == 'sequence':
        return f"_array('{SCALARS[kind.element][1]}')" if kind.is_numeric else '[]'
    if kind.is_numeric:
        return f"_zeros({kind.size}, '{SCALARS[kind.element][1]}')"
    return f'[{_zero(kind)} for _ in _range({kind.size})]'


def _default_expression(kind, value):
    if kind.element == 'byte':
        value = [bytes((v,)) for v in value] if kind.container else bytes((value,))
    return _converted(kind, repr(value)) if kind.container else repr(value)


def _zero(kind):
    if kind.is_message:
        return f'{class_variable(kind.element)}()'
    if kind.element in STRINGS:
        return "''"
    return {'bool': 'False', 'byte': "b'\\x00'", 'float32': '0.0', 'float64': '0.0'}.get(
        kind.element, '0')


def _comparison(field):
    mine, others = f'self._{field.attribute}', f'other._{field.attribute}'
    if field.type.is_numeric and field.type.container == 'array':
        return f'_array_equal({mine}, {others})'
    return f'{mine} == {others}'
