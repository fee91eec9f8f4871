"""Field types in the words of rosidl_parser, for SLOT_TYPES."""
import functools

from rosidl_parser import definition

from .derived import message_spec
from .spec import SCALARS


@functools.cache
def slot_types(name):
    """SLOT_TYPES of a message class: one rosidl_parser type per field."""
    return tuple(_slot_type(field.type) for field in message_spec(name).fields)


def _slot_type(kind):
    element = _element(kind)
    if kind.container == 'array':
        return definition.Array(element, kind.size)
    if kind.container == 'sequence':
        if kind.size:
            return definition.BoundedSequence(element, kind.size)
        return definition.UnboundedSequence(element)
    return element


def _element(kind):
    if kind.is_message:
        *namespaces, name = kind.element.split('/')
        return definition.NamespacedType(namespaces, name)
    if kind.element in SCALARS:
        return definition.BasicType(SCALARS[kind.element][0])
    bounded = {'string': definition.BoundedString, 'wstring': definition.BoundedWString}
    unbounded = {'string': definition.UnboundedString, 'wstring': definition.UnboundedWString}
    if kind.string_bound:
        return bounded[kind.element](kind.string_bound)
    return unbounded[kind.element]()
