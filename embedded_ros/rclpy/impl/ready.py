"""What an executor waits for in one pass, and how what came is taken and handled."""
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
    timer.call()
    return partial(await_or_execute, timer.callback)


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


class ReadySet:
    """The entities of some nodes that may run now, as one wait of an executor sees them.

    To waitables it is the wait set: they add_entity() what they wait for, and look at `triggered`.
    """

    def __init__(self, executor, nodes):
        self.conditions = set()  # DDS conditions to wait for
        self.triggered = set()  # those that were found triggered
        self._endpoints, self._timers, self._guards, self._waitables = [], [], [], []
        self._added_guards = []
        self._can_execute = executor.can_execute
        take_client = partial(_take_client, executor)
        self._take_waitable = partial(_take_waitable, executor)
        for node in nodes:
            self._add_node(node, take_client)

    def _add_node(self, node, take_client):
        for timer in list(node.timers):
            if self._can_execute(timer):
                self._timers.append((timer, node))
        for entities, take, reader in (
                (node.subscriptions, _take_subscription, lambda middleware: middleware),
                (node.clients, take_client, lambda middleware: middleware.reader),
                (node.services, _take_service, lambda middleware: middleware.reader)):
            for entity in list(entities):
                if entity.handle.valid and self._can_execute(entity):
                    condition = reader(entity.handle.middleware).condition
                    self.conditions.add(condition)
                    self._endpoints.append((condition, entity, node, take))
        for guard in list(node.guards):
            if self._can_execute(guard):
                self._guards.append((guard, node))
        for waitable in list(node.waitables):
            if self._can_execute(waitable):
                waitable.add_to_wait_set(self)
                self._waitables.append((waitable, node))

    def add_entity(self, entity):
        """Wait for a DDS condition (an int), a guard condition or a timer as well."""
        if isinstance(entity, int):
            self.conditions.add(entity)
        elif hasattr(entity, 'is_triggered'):
            self._added_guards.append(entity)
        elif hasattr(entity, 'time_until_next_call'):
            self._timers.append((entity, None))
        else:
            reader = getattr(entity.handle.middleware, 'reader', entity.handle.middleware)
            self.conditions.add(reader.condition)

    def time_left(self, limit):
        """Nanoseconds to wait, at most `limit`: none if something is ready, or until a timer is."""
        if any(guard.is_triggered() for guard, _ in self._guards) or any(
                guard.is_triggered() for guard in self._added_guards):
            return 0
        for timer, _ in self._timers:
            if not timer._canceled and not timer._destroyed:
                left = timer._next - timer._clock._nanoseconds()
                if left <= 0 or timer._clock._runs_by_itself():
                    limit = min(limit, left)
        return limit

    def found(self):
        """(entity, node, function that takes its work) of all that is ready, one by one."""
        guards = [(guard, node) for guard, node in self._guards if guard.take()]
        waitables = [pair for pair in self._waitables if pair[0].is_ready(self)]
        for waitable, node in waitables:
            yield waitable, node, self._take_waitable
        for timer, node in self._timers:
            if node is not None and timer.is_ready():
                yield timer, node, _take_timer
        for condition, entity, node, take in self._endpoints:
            if condition in self.triggered:
                yield entity, node, take
        for guard, node in guards:
            yield guard, node, _take_guard
