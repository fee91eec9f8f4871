"""Waiting for DDS entities without polling."""
import ctypes as ct

from . import library as dds


class WaitSet:
    """A DDS wait set over read conditions, with a guard condition of its own to wake it."""

    def __init__(self, participant):
        self._entity = dds.checked(
            dds.dds_create_waitset(participant.entity), 'creating a DDS wait set')
        self._guard = dds.checked(
            dds.dds_create_guardcondition(participant.entity), 'creating a guard condition')
        self._attach(self._guard)
        self._attached = frozenset()
        self._triggered = (ct.c_ssize_t * 16)()
        self._flag = ct.c_bool()

    def _attach(self, condition):
        return dds.dds_waitset_attach(self._entity, condition, condition)

    def _watch(self, conditions):
        """Attach exactly this set of read conditions (entity handles)."""
        for condition in self._attached - conditions:
            dds.dds_waitset_detach(self._entity, condition)  # fails if it is deleted: fine too
        for condition in conditions - self._attached:
            self._attach(condition)
        self._attached = frozenset(conditions)
        if len(conditions) >= len(self._triggered):
            self._triggered = (ct.c_ssize_t * (2 * len(conditions)))()

    def wait(self, conditions, timeout):
        """The triggered conditions of a set, at the latest after `timeout` [ns]."""
        if conditions is not self._attached and conditions != self._attached:
            self._watch(conditions)
        triggered = self._triggered
        count = dds.dds_waitset_wait(self._entity, triggered, len(triggered), timeout)
        if count <= 0:
            dds.checked(count, 'waiting for DDS entities')
            return ()
        found = triggered[:count]
        if self._guard in found:
            dds.dds_take_guardcondition(self._guard, self._flag)
            found.remove(self._guard)
        return found

    def wake(self):
        """Let the wait under way, or else the next one, end at once."""
        dds.dds_set_guardcondition(self._guard, True)

    def close(self):
        entity, self._entity = self._entity, 0
        if entity:
            dds.dds_delete(entity)
            dds.dds_delete(self._guard)
