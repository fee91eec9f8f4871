"""Status of readers and writers: matches, deadlines, liveliness, incompatible QoS, lost samples."""
import ctypes as ct

from .library import checked, function

# Bits of the status masks, DDS specification 2.2.4.1 as numbered by Cyclone DDS.
OFFERED_DEADLINE_MISSED, REQUESTED_DEADLINE_MISSED = 1 << 1, 1 << 2
OFFERED_INCOMPATIBLE_QOS, REQUESTED_INCOMPATIBLE_QOS = 1 << 3, 1 << 4
SAMPLE_LOST = 1 << 5
LIVELINESS_LOST, LIVELINESS_CHANGED = 1 << 9, 1 << 10
PUBLICATION_MATCHED, SUBSCRIPTION_MATCHED = 1 << 11, 1 << 12


def _structure(*fields):
    return type('Status', (ct.Structure,), {'_fields_': fields})


_total = (('total_count', ct.c_uint32), ('total_count_change', ct.c_int32))
_Count = _structure(*_total)
_Instance = _structure(*_total, ('last_instance_handle', ct.c_uint64))
_Policy = _structure(*_total, ('last_policy_id', ct.c_uint32))
_Matched = _structure(
    *_total, ('current_count', ct.c_uint32), ('current_count_change', ct.c_int32),
    ('last_handle', ct.c_uint64))
_Liveliness = _structure(
    ('alive_count', ct.c_uint32), ('not_alive_count', ct.c_uint32),
    ('alive_count_change', ct.c_int32), ('not_alive_count_change', ct.c_int32),
    ('last_publication_handle', ct.c_uint64))


def _getter(name, structure):
    ask = function(
        f'dds_get_{name}_status', ct.c_int32, ct.c_int32, ct.POINTER(structure))
    return ask, structure


_getters = {
    OFFERED_DEADLINE_MISSED: _getter('offered_deadline_missed', _Instance),
    REQUESTED_DEADLINE_MISSED: _getter('requested_deadline_missed', _Instance),
    OFFERED_INCOMPATIBLE_QOS: _getter('offered_incompatible_qos', _Policy),
    REQUESTED_INCOMPATIBLE_QOS: _getter('requested_incompatible_qos', _Policy),
    SAMPLE_LOST: _getter('sample_lost', _Count),
    LIVELINESS_LOST: _getter('liveliness_lost', _Count),
    LIVELINESS_CHANGED: _getter('liveliness_changed', _Liveliness),
    PUBLICATION_MATCHED: _getter('publication_matched', _Matched),
    SUBSCRIPTION_MATCHED: _getter('subscription_matched', _Matched)}

_set_mask = function('dds_set_status_mask', ct.c_int32, ct.c_int32, ct.c_uint32)
_read = function(
    'dds_read_status', ct.c_int32, ct.c_int32, ct.POINTER(ct.c_uint32), ct.c_uint32)


class StatusEvent:
    """One kind of status of a reader or writer; the entity itself is what a WaitSet waits for."""

    def __init__(self, endpoint, status):
        self._endpoint, self._status = endpoint, status
        endpoint.status_mask |= status
        checked(_set_mask(endpoint.entity, endpoint.status_mask), 'setting a status mask')

    @property
    def condition(self):
        return self._endpoint.entity

    def is_triggered(self):
        """Whether the status has changed since it was last taken."""
        found = ct.c_uint32()
        return _read(self._endpoint.entity, found, self._status) == 0 and bool(found.value)

    def take(self):
        """The status, a structure of counts; the changes count from the last take."""
        ask, structure = _getters[self._status]
        status = structure()
        checked(ask(self._endpoint.entity, status), 'asking for a status')
        return status
