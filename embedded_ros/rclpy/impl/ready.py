"""What an executor waits for in one pass, and how what came is taken and handled."""
import copy
from functools import partial
from inspect import iscoroutinefunction


async def await_or_execute(callback, *args):
    """Call a function, or await a coroutine function."""
    if iscoroutinefunction(callback):
        return await callback(*args)
    return callback(*args)


def _take_timer(timer):
    if not timer.is_ready():
        return None
    arguments = timer.call()
    return partial(await_or_execute, timer.callback, *arguments)


def _take_subscription(subscription):
    taken = subscription.take()
    return None if taken is None else partial(await_or_execute, subscription.callback, *taken)


def _take_guard(guard):
    return None if guard.callback is None else partial(await_or_execute, guard.callback)


def _take_client(executor, client):
    taken = client.take()
    if taken is None:
        return None
    future, response = taken

    async def answer():
        future._set_executor(executor)
        future.set_result(response)

    return answer


def _take_service(service):
    taken = service.take()
    if taken is None:
        return None
    request, header = taken

    async def serve():
        response = await await_or_execute(
            service.callback, request, service.srv_type.Response())
        service.send_response(response, header)

    return serve


def _take_waitable(executor, waitable):
    data = waitable.take_data()

    async def execute():
        for future in waitable._futures:
            future._set_executor(executor)
        await waitable.execute(data)

    return execute


class Entities:
    """Everything of some nodes that an executor can wait for, and the DDS conditions for it."""

    def __init__(self, executor, nodes):
        self.timers, self.guards, self.waitables = [], [], []  # (entity, node)
        self.endpoints, self.events = [], []  # (condition, entity, node, function that takes)
        take_waitable = partial(_take_waitable, executor)
        self.take_waitable = take_waitable
        kinds = (('subscriptions', _take_subscription), ('services', _take_service),
                 ('clients', partial(_take_client, executor)))
        for node in nodes:
            self.timers += [(timer, node) for timer in list(node.timers)]
            self.guards += [(guard, node) for guard in list(node.guards)]
            for name, take in kinds:
                self.endpoints += [
                    (entity.handle.condition, entity, node, take)
                    for entity in list(getattr(node, name)) if entity.handle.valid]
            for waitable in list(node.waitables):
                if hasattr(waitable, 'condition'):
                    self.events.append((waitable.condition, waitable, node, take_waitable))
                else:
                    self.waitables.append((waitable, node))
        self.conditions = frozenset(entry[0] for entry in self.endpoints + self.events)

    def restricted(self, may_run):
        """Only those of the entities that may run now."""
        some = copy.copy(self)
        for name in ('timers', 'guards', 'waitables'):
            setattr(some, name, [pair for pair in getattr(self, name) if may_run(pair[0])])
        for name in ('endpoints', 'events'):
            setattr(some, name, [entry for entry in getattr(self, name) if may_run(entry[1])])
        some.conditions = frozenset(entry[0] for entry in some.endpoints + some.events)
        return some


class ReadySet:
    """One wait of an executor: for what it waits, for how long, and what is ready after it.

    To waitables it is the wait set: they add_entity() what they wait for, and look at `triggered`.
    """

    def __init__(self, entities):
        self._entities = entities
        self.conditions = entities.conditions
        self.triggered = frozenset()  # the conditions that were found triggered
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
        if any(guard.is_triggered() for guard in self._added_guards):
            return 0
        for timer, _ in self._entities.timers:
            limit = min(limit, timer.time_to_wait())
        for timer in self._added_timers:
            limit = min(limit, timer.time_to_wait())
        return limit

    def found(self):
        """(entity, node, function that takes its work) of all that is ready, one by one."""
        entities, triggered = self._entities, self.triggered
        guards = [(guard, node) for guard, node in entities.guards if guard.take()]
        ready = [pair for pair in entities.waitables if pair[0].is_ready(self)]
        for waitable, node in ready:
            yield waitable, node, entities.take_waitable
        for timer, node in entities.timers:
            if timer.is_ready():
                yield timer, node, _take_timer
        if triggered:
            for condition, event, node, take in entities.events:
                if condition in triggered and event.is_ready(self):
                    yield event, node, take
            for condition, entity, node, take in entities.endpoints:
                if condition in triggered:
                    yield entity, node, take
        for guard, node in guards:
            yield guard, node, _take_guard
