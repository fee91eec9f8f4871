"""The Eclipse Cyclone DDS C library, called through ctypes.

The Python package `cyclonedds` brings the library; most of the package itself is left out, because
importing all of it takes longer than a node may need to start.
"""
import ctypes as ct
from functools import cache
import importlib.util
import sys
import types

INFINITY = 2**63 - 1  # DDS_INFINITY, a duration [ns]
ANY_STATE = 127
_LIBRARY = 0x7fff0100  # DDS_CYCLONEDDS_HANDLE, the owner of all domains
ALIVE = 3 | 12 | 16  # any sample and view state of instances that are alive


class SampleInfo(ct.Structure):
    """dds_sample_info_t."""

    _fields_ = [
        ('sample_state', ct.c_uint), ('view_state', ct.c_uint), ('instance_state', ct.c_uint),
        ('valid_data', ct.c_bool), ('source_timestamp', ct.c_int64),
        ('instance_handle', ct.c_uint64), ('publication_handle', ct.c_uint64),
        ('disposed_generation_count', ct.c_uint32), ('no_writers_generation_count', ct.c_uint32),
        ('sample_rank', ct.c_uint32), ('generation_rank', ct.c_uint32),
        ('absolute_generation_rank', ct.c_uint32)]


class TakenInfo(BaseException):
    """What the C extension makes of the dds_sample_info_t of each sample: SampleInfo's fields.

    The extension crashes where that raises, and where Python code sets up an object a signal is
    handled: Ctrl-C, for one, raises. An exception keeps what it is given without any such code, in
    a quarter of the time that a ctypes structure takes.
    """

    __slots__ = ()


def _given(place):
    return property(lambda info: info.args[place])


for _place, (_name, _) in enumerate(SampleInfo._fields_):
    setattr(TakenInfo, _name, _given(_place))


def _load():
    """Import only the C extension and the library handle of the package `cyclonedds`."""
    whole = sys.modules.get('cyclonedds')
    if whole is None:
        spec = importlib.util.find_spec('cyclonedds')
        bare = types.ModuleType('cyclonedds')
        bare.__path__, bare.__spec__ = list(spec.submodule_search_locations), spec
        internal = types.ModuleType('cyclonedds.internal')  # all of it that the extension needs
        internal.SampleInfo = TakenInfo
        sys.modules.update({'cyclonedds': bare, 'cyclonedds.internal': internal})
    try:
        from cyclonedds import _clayer
        if whole is None:
            del sys.modules['cyclonedds.internal']
        from cyclonedds.internal import DDS
    finally:
        if whole is None:
            del sys.modules['cyclonedds']  # a later `import cyclonedds` gets the whole package
    return DDS._dll_handle, _clayer


_dll, clayer = _load()


class DdsError(RuntimeError):
    """A call of the DDS library failed; `code` is its (negative) return code."""

    def __init__(self, code, what):
        self.code = code
        super().__init__(f'{what}: {dds_strretcode(code).decode()}')


def checked(code, what):
    """Return the result of a DDS call, or raise DdsError with what was tried."""
    if code < 0:
        raise DdsError(code, what)
    return code


class Endpoint(ct.Structure):
    """dds_builtintopic_endpoint_t: a reader or writer that discovery found."""

    _fields_ = [
        ('key', ct.c_uint8 * 16), ('participant_key', ct.c_uint8 * 16),
        ('participant_instance_handle', ct.c_uint64),
        ('topic_name', ct.c_char_p), ('type_name', ct.c_char_p), ('qos', ct.c_void_p)]


class BuiltinParticipant(ct.Structure):
    """dds_builtintopic_participant_t: a participant that discovery found."""

    _fields_ = [('key', ct.c_uint8 * 16), ('qos', ct.c_void_p)]


def _function(name, result, *arguments):
    function = getattr(_dll, name)
    function.restype, function.argtypes = result, arguments
    return function


_entity, _status, _duration, _qos = ct.c_int32, ct.c_int32, ct.c_int64, ct.c_void_p
_u32, _handle = ct.c_uint32, ct.c_uint64
_out = ct.POINTER

dds_strretcode = _function('dds_strretcode', ct.c_char_p, _status)
dds_delete = _function('dds_delete', _status, _entity)
dds_create_domain = _function('dds_create_domain', _entity, _u32, ct.c_char_p)
dds_create_participant = _function('dds_create_participant', _entity, _u32, _qos, ct.c_void_p)
dds_create_publisher = _function('dds_create_publisher', _entity, _entity, _qos, ct.c_void_p)
dds_create_subscriber = _function('dds_create_subscriber', _entity, _entity, _qos, ct.c_void_p)
dds_create_writer = _function('dds_create_writer', _entity, _entity, _entity, _qos, ct.c_void_p)
dds_create_reader = _function('dds_create_reader', _entity, _entity, _entity, _qos, ct.c_void_p)
dds_get_guid = _function('dds_get_guid', _status, _entity, ct.c_void_p)
dds_get_instance_handle = _function('dds_get_instance_handle', _status, _entity, _out(_handle))
dds_wait_for_acks = _function('dds_wait_for_acks', _status, _entity, _duration)
dds_assert_liveliness = _function('dds_assert_liveliness', _status, _entity)
dds_get_qos = _function('dds_get_qos', _status, _entity, _qos)
dds_set_status_mask = _function('dds_set_status_mask', _status, _entity, _u32)
dds_get_matched_subscriptions = _function(
    'dds_get_matched_subscriptions', _status, _entity, _out(_handle), ct.c_size_t)
dds_get_matched_publications = _function(
    'dds_get_matched_publications', _status, _entity, _out(_handle), ct.c_size_t)
dds_get_matched_subscription_data = _function(
    'dds_get_matched_subscription_data', _out(Endpoint), _entity, _handle)
dds_get_matched_publication_data = _function(
    'dds_get_matched_publication_data', _out(Endpoint), _entity, _handle)
dds_builtintopic_free_endpoint = _function(
    'dds_builtintopic_free_endpoint', None, _out(Endpoint))
dds_read_mask = _function(
    'dds_read_mask', _status, _entity, _out(ct.c_void_p), _out(SampleInfo), ct.c_size_t, _u32,
    _u32)
dds_return_loan = _function('dds_return_loan', _status, _entity, _out(ct.c_void_p), ct.c_int32)

dds_create_waitset = _function('dds_create_waitset', _entity, _entity)
dds_waitset_attach = _function('dds_waitset_attach', _status, _entity, _entity, ct.c_ssize_t)
dds_waitset_detach = _function('dds_waitset_detach', _status, _entity, _entity)
dds_waitset_wait = _function(
    'dds_waitset_wait', _status, _entity, _out(ct.c_ssize_t), ct.c_size_t, _duration)
dds_create_guardcondition = _function('dds_create_guardcondition', _entity, _entity)
dds_set_guardcondition = _function('dds_set_guardcondition', _status, _entity, ct.c_bool)
dds_take_guardcondition = _function(
    'dds_take_guardcondition', _status, _entity, _out(ct.c_bool))
dds_create_readcondition = _function('dds_create_readcondition', _entity, _entity, _u32)

dds_create_qos = _function('dds_create_qos', _qos)
dds_delete_qos = _function('dds_delete_qos', None, _qos)
dds_free = _function('dds_free', None, ct.c_void_p)


@cache
def stay_up():
    """Keep the library set up from now on, until the process ends.

    It would be set up with the first entity and taken down with the last. Any other thread that
    calls it then, be it only to wake a wait set, would crash the process: a condition that belongs
    to the library itself keeps it up. Not before it is needed: forks of a process that has set it
    up all draw the same GUIDs.
    """
    checked(dds_create_guardcondition(_LIBRARY), 'setting up the DDS library')


def function(name, result, *arguments):
    """Another function of the library, for the modules that alone need it."""
    return _function(name, result, *arguments)


def address_of(name):
    """Where a function of the library lies in memory."""
    return ct.cast(getattr(_dll, name), ct.c_void_p).value


def guid(entity):
    """The 16 bytes that name an entity everywhere in the domain."""
    buffer = ct.create_string_buffer(16)
    checked(dds_get_guid(entity, buffer), 'asking for a GUID')
    return buffer.raw


def instance_handle(entity):
    """The 64-bit number that names an entity in this process."""
    handle = ct.c_uint64()
    checked(dds_get_instance_handle(entity, ct.byref(handle)), 'asking for an instance handle')
    return handle.value
