"""A piece of work that is run at once by the thread that found it."""
from inspect import iscoroutinefunction
from types import CoroutineType

from rclpy.task import Task


class Work:
    """Takes what is ready of an entity and runs its callback, when called; errors are raised.

    A callback that is a coroutine function goes on as a Task of the executor where it waits.
    """

    __slots__ = ('_executor', '_entity', '_node', '_take')

    def __init__(self, executor, entity, node, take):
        self._executor, self._entity, self._node, self._take = executor, entity, node, take

    def __call__(self):
        executor, entity = self._executor, self._entity
        coroutine = None
        goes_on = executor.enter()
        try:
            taken = self._take(entity) if goes_on else None
            entity._executor_event = False
            if taken is not None:
                callback, arguments = taken
                result = callback(*arguments)
                if type(result) is CoroutineType and iscoroutinefunction(callback):
                    coroutine = result
        finally:
            executor.leave()
            if coroutine is None:
                self._end()
        if coroutine is not None:
            task = Task(self._await, (coroutine,), executor=executor)
            executor.run_task(task, entity, self._node)
            task.result()  # raises what the callback raised

    async def _await(self, coroutine):
        try:
            await coroutine
        finally:
            self._end()

    def _end(self):
        self._entity._executor_event = False
        self._entity.callback_group.ending_execution(self._entity)
        self._executor.work_ended()
