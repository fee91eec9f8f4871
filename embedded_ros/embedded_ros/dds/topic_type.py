"""DDS types made from the fields of ROS messages, through the library's dynamic type interface.

A type consists of a name and fields [(name, ROS type string)], the strings as given by
`get_fields_and_field_types()` of a message class: 'double', 'sequence<string>',
'geometry_msgs/Point[4]'.  All types are final structures, as ROS 2 sends them.
"""
import ctypes as ct
import re

from .library import address_of, checked, clayer, function

_FINAL = 0
_STRING, _ARRAY, _SEQUENCE, _STRUCTURE = 16, 21, 22, 24
_DEFINITION, _PRIMITIVE = 1, 2
_PRIMITIVES = {
    'boolean': 1, 'octet': 2, 'int16': 3, 'int32': 4, 'int64': 5, 'uint16': 6, 'uint32': 7,
    'uint64': 8, 'float': 9, 'double': 10, 'int8': 12, 'uint8': 13, 'char': 13, 'byte': 2,
    'bool': 1, 'float32': 9, 'float64': 10}


class _DynamicType(ct.Structure):
    _fields_ = [('x', ct.c_uint64), ('y', ct.c_uint64), ('ret', ct.c_int32)]


class _Specification(ct.Structure):
    """A kind and a union of a primitive kind and a _DynamicType, laid out flat for ctypes."""

    _fields_ = [('kind', ct.c_int), ('x', ct.c_uint64), ('y', ct.c_uint64), ('ret', ct.c_int32)]


class _TypeDescriptor(ct.Structure):
    _fields_ = [
        ('kind', ct.c_int), ('name', ct.c_char_p), ('base_type', _Specification),
        ('discriminator_type', _Specification), ('num_bounds', ct.c_uint32),
        ('bounds', ct.POINTER(ct.c_uint32)), ('element_type', _Specification),
        ('key_element_type', _Specification)]


class _MemberDescriptor(ct.Structure):
    _fields_ = [
        ('name', ct.c_char_p), ('id', ct.c_uint32), ('type', _Specification),
        ('default_value', ct.c_char_p), ('index', ct.c_uint32), ('num_labels', ct.c_uint32),
        ('labels', ct.c_void_p), ('default_label', ct.c_bool)]


class _Serialized(ct.Structure):
    _fields_ = [('data', ct.c_void_p), ('size', ct.c_uint32)]


class _TopicDescriptor(ct.Structure):
    """The head of dds_topic_descriptor_t, as far as it is read here."""

    _fields_ = [
        ('size', ct.c_uint32), ('align', ct.c_uint32), ('flagset', ct.c_uint32),
        ('nkeys', ct.c_uint32), ('typename', ct.c_char_p), ('keys', ct.c_void_p),
        ('nops', ct.c_uint32), ('ops', ct.c_void_p), ('meta', ct.c_char_p),
        ('type_information', _Serialized), ('type_mapping', _Serialized)]


_create = function('dds_dynamic_type_create', _DynamicType, ct.c_int32, _TypeDescriptor)
_add_member = function(
    'dds_dynamic_type_add_member', ct.c_int32, ct.POINTER(_DynamicType), _MemberDescriptor)
_set_extensibility = function(
    'dds_dynamic_type_set_extensibility', ct.c_int32, ct.POINTER(_DynamicType), ct.c_int)
_register = function(
    'dds_dynamic_type_register', ct.c_int32, ct.POINTER(_DynamicType), ct.POINTER(ct.c_void_p))
_free_information = function('dds_free_typeinfo', ct.c_int32, ct.c_void_p)
_create_descriptor = function(
    'dds_create_topic_descriptor', ct.c_int32, ct.c_int, ct.c_int32, ct.c_void_p, ct.c_int64,
    ct.POINTER(ct.POINTER(_TopicDescriptor)))
_delete_descriptor = function(
    'dds_delete_topic_descriptor', None, ct.POINTER(_TopicDescriptor))
_LOCAL_DOMAIN = 1  # DDS_FIND_SCOPE_LOCAL_DOMAIN

_known = {}  # (DDS type name, fields) -> (TypeInformation, TypeMapping)


def first_topic(participant, name, data_type):
    """The first topic of a type in a domain, and the type as the library holds it.

    `data_type` is (DDS type name, fields, function for nested types); the last gives the (DDS type
    name, fields) of a message used as a field. The type is held; free_type() is for when
    the domain is gone.
    """
    type_name, fields, nested = data_type
    key = type_name, tuple(fields)
    if key not in _known:
        built = _structure(participant, type_name, fields, nested)
        _known[key] = _serialize(participant, built)
    idl = type('Idl', (), {
        'idl_transformed_typename': type_name, 'keyless': True, 'supported_versions': 1,
        'data_type_props': 0, '_xt_bytedata': _known[key]})
    topic = checked(
        clayer.ddspy_topic_create(
            participant, name, type('TopicType', (), {'__idl__': idl}), None, None),
        f'creating the DDS topic {name} of type {type_name}')
    held = ct.c_void_p()
    checked(_get_sertype(topic, held), 'asking for the type of a topic')
    _hide_type_information(held)
    return topic, _hold(held)


def topic_like(held, participant, name):
    """One more topic of a type that first_topic() gave."""
    given = ct.c_void_p(_hold(held))
    topic = _create_topic(participant, name.encode(), given, None, None, None)
    if topic < 0:
        _release(held)
    return checked(topic, f'creating the DDS topic {name}')


def _serialize(participant, built):
    """TypeInformation and TypeMapping as they are exchanged in discovery, two bytes objects."""
    information = ct.c_void_p()
    checked(_register(ct.byref(built), ct.byref(information)), 'registering a type')
    descriptor = ct.POINTER(_TopicDescriptor)()
    try:
        checked(_create_descriptor(
            _LOCAL_DOMAIN, participant, information, 0, ct.byref(descriptor)),
            'describing a type')
        parts = (descriptor.contents.type_information, descriptor.contents.type_mapping)
        return tuple(ct.string_at(part.data, part.size) for part in parts)
    finally:
        if descriptor:
            _delete_descriptor(descriptor)
        _free_information(information)
        # `built` keeps its reference: types that are freed leave dangling dependencies behind in
        # the library (11.0.1), which then crashes at a later type.


def _made(participant, kind, name, **properties):
    made = _create(participant, _TypeDescriptor(kind=kind, name=name, **properties))
    checked(made.ret, f'creating the type {name.decode()}')
    return made


def _structure(participant, name, fields, nested):
    made = _made(participant, _STRUCTURE, name.encode())
    checked(_set_extensibility(ct.byref(made), _FINAL), f'making {name} final')
    for number, (field, kind) in enumerate(fields):
        member = _MemberDescriptor(
            name=field.encode(), id=number, index=number,
            type=_specification(participant, kind, nested))
        checked(_add_member(ct.byref(made), member), f'adding {kind} {field} to {name}')
    return made


def _definition(made):
    return _Specification(_DEFINITION, made.x, made.y, made.ret)


def _specification(participant, kind, nested):
    if kind in _PRIMITIVES:
        return _Specification(_PRIMITIVE, _PRIMITIVES[kind])
    array = re.fullmatch(r'(.*)\[(\d+)\]', kind)
    if array:
        element = _specification(participant, array[1], nested)
        bounds = (ct.c_uint32 * 1)(int(array[2]))
        return _definition(_made(
            participant, _ARRAY, b'array', num_bounds=1, bounds=bounds, element_type=element))
    sequence = re.fullmatch(r'sequence<(.*?)(?:, *\d+)?>', kind)
    if sequence or kind.startswith('wstring'):
        element = _specification(participant, sequence[1] if sequence else 'uint32', nested)
        return _definition(_made(participant, _SEQUENCE, b'sequence', element_type=element))
    if kind == 'string' or kind.startswith('string<'):
        return _definition(_made(participant, _STRING, b'string'))
    return _definition(_structure(participant, *nested(kind), nested))


_get_sertype = function(
    'dds_get_entity_sertype', ct.c_int32, ct.c_int32, ct.POINTER(ct.c_void_p))
_create_topic = function(
    'dds_create_topic_sertype', ct.c_int32, ct.c_int32, ct.c_char_p, ct.POINTER(ct.c_void_p),
    ct.c_void_p, ct.c_void_p, ct.c_void_p)
_hold = function('ddsi_sertype_ref', ct.c_void_p, ct.c_void_p)
_release = function('ddsi_sertype_unref', None, ct.c_void_p)
free_type = function('ddsi_sertype_free', None, ct.c_void_p)
_OPERATIONS = 14  # entries of struct ddsi_sertype_ops
_VERSION = address_of('ddsi_sertype_v0')  # the first entry
_TYPE_OPERATIONS = (8, 9, 10)  # give type id, type map and type information
_plain_operations = {}  # address of the operations of a type -> the same without type information


def _hide_type_information(held):
    """Let endpoints of a type be known by its name alone, as in ROS 2.

    Also keeps the library's collection of types, which does not bear removals, from being used
    whenever an endpoint comes or goes, here or in the processes that see it.
    """
    place = ct.cast(held, ct.POINTER(ct.c_void_p))  # the operations come first in it
    if place[0] not in _plain_operations:
        operations = (ct.c_void_p * _OPERATIONS)()
        ct.memmove(operations, place[0], ct.sizeof(operations))
        if operations[0] != _VERSION:
            return  # a library laid out differently keeps its type information
        for number in _TYPE_OPERATIONS:
            operations[number] = None
        _plain_operations[place[0]] = operations
    place[0] = ct.addressof(_plain_operations[place[0]])
