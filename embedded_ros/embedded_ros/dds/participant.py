"""A participant of a DDS domain, and the raw readers and writers made in it."""
import ctypes as ct
import struct
import threading

from . import library as dds
from .domain import Domain
from .qos import dds_qos, read_userdata

_NOT_THERE = (-3, -9)  # DDS_RETCODE_BAD_PARAMETER, DDS_RETCODE_ALREADY_DELETED
_TIMEOUT = -10
_write, _take = dds.clayer.ddspy_write, dds.clayer.ddspy_take


class Participant:
    """One participant with one publisher and one subscriber, as an rmw context has."""

    def __init__(self, domain_id, enclave='/'):
        self._domain = Domain.join(domain_id)
        with dds_qos(userdata=f'enclave={enclave};'.encode()) as qos:
            code = dds.dds_create_participant(domain_id, qos, None)
        if code < 0:
            self._domain.leave()
        self.entity = dds.checked(
            code, f'creating a DDS participant in domain {domain_id} (with the range LOCALHOST '
            'there may be 33 on a machine)')
        self.domain_id, self.enclave = domain_id, enclave
        self.gid = dds.guid(self.entity)
        self.publisher = dds.checked(
            dds.dds_create_publisher(self.entity, None, None), 'creating a DDS publisher')
        self.subscriber = dds.checked(
            dds.dds_create_subscriber(self.entity, None, None), 'creating a DDS subscriber')
        self._service_ids, self._lock = 0, threading.Lock()
        self._topics = {}  # (name, type name, fields) -> topic entity

    def new_service_id(self):
        """An id for a service or client: 16 bytes in hexadecimal, joined by dots."""
        with self._lock:
            self._service_ids += 1
            return (self.gid[:12] + struct.pack('>I', self._service_ids)).hex('.')

    def topic(self, name, data_type):
        """The topic entity to make endpoints with; it stays as long as the participant."""
        key = name, data_type[0], tuple(data_type[1])
        with self._lock:
            if key not in self._topics:
                self._topics[key] = self._domain.create_topic(self.entity, name, data_type)
            return self._topics[key]

    def close(self):
        """Delete the participant with all it holds; others are informed that it leaves."""
        entity, self.entity = self.entity, 0
        if entity:
            dds.dds_delete(entity)
            self._domain.leave()


class _Endpoint:
    """What reader and writer share."""

    def __init__(self, entity):
        self.entity = entity
        self.gid = dds.guid(entity)
        self.status_mask = 0  # the statuses that StatusEvents wait for

    def close(self):
        """Delete the entity; a second time, or after its participant, nothing happens."""
        entity, self.entity = self.entity, 0
        if entity:
            dds.dds_delete(entity)

    def _matched_count(self, ask):
        count = ask(self.entity, None, 0)
        return 0 if count in _NOT_THERE else dds.checked(count, 'counting matched endpoints')

    def _matched(self, ask, room=64):
        handles = (ct.c_uint64 * room)()
        count = ask(self.entity, handles, room)
        if count in _NOT_THERE:
            return []
        if dds.checked(count, 'asking for matched endpoints') > room:
            return self._matched(ask, 2 * count)
        return handles[:count]


class Writer(_Endpoint):
    """Sends samples that are CDR already (4 bytes of header, then the fields)."""

    def __init__(self, participant, topic, data_type, profile, userdata=b'', ignore_local=False):
        entity = participant.topic(topic, data_type)
        with dds_qos(profile, userdata, writer=True, ignore_local=ignore_local) as qos:
            code = dds.dds_create_writer(participant.publisher, entity, qos, None)
        super().__init__(dds.checked(code, f'creating a DDS writer on {topic}'))

    def write(self, data):
        """Send a sample; DDS wants its size in whole words of 4 bytes."""
        if len(data) & 3:
            data += bytes(-len(data) & 3)
        code = _write(self.entity, data)
        if code:
            raise dds.DdsError(code, 'writing a DDS sample')

    def matched_count(self):
        """How many readers get what is written."""
        return self._matched_count(dds.dds_get_matched_subscriptions)

    def matched_handles(self):
        """Instance handles of the readers that get what is written."""
        return self._matched(dds.dds_get_matched_subscriptions)

    def matched_userdata(self, handle):
        """The USER_DATA pairs of a matched reader, {} if it is gone."""
        return _userdata(dds.dds_get_matched_subscription_data(self.entity, handle))

    def wait_for_acks(self, timeout=dds.INFINITY):
        """Whether all reliable readers had everything within `timeout` [ns]."""
        code = dds.dds_wait_for_acks(self.entity, timeout)
        return code != _TIMEOUT and dds.checked(code, 'waiting for acknowledgements') == 0

    def assert_liveliness(self):
        dds.checked(dds.dds_assert_liveliness(self.entity), 'asserting liveliness')


class Reader(_Endpoint):
    """Receives samples as CDR bytes; `condition` is what a WaitSet waits for."""

    def __init__(self, participant, topic, data_type, profile, userdata=b'', ignore_local=False):
        entity = participant.topic(topic, data_type)
        with dds_qos(profile, userdata, ignore_local=ignore_local) as qos:
            code = dds.dds_create_reader(participant.subscriber, entity, qos, None)
        super().__init__(dds.checked(code, f'creating a DDS reader on {topic}'))
        self.condition = dds.checked(
            dds.dds_create_readcondition(self.entity, dds.ANY_STATE), 'creating a read condition')

    def take(self):
        """The oldest sample as (bytes, info), or None; info has the fields of library.TakenInfo.

        Notices that carry no data, such as a writer's leaving, are passed over.
        """
        while taken := _take(self.entity, dds.ANY_STATE, 1):
            if type(taken) is int:
                if taken in _NOT_THERE:
                    return None
                raise dds.DdsError(taken, 'taking a DDS sample')
            sample = taken[0]
            if sample[1].valid_data:
                return sample
        return None

    def matched_count(self):
        """How many writers match this reader."""
        return self._matched_count(dds.dds_get_matched_publications)

    def matched_handles(self):
        """Instance handles of the writers that match this reader."""
        return self._matched(dds.dds_get_matched_publications)

    def matched_userdata(self, handle):
        """The USER_DATA pairs of a matched writer, {} if it is gone."""
        return _userdata(dds.dds_get_matched_publication_data(self.entity, handle))


def _userdata(endpoint):
    if not endpoint:
        return {}
    try:
        return read_userdata(endpoint.contents.qos)
    finally:
        dds.dds_builtintopic_free_endpoint(endpoint)
