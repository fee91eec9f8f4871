"""What an executor waits for in one pass, and how what came is taken."""
import copy
from functools import partial
from inspect import iscoroutinefunction

from rclpy.impl.due_timers import DueTimers
from rclpy.impl.wait_set import WaitSetEntries
from rclpy.subscription import Subscription


async def await_or_execute(callback, *args):
    """Call a function, or await a coroutine function."""
    if iscoroutinefunction(callback):
        return await callback(*args)
    return callback(*args)


# Functions that take the work of an entity: (function or coroutine function, its arguments), or
# None where there is nothing after all.

def _take_timer(timer):
    return (timer.callback, timer.call()) if timer.is_due() else None


def _take_guard(guard):
    return None if guard.callback is None else (guard.callback, ())


def _take_client(executor, client):
    taken = client.take()
    if taken is None:
        return None
    future, response = taken

    def answer():
        future._set_executor(executor)
        future.set_result(response)

    return answer, ()


def _take_service(service):
    taken = service.take()
    if taken is None:
        return None
    request, header = taken

    async def serve():
        response = await await_or_execute(
            service.callback, request, service.srv_type.Response())
        service.send_response(response, header)

    return serve, ()


def _take_waitable(executor, waitable):
    data = waitable.take_data()

    async def execute():
        for future in waitable._futures:
            future._set_executor(executor)
        await waitable.execute(data)

    return execute, ()


class Entities:
    """Everything of some nodes that an executor can wait for, and the DDS conditions for it."""

    def __init__(self, executor, nodes):
        timers, self.guards, self.waitables = [], [], []  # (entity, node)
        self.take_waitable = partial(_take_waitable, executor)
        kinds = (('subscriptions', Subscription.take_work), ('services', _take_service),
                 ('clients', partial(_take_client, executor)))
        endpoints, events = [], []  # (condition, entity, node, function that takes)
        for node in nodes:
            timers += [(timer, node) for timer in list(node.timers)]
            self.guards += [(guard, node) for guard in list(node.guards)]
            for name, take in kinds:
                endpoints += [
                    (entity.handle.condition, entity, node, take)
                    for entity in list(getattr(node, name)) if entity.handle.valid]
            for waitable in list(node.waitables):
                if hasattr(waitable, 'condition'):
                    events.append((waitable.condition, waitable, node, self.take_waitable))
                else:
                    self.waitables.append((waitable, node))
        self._set_timers_and_sources(timers, events + endpoints)

    def _set_timers_and_sources(self, timers, sources):
        """Note timers, and what can be taken of DDS, in the order in which they are served."""
        self.timers, self.due_timers = timers, DueTimers(timers)
        self._sources = sources
        self.places = {}  # condition -> [(place in `sources`, the rest of what stands there)]
        for place, (condition, *entry) in enumerate(sources):
            self.places.setdefault(condition, []).append((place, tuple(entry)))
        self.conditions = frozenset(self.places)

    def restricted(self, may_run):
        """The entities that may run now."""
        some = copy.copy(self)
        for name in ('guards', 'waitables'):
            setattr(some, name, [pair for pair in getattr(self, name) if may_run(pair[0])])
        some._set_timers_and_sources(
            [pair for pair in self.timers if may_run(pair[0])],
            [source for source in self._sources if may_run(source[1])])
        return some


class ReadySet(WaitSetEntries):
    """The waits of an executor: for what it waits, for how long, and what is ready after each.

    To waitables it is the wait set: they add_entity() what they wait for, and look at `triggered`.
    """

    def __init__(self, entities):
        super().__init__()
        self._entities = entities
        self.conditions, self.due_timers = entities.conditions, entities.due_timers
        self.triggered = ()  # the conditions that the last wait found triggered
        self.asks = bool(entities.waitables)  # whether waitables say what they wait for
        self._added_guards, self._added_timers = [], []

    def renew(self):
        """Ask waitables again what they wait for."""
        self.__init__(self._entities)
        for waitable, _ in self._entities.waitables:
            waitable.add_to_wait_set(self)

    def add_entity(self, entity):
        """Wait for a DDS condition (an int), a guard condition or a timer as well."""
        if isinstance(entity, int):
            self.conditions = self.conditions | {entity}
        elif hasattr(entity, 'is_triggered'):
            self._added_guards.append(entity)
        elif hasattr(entity, 'time_until_next_call'):
            self._added_timers.append(entity)
        else:
            self.conditions = self.conditions | {entity.handle.condition}

    _wait_for_condition = _wait_for_guard = _wait_for_timer = add_entity

    def time_left(self):
        """Nanoseconds to wait: none if something is ready, or until a timer is."""
        for guard, _ in self._entities.guards:
            if guard.is_triggered():
                return 0
        left = self.due_timers.time_left()
        if self.asks:
            if any(guard.is_triggered() for guard in self._added_guards):
                return 0
            for timer in self._added_timers:
                left = min(left, timer.time_to_wait())
        return left

    def found(self, timers_are_due):
        """(entity, node, function that takes its work) of all that is ready."""
        entities, found = self._entities, []
        take_waitable = entities.take_waitable
        if self.asks:
            found += [(waitable, node, take_waitable) for waitable, node in entities.waitables
                      if waitable.is_ready(self)]
        if timers_are_due:
            found += [(timer, node, _take_timer) for timer, node in entities.timers
                      if timer.is_due()]
        placed, places = [], entities.places
        for condition in self.triggered:
            placed += places.get(condition, ())
        if len(placed) > 1:
            placed.sort()  # no two have the same place
        for _, entry in placed:
            if entry[2] is not take_waitable or entry[0].is_ready(self):
                found.append(entry)
        if entities.guards:
            found += [(guard, node, _take_guard) for guard, node in entities.guards
                      if guard.take()]
        return found
