"""What all executors share: nodes, tasks, the wait for work, and the end."""
from collections import deque
from contextlib import contextmanager
import threading
import time

from embedded_ros.dds.library import DdsError
from embedded_ros.dds.waitset import WaitSet as DdsWaitSet

from rclpy.context import stay_while_exiting
from rclpy.impl.changes import entity_changes
from rclpy.impl.executor_exceptions import (
    ConditionReachedException,
    ExternalShutdownException,
    ShutdownException,
    TimeoutException,
)
from rclpy.impl.ready import Entities, ReadySet, await_or_execute
from rclpy.task import Task
from rclpy.utilities import get_default_context, timeout_sec_to_nsec

_FOREVER = 2**63 - 1


def never():
    return False


class Executor:
    """Waits for work of its nodes and says how each piece is to be run.

    The wait is one call into the DDS library; timers bound its time, and wake() ends it.
    """

    def __init__(self, *, context=None):
        self._context = get_default_context() if context is None else context
        self._nodes, self._nodes_lock = [], threading.RLock()
        self._tasks = deque()  # (Task, entity or None, node or None) that are to be run or resumed
        self._is_shutdown = False
        # Counted under a plain lock: Ctrl-C can leave a Condition locked while it is entered.
        self._running, self._count_lock = 0, threading.Lock()
        self._idle = threading.Condition(self._count_lock)
        self._waiter = DdsWaitSet(self._context.participant)
        self._due, self._found = deque(), deque()  # tasks and entities that the last wait found
        self._wanted = None  # for whom that wait was
        self._known = self._known_nodes = None  # Entities of nodes, and of when they are
        self._known_count = 0
        self._outstanding = 0  # handlers made and not done
        self._spinning = 0
        self._context.add_waker(self)

    @property
    def context(self):
        """The context that this executor belongs to."""
        return self._context

    def wake(self):
        """End the wait under way, because there may be something new."""
        self._waiter.wake()

    def create_task(self, callback, *args, **kwargs):
        """Let a function or coroutine function run while spinning; gives a Task (a Future)."""
        task = Task(callback, args, kwargs, executor=self)
        self._tasks.append((task, None, None))
        self.wake()
        return task

    # Nodes

    def add_node(self, node):
        """Take over a node, from another executor if it has one; whether it was new here."""
        with self._nodes_lock:
            if node in self._nodes:
                return False
            self._nodes.append(node)
            node.executor = self
        self.wake()
        return True

    def remove_node(self, node):
        """Leave a node alone from now on."""
        with self._nodes_lock:
            if node not in self._nodes:
                return
            self._nodes.remove(node)
            self._known = self._known_nodes = None
        self.wake()

    def get_nodes(self):
        """The nodes of this executor."""
        with self._nodes_lock:
            return list(self._nodes)

    # The end

    def shutdown(self, timeout_sec=None):
        """Stop spinning and let go of all nodes; False if callbacks still run after the time."""
        with self._idle:
            if not self._is_shutdown:
                self._is_shutdown = True
                self.wake()
            inside = getattr(_inside, 'executors', ())
            own = sum(executor is self for executor in inside)
            if not self._idle.wait_for(lambda: self._running <= own, timeout_sec):
                return False
        with self._nodes_lock:
            self._nodes = []
        self._forget_found()
        if not own and not self._spinning:
            self._waiter.close()
        return True

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.shutdown()

    def __del__(self):
        if hasattr(self, '_waiter'):
            self._waiter.close()

    # Spinning

    def spin(self):
        """Run callbacks until the executor or its context is shut down."""
        with self._spins():
            while self._context.ok() and not self._is_shutdown:
                self._spin_once_impl()
        if not self._context.ok() and not self._is_shutdown:
            raise ExternalShutdownException()

    def spin_until_future_complete(self, future, timeout_sec=None):
        """Run callbacks until the Future is done, at most for the time."""
        future.wake_when_done(self.wake)
        end = None if timeout_sec is None or timeout_sec < 0 else time.monotonic() + timeout_sec
        left = None
        with self._spins():
            while self._context.ok() and not future.done() and not self._is_shutdown:
                if end is not None:
                    left = end - time.monotonic()
                    if left < 0:
                        return
                self._spin_once_until_future_complete(future, left)

    def spin_once(self, timeout_sec=None):
        """Wait for one piece of work, at most for the time, and run it."""
        with self._spins():
            self._spin_once_impl(timeout_sec)

    def spin_once_until_future_complete(self, future, timeout_sec=None):
        """As spin_once, but end the wait as well when the Future is done."""
        future.wake_when_done(self.wake)
        with self._spins():
            self._spin_once_until_future_complete(future, timeout_sec)

    def _spin_once_until_future_complete(self, future, timeout_sec):
        raise NotImplementedError()

    def _spin_once_impl(self, timeout_sec=None, wait_condition=never):
        raise NotImplementedError()

    @contextmanager
    def _spins(self):
        self._spinning += 1  # a callback may spin its own executor
        try:
            yield
        finally:
            self._spinning -= 1
            if self._is_shutdown and not self._spinning:
                self._waiter.close()

    # Waiting

    def wait_for_ready_callbacks(self, timeout_sec=None, nodes=None, condition=never):
        """Wait for the next piece of work: (handler, entity, node).

        Raises TimeoutException, ShutdownException, ExternalShutdownException and
        ConditionReachedException.
        """
        if self._wanted != (nodes, condition):
            self._forget_found()
            self._wanted = nodes, condition
        entry = self._next_found(nodes)
        if entry is not None:
            return entry
        timeout = timeout_sec_to_nsec(timeout_sec)
        end = None if timeout < 0 else time.monotonic_ns() + timeout
        while True:
            self._look(end, nodes or self.get_nodes(), condition)
            entry = self._next_found(nodes)
            if entry is not None:
                return entry
            if condition():
                raise ConditionReachedException()
            if end is not None and time.monotonic_ns() >= end:
                raise TimeoutException()

    def _forget_found(self):
        self._due.clear()
        self._found.clear()

    def _next_found(self, nodes):
        """The next of what the last wait found as (handler, entity, node), or None."""
        while self._due:
            entry = self._due.popleft()
            if entry in self._tasks:
                self._tasks.remove(entry)
                if not entry[0].done():
                    return entry
        while self._found:
            entity, node, take = self._found.popleft()
            if nodes or node in self._nodes:
                handler = self._make_handler(entity, node, take)
                if handler is not None:
                    return handler, entity, node
        return None

    def _look(self, end, nodes, condition):
        """Find what is ready, at the latest at `end` [ns]: tasks, the newest first, and entities.

        Tasks that wait for a Future are not.
        """
        if self._tasks:
            self._due.extend(
                entry for entry in reversed(list(self._tasks)) if not entry[0].is_waiting())
        ready = ReadySet(self._entities_of(nodes))
        self._waiter.watch(ready.conditions)
        left = ready.time_left(_FOREVER if end is None else end - time.monotonic_ns())
        ready.triggered = self._wait(0 if self._due or condition() or self._stopped() else left)
        if self._is_shutdown:
            raise ShutdownException()
        if not self._context.ok():
            stay_while_exiting()
            raise ExternalShutdownException()
        self._found.extend(ready.found())

    def _entities_of(self, nodes):
        """What may run now of these nodes; looked up again only when it has changed."""
        count, known = entity_changes.count, self._known
        if known is None or count != self._known_count or nodes != self._known_nodes:
            known = Entities(self, nodes)
            self._known, self._known_count, self._known_nodes = known, count, list(nodes)
        return known.restricted(self.can_execute) if self._outstanding else known

    def _stopped(self):
        return self._is_shutdown or not self._context.ok()

    def _wait(self, timeout):
        try:
            return self._waiter.wait(max(0, timeout))
        except DdsError:
            if not self._stopped():
                raise
            return ()

    def can_execute(self, entity):
        """Whether no executor holds the entity already and its group lets it run."""
        return not entity._executor_event and entity.callback_group.can_execute(entity)

    def _make_handler(self, entity, node, take):
        """A Task that takes what is ready and runs the callback; None if it may not run now."""
        if entity._executor_event or not entity.callback_group.can_execute(entity):
            return None
        entity._executor_event = True
        with self._count_lock:
            self._outstanding += 1
        return Task(self._run, (entity, take), {}, executor=self)

    async def _run(self, entity, take):
        if self._is_shutdown or not entity.callback_group.beginning_execution(entity):
            entity._executor_event = False
            self.work_ended()
            self.wake()
            return
        try:
            taken = take(entity)
            entity._executor_event = False
            self._taken()
            if taken is not None:
                callback, arguments = taken
                await await_or_execute(callback, *arguments)
        finally:
            entity._executor_event = False
            entity.callback_group.ending_execution(entity)
            self.work_ended()
            self._taken()

    def work_ended(self):
        """A piece of work that was found is done with."""
        with self._count_lock:
            self._outstanding -= 1

    def _taken(self):
        """The entity, or its group, can be waited for again."""

    def run_task(self, task, entity, node):
        """Run a task; keep it if it waits for something."""
        self.enter()
        try:
            task()
        finally:
            self.leave()
        if not task.done():
            self._tasks.append((task, entity, node))

    def enter(self):
        """Note that a callback begins, here and in this thread; False after shutdown()."""
        inside = _inside.__dict__.setdefault('executors', [])
        with self._count_lock:
            self._running += 1
            inside.append(self)
            return not self._is_shutdown

    def leave(self):
        """Note its end."""
        with self._count_lock:
            self._running -= 1
            _inside.executors.pop()
            if self._is_shutdown:
                self._idle.notify_all()


_inside = threading.local()  # .executors: those whose callbacks this thread is inside of
