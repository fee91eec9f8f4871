"""The endpoints and participants that DDS discovery knows, read from the built-in topics."""
import ctypes as ct
from dataclasses import dataclass

from . import library as dds
from .qos import Qos, read_qos, read_userdata

_PARTICIPANTS, _PUBLICATIONS, _SUBSCRIPTIONS = 0x7fff0001, 0x7fff0003, 0x7fff0004


@dataclass(frozen=True)
class EndpointInfo:
    """A reader or writer somewhere in the domain; gids are 16 bytes, names as in DDS."""

    gid: bytes
    participant_gid: bytes
    topic: str
    type_name: str
    qos: Qos
    userdata: dict

    @classmethod
    def from_sample(cls, sample):
        return cls(
            bytes(sample.key), bytes(sample.participant_key), sample.topic_name.decode(),
            sample.type_name.decode(), read_qos(sample.qos), read_userdata(sample.qos))


class _BuiltinReader:
    """Reads what is alive now; samples decoded once are kept by their key."""

    def __init__(self, participant, topic, structure, decode):
        self._entity = dds.checked(
            dds.dds_create_reader(participant.entity, topic, None, None),
            'creating a reader of a DDS built-in topic')
        self._structure, self._decode, self._known = structure, decode, {}
        self._size = 256

    def read(self):
        size = self._size  # other threads may change it meanwhile
        samples, infos = (ct.c_void_p * size)(), (dds.SampleInfo * size)()
        count = dds.checked(
            dds.dds_read_mask(self._entity, samples, infos, size, size, dds.ALIVE),
            'reading a DDS built-in topic')
        try:
            if count < size:
                known = dict(self._item(samples[i]) for i in range(count) if infos[i].valid_data)
                self._known = known
                return list(known.values())
        finally:
            dds.dds_return_loan(self._entity, samples, count)
        self._size = 4 * size
        return self.read()

    def _item(self, address):
        sample = ct.cast(address, ct.POINTER(self._structure)).contents
        key = bytes(sample.key)
        return key, self._known[key] if key in self._known else self._decode(sample)


class Discovered:
    """What a participant has discovered; the readers are made when first asked for."""

    def __init__(self, participant):
        self._participant, self._readers = participant, {}

    def _read(self, topic, structure, decode):
        if topic not in self._readers:
            self._readers[topic] = _BuiltinReader(self._participant, topic, structure, decode)
        return self._readers[topic].read()

    def participants(self):
        """The gids of all participants that are alive, our own included."""
        return self._read(
            _PARTICIPANTS, dds.BuiltinParticipant, lambda sample: bytes(sample.key))

    def writers(self):
        return self._read(_PUBLICATIONS, dds.Endpoint, EndpointInfo.from_sample)

    def readers(self):
        return self._read(_SUBSCRIPTIONS, dds.Endpoint, EndpointInfo.from_sample)
