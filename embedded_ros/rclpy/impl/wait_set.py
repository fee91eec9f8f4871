"""Wait sets as rclpy's C extension has them: entities of several kinds, ready or not by index."""
import time

from embedded_ros.dds.waitset import WaitSet as DdsWaitSet

from rclpy.impl.due_timers import FOREVER
from rclpy.impl.handle import Handle

_ENDPOINTS = ('subscription', 'client', 'service')


class WaitSetEntries:
    """What waitables add to a wait set, and which of it is ready.

    Subclasses have `triggered`, the DDS conditions that the last wait found, and _wait_for_...
    """

    triggered = ()

    def __init__(self):
        self._entries = {}  # kind -> handles in the order in which they were added
        self._taken = set()  # guard conditions that were triggered before or in the last wait

    def _add(self, kind, handle):
        entries = self._entries.setdefault(kind, [])
        entries.append(handle)
        return len(entries) - 1

    def add_subscription(self, subscription):
        self._wait_for_condition(subscription.condition)
        return self._add('subscription', subscription)

    def add_client(self, client):
        self._wait_for_condition(client.condition)
        return self._add('client', client)

    def add_service(self, service):
        self._wait_for_condition(service.condition)
        return self._add('service', service)

    def add_event(self, event):
        self._wait_for_condition(event.condition)
        return self._add('event', event)

    def add_guard_condition(self, guard_condition):
        self._wait_for_guard(guard_condition)
        return self._add('guard_condition', guard_condition)

    def add_timer(self, timer):
        self._wait_for_timer(timer.timer)
        return self._add('timer', timer)

    def is_ready(self, entity_type, index):
        """Whether the entity of a kind that was added as number `index` is ready."""
        entries = self._entries.get(entity_type, [])
        if not 0 <= index < len(entries):
            raise IndexError(f'wait set index for {entity_type} is out of range: {index}')
        entity = entries[index]
        if entity_type in _ENDPOINTS:
            return entity.condition in self.triggered
        if entity_type == 'event':
            return entity.condition in self.triggered and entity.is_triggered()
        if entity_type == 'timer':
            return entity.is_timer_ready()
        if entity.take():
            self._taken.add(entity)
        return entity in self._taken

    def get_ready_entities(self, entity_type):
        """The pointers of all entities of a kind that are ready."""
        return [entity.pointer for index, entity in enumerate(self._entries.get(entity_type, []))
                if self.is_ready(entity_type, index)]


class WaitSet(WaitSetEntries, Handle):
    """A wait set of its own, without an executor."""

    def __init__(self, number_of_subscriptions, number_of_guard_conditions, number_of_timers,
                 number_of_clients, number_of_services, number_of_events, context):
        """Only the ContextHandle is needed: a wait set grows as entities are added."""
        Handle.__init__(self, DdsWaitSet(context.context.participant))
        self.clear_entities()

    def clear_entities(self):
        """Forget all that was added."""
        WaitSetEntries.__init__(self)
        self._conditions, self._guards, self._timers = frozenset(), [], []

    def _wait_for_condition(self, condition):
        self._conditions |= {condition}

    def _wait_for_guard(self, guard):
        guard.add_waker(self._middleware.wake)
        self._guards.append(guard)

    def _wait_for_timer(self, timer):
        self._timers.append(timer)

    def wait(self, timeout):
        """Wait until something is ready, at most for a time [ns]; for ever if it is negative."""
        end = FOREVER if timeout < 0 else time.monotonic_ns() + timeout
        self._taken = set()
        while True:
            left = end - time.monotonic_ns()
            for timer in self._timers:
                left = min(left, timer.time_to_wait())
            self._taken.update(guard for guard in self._guards if guard.take())
            self.triggered = self.middleware.wait(
                self._conditions, 0 if self._taken else max(left, 0))
            self._taken.update(guard for guard in self._guards if guard.take())
            if (self._taken or self.triggered or time.monotonic_ns() >= end
                    or any(timer.is_due() for timer in self._timers)):
                return
