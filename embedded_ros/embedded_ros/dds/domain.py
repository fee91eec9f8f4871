"""The DDS domains that this process takes part in, and the types known in each."""
from contextlib import nullcontext
import threading

from . import library as dds
from .configuration import configuration, is_confined, refuse_security
from .log import throttled
from .loopback import on_loopback_only
from .topic_type import first_topic, free_type, topic_like

_ALREADY_CONFIGURED = -4  # DDS_RETCODE_PRECONDITION_NOT_MET: the process has this domain already

_domains = {}
_lock = threading.RLock()  # the garbage collector may end a participant wherever this is held


class Domain:
    """A domain as long as the process has participants in it."""

    def __init__(self, domain_id):
        refuse_security()
        dds.stay_up()
        with throttled(), (on_loopback_only() if is_confined() else nullcontext()):
            code = dds.dds_create_domain(domain_id, configuration().encode())
        if code != _ALREADY_CONFIGURED:
            dds.checked(code, f'setting up DDS domain {domain_id}')
        self._entity = code if code > 0 else None  # None where others made it
        self._id, self._participants = domain_id, 0
        self._types = {}

    @staticmethod
    def join(domain_id):
        """The domain, set up unless this process has it already; leave() gives it back."""
        with _lock:
            domain = _domains.get(domain_id)
            if domain is None:
                domain = _domains[domain_id] = Domain(domain_id)
            domain._participants += 1
            return domain

    def leave(self):
        """Take the domain down with its last participant: only then its farewells are sent."""
        with _lock:
            self._participants -= 1
            if not self._participants:
                del _domains[self._id]
                types, self._types = self._types, {}
                if self._entity is not None:
                    dds.dds_delete(self._entity)
                    for held in types.values():
                        free_type(held)

    def create_topic(self, participant, name, data_type):
        """A topic entity; `data_type` is (DDS type name, fields, function for nested types).

        All topics of a type share what the library holds of it: with more than 32 of the same
        type in its table of types, the table grows until there is no memory left. It is held as
        long as the domain, for the library (11.0.1) asks it about samples of any other type too,
        in threads of its own, when its last topic is long gone.
        """
        key = data_type[0], tuple(data_type[1])
        with _lock:
            held = self._types.get(key)
            if held is not None:
                return topic_like(held, participant, name)
            topic, self._types[key] = first_topic(participant, name, data_type)
            return topic
