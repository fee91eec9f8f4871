"""What an executor waits for in one pass, and how what came is taken."""
import copy
from functools import partial
from inspect import iscoroutinefunction

from rclpy.impl.due_timers import DueTimers


async def await_or_execute(callback, *args):
    """Call a function, or await a coroutine function."""
    if iscoroutinefunction(callback):
        return await callback(*args)
    return callback(*args)


# Functions that take the work of an entity: (function or coroutine function, its arguments), or
# None where there is nothing after all.

def _take_timer(timer):
    return (timer.callback, timer.call()) if timer.is_ready() else None


def _take_subscription(subscription):
    arguments = subscription.take()
    return None if arguments is None else (subscription.callback, arguments)


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
        kinds = (('subscriptions', _take_subscription), ('services', _take_service),
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
        self.timers, self.due_timers, self.sources = timers, DueTimers(timers), sources
        self.places = {}  # condition -> places in `sources`
        for place, source in enumerate(sources):
            self.places.setdefault(source[0], []).append(place)
        self.conditions = frozenset(self.places)

    def restricted(self, may_run):
        """Only those of the entities that may run now."""
        some = copy.copy(self)
        for name in ('guards', 'waitables'):
            setattr(some, name, [pair for pair in getattr(self, name) if may_run(pair[0])])
        some._set_timers_and_sources(
            [pair for pair in self.timers if may_run(pair[0])],
            [source for source in self.sources if may_run(source[1])])
        return some

    def triggered(self, conditions):
        """(entity, node, function that takes) of what these conditions stand for, in order."""
        places, sources = self.places, self.sources
        return [sources[place][1:] for place in sorted(
            [place for condition in conditions for place in places.get(condition, ())])]


class ReadySet:
    """One wait of an executor: for what it waits, for how long, and what is ready after it.

    To waitables it is the wait set: they add_entity() what they wait for, and look at `triggered`.
    """

    def __init__(self, entities):
        self._entities = entities
        self.conditions = entities.conditions
        self.triggered = ()  # the conditions that were found triggered
        self._added_guards, self._added_timers = [], []
        for waitable, _ in entities.waitables:
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

    def time_left(self, limit):
        """Nanoseconds to wait, at most `limit`: none if something is ready, or until a timer is."""
        for guard, _ in self._entities.guards:
            if guard.is_triggered():
                return 0
        for guard in self._added_guards:
            if guard.is_triggered():
                return 0
        limit = min(limit, self._entities.due_timers.time_left())
        for timer in self._added_timers:
            limit = min(limit, timer.time_to_wait())
        return limit

    def found(self):
        """(entity, node, function that takes its work) of all that is ready."""
        entities = self._entities
        take_waitable = entities.take_waitable
        guards = [(guard, node, _take_guard) for guard, node in entities.guards if guard.take()]
        found = [(waitable, node, take_waitable) for waitable, node in entities.waitables
                 if waitable.is_ready(self)]
        if entities.due_timers.time_left() <= 0:
            found += [(timer, node, _take_timer) for timer, node in entities.timers
                      if timer.is_ready()]
        if self.triggered:
            found += [source for source in entities.triggered(self.triggered)
                      if source[2] is not take_waitable or source[0].is_ready(self)]
        return found + guards
