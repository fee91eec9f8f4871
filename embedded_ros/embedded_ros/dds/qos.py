"""ROS QoS profiles as DDS QoS, and back from what discovery finds.

The policies have the numbers of rclpy.qos; durations are nanoseconds here.
"""
from contextlib import contextmanager
import ctypes as ct
from dataclasses import dataclass

from .library import INFINITY, dds_create_qos, dds_delete_qos, dds_free, function

KEEP_LAST, KEEP_ALL, UNKNOWN_HISTORY = 1, 2, 3
RELIABLE, BEST_EFFORT, BEST_AVAILABLE_RELIABILITY = 1, 2, 4
TRANSIENT_LOCAL, VOLATILE, BEST_AVAILABLE_DURABILITY = 1, 2, 4
AUTOMATIC, MANUAL_BY_TOPIC, BEST_AVAILABLE_LIVELINESS = 1, 3, 5

_DDS_AUTOMATIC, _DDS_MANUAL_BY_TOPIC = 0, 2
_XCDR1 = (ct.c_int16 * 1)(0)
_IGNORE_PARTICIPANT = 1

_qos, _int, _ns, _i32 = ct.c_void_p, ct.c_int, ct.c_int64, ct.c_int32


def _setter(policy, *arguments):
    return function(f'dds_qset_{policy}', None, _qos, *arguments)


def _getter(policy, *arguments):
    return function(f'dds_qget_{policy}', ct.c_bool, _qos, *map(ct.POINTER, arguments))


_set_history = _setter('history', _int, _i32)
_set_reliability = _setter('reliability', _int, _ns)
_set_durability = _setter('durability', _int)
_set_durability_service = _setter('durability_service', _ns, _int, _i32, _i32, _i32, _i32)
_set_deadline = _setter('deadline', _ns)
_set_lifespan = _setter('lifespan', _ns)
_set_liveliness = _setter('liveliness', _int, _ns)
_set_lifecycle = _setter('writer_data_lifecycle', ct.c_bool)
_set_ignore_local = _setter('ignorelocal', _int)
_set_userdata = _setter('userdata', ct.c_char_p, ct.c_size_t)
_set_representation = _setter('data_representation', ct.c_uint32, ct.c_void_p)

_get_history = _getter('history', _int, _i32)
_get_reliability = _getter('reliability', _int, _ns)
_get_durability = _getter('durability', _int)
_get_deadline = _getter('deadline', _ns)
_get_lifespan = _getter('lifespan', _ns)
_get_liveliness = _getter('liveliness', _int, _ns)
_get_userdata = _getter('userdata', ct.c_void_p, ct.c_size_t)


@dataclass(frozen=True)
class Qos:
    """What discovery finds of an endpoint's QoS; durations in ns, INFINITY for no bound."""

    history: int = UNKNOWN_HISTORY
    depth: int = 0
    reliability: int = BEST_EFFORT
    durability: int = VOLATILE
    deadline: int = INFINITY
    lifespan: int = INFINITY
    liveliness: int = AUTOMATIC
    liveliness_lease_duration: int = INFINITY


def _nanoseconds(duration):
    """A bound on time: not given (zero) and infinite are the same, no bound."""
    nanoseconds = getattr(duration, 'nanoseconds', duration)
    return INFINITY if not nanoseconds else min(nanoseconds, INFINITY)


@contextmanager
def dds_qos(profile=None, userdata=b'', writer=False, ignore_local=False):
    """A DDS QoS object for an endpoint with this ROS profile, freed at the end."""
    qos = dds_create_qos()
    try:
        if userdata:
            _set_userdata(qos, userdata, len(userdata))
        if profile is not None:
            _set_profile(qos, profile, writer)
            _set_representation(qos, 1, _XCDR1)
        if ignore_local:
            _set_ignore_local(qos, _IGNORE_PARTICIPANT)
        yield qos
    finally:
        dds_delete_qos(qos)


def _set_profile(qos, profile, writer):
    keep_all = profile.history == KEEP_ALL
    history = (1, -1) if keep_all else (0, profile.depth or 1)
    _set_history(qos, *history)
    _set_reliability(qos, profile.reliability != BEST_EFFORT, INFINITY)
    latched = profile.durability == TRANSIENT_LOCAL
    _set_durability(qos, latched)
    _set_deadline(qos, _nanoseconds(profile.deadline))
    kind = _DDS_MANUAL_BY_TOPIC if profile.liveliness == MANUAL_BY_TOPIC else _DDS_AUTOMATIC
    _set_liveliness(qos, kind, _nanoseconds(profile.liveliness_lease_duration))
    if writer:
        _set_lifespan(qos, _nanoseconds(profile.lifespan))
        _set_lifecycle(qos, False)
        if latched:
            _set_durability_service(qos, 0, *history, -1, -1, -1)


def read_qos(qos):
    """The Qos in a DDS QoS object; policies it does not hold keep their default."""
    first, number, duration = _int(), _i32(), _ns()
    found = {}
    if _get_history(qos, first, number):
        found['history'] = KEEP_ALL if first.value else KEEP_LAST
        found['depth'] = max(number.value, 0)
    if _get_reliability(qos, first, duration):
        found['reliability'] = RELIABLE if first.value else BEST_EFFORT
    if _get_durability(qos, first):
        found['durability'] = TRANSIENT_LOCAL if first.value else VOLATILE
    if _get_liveliness(qos, first, duration):
        found['liveliness'] = (
            AUTOMATIC if first.value == _DDS_AUTOMATIC else MANUAL_BY_TOPIC)
        found['liveliness_lease_duration'] = duration.value
    for name, getter in (('deadline', _get_deadline), ('lifespan', _get_lifespan)):
        if getter(qos, duration):
            found[name] = duration.value
    return Qos(**found)


def read_userdata(qos):
    """The key=value pairs of USER_DATA as a dict of str."""
    data, size = ct.c_void_p(), ct.c_size_t()
    if not _get_userdata(qos, data, size) or not data.value:
        return {}
    text = ct.string_at(data.value, size.value).decode('utf-8', 'replace')
    dds_free(data)
    return dict(pair.split('=', 1) for pair in text.split(';') if '=' in pair)
