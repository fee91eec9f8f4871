"""What all executors share: nodes, tasks, the wait for work, and the end."""
from collections import deque
from contextlib import contextmanager
import threading
import time

from embedded_ros.dds.library import DdsError
from embedded_ros.dds.waitset import WaitSet as DdsWaitSet

from rclpy.context import stay_while_exiting
from rclpy.impl import costs
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
        self._nodes, self._nodes_lock = (), threading.RLock()
        self._tasks = deque()  # (Task, entity or None, node or None) that are to be run or resumed
        self._is_shutdown = False
        # Set under a plain lock: Ctrl-C can leave a Condition locked while it is entered.
        self._end_lock = threading.Lock()
        self._idle = threading.Condition(self._end_lock)
        self._inside = []  # the thread of each callback that runs
        self._waiter = DdsWaitSet(self._context.participant)
        self._due, self._found = deque(), deque()  # tasks and entities that the last wait found
        self._wanted = None  # which entity that wait was for
        self._known = self._known_nodes = None  # Entities of nodes, the wait for all of them,
        self._known_ready, self._known_count = None, 0  # and of when they are
        self._held = []  # the entity of each handler made and not done
        self._spinning, self._tasks_alone = 0, False
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
            self._nodes = (*self._nodes, node)
            node.executor = self
        self.wake()
        return True

    def remove_node(self, node):
        """Leave a node alone from now on."""
        with self._nodes_lock:
            if node not in self._nodes:
                return
            self._nodes = tuple(other for other in self._nodes if other is not node)
            self._known = self._known_nodes = self._known_ready = None
        self.wake()

    def get_nodes(self):
        """The nodes of this executor."""
        return list(self._nodes)

    # The end

    def shutdown(self, timeout_sec=None):
        """Stop spinning and let go of all nodes; False if callbacks still run after the time."""
        with self._idle:
            if not self._is_shutdown:
                self._is_shutdown = True
                self.wake()
            own = self._inside.count(threading.get_ident())
            if not self._idle.wait_for(lambda: len(self._inside) <= own, timeout_sec):
                return False
        with self._nodes_lock:
            self._nodes = ()
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

    # An executor of a program's own has spin_once() alone.

    def _spin_once_until_future_complete(self, future, timeout_sec):
        self._spin_once_impl(timeout_sec)

    def _spin_once_impl(self, timeout_sec=None, wait_condition=never):
        if type(self).spin_once is Executor.spin_once:
            raise NotImplementedError(f'{type(self).__name__} must define spin_once()')
        self.spin_once(timeout_sec)

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
        if self._found or self._due:
            entry = self._next_found(nodes)
            if entry is not None:
                return entry
        timeout = timeout_sec_to_nsec(timeout_sec)
        end = None if timeout < 0 else time.monotonic_ns() + timeout
        while True:
            self._look(end, tuple(nodes) if nodes else self._nodes, condition)
            entry = self._next_found(nodes)
            if entry is not None:
                return entry
            if condition():
                raise ConditionReachedException()
            if end is not None and time.monotonic_ns() >= end:
                raise TimeoutException()

    def _wait_for_ready_callbacks(self, timeout_sec=None, nodes=None, condition=never):
        """One piece of work after another, as rclpy's generator of this name gives them."""
        while True:
            yield self.wait_for_ready_callbacks(timeout_sec, nodes, condition)

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
                    if costs.imitated:
                        costs.spend(costs.HANDLER)
                    return handler, entity, node
        return None

    def _look(self, end, nodes, condition):
        """Find what is ready, at the latest at `end` [ns]: tasks, the newest first, and entities.

        Tasks that wait for a Future are not.  Every other time tasks come alone: what they send
        is ready together with what was ready before, and the order of entities decides.
        """
        context = self._context
        if self._tasks:
            self._due.extend(
                entry for entry in reversed(list(self._tasks)) if not entry[0].is_waiting())
        self._tasks_alone = (bool(self._due) and not self._tasks_alone and context.ok()
                             and not self._is_shutdown)
        if self._tasks_alone:
            return
        ready = self._ready_set(nodes)
        if self._due or condition() or self._is_shutdown or not context.ok():
            left = 0
        else:
            left = ready.time_left()
            if end is not None:
                left = min(left, end - time.monotonic_ns())
        if costs.imitated:
            costs.spend(costs.WAIT)
        try:
            ready.triggered = self._waiter.wait(ready.conditions, left if left > 0 else 0)
        except DdsError:
            if context.ok() and not self._is_shutdown:
                raise
        if costs.imitated:
            costs.spend(costs.WAIT)
        if self._is_shutdown:
            raise ShutdownException()
        if not context.ok():
            stay_while_exiting()
            raise ExternalShutdownException()
        # What came while no timer was due is taken first; timers due meanwhile are found next time.
        waited = left > 0 and ready.triggered
        self._found.extend(ready.found(not waited and ready.due_timers.time_left() <= 0))

    def _ready_set(self, nodes):
        """For what may run now of these nodes; looked up again only when it has changed."""
        count, known_nodes = entity_changes.count, self._known_nodes
        if count != self._known_count or (nodes is not known_nodes and nodes != known_nodes):
            self._known = Entities(self, nodes)
            self._known_ready = ReadySet(self._known)
            self._known_count, self._known_nodes = count, nodes
        if self._held:
            ready = ReadySet(self._known.restricted(self.can_execute))
        else:
            ready = self._known_ready
        if ready.asks:
            ready.renew()
        return ready

    def can_execute(self, entity):
        """Whether no executor holds the entity already and its group lets it run."""
        return not entity._executor_event and entity.callback_group.can_execute(entity)

    def _make_handler(self, entity, node, take):
        """A Task that takes what is ready and runs the callback; None if it may not run now."""
        if entity._executor_event or not entity.callback_group.can_execute(entity):
            return None
        entity._executor_event = True
        self._held.append(entity)
        return Task(self._run, (entity, take), {}, executor=self)

    async def _run(self, entity, take):
        if self._is_shutdown or not entity.callback_group.beginning_execution(entity):
            entity._executor_event = False
            self._held.remove(entity)
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
            self._held.remove(entity)
            self._taken()

    def _taken(self):
        """The entity, or its group, can be waited for again: another thread may wait."""
        self.wake()

    def run_task(self, task, entity, node):
        """Run a task; keep it if it waits for something."""
        inside, thread = self._inside, threading.get_ident()
        inside.append(thread)
        try:
            task()
        finally:
            inside.remove(thread)
            if self._is_shutdown:
                self._notify_idle()
        if not task.done():
            self._tasks.append((task, entity, node))

    def _notify_idle(self):
        """Let shutdown(), which waits for callbacks that run, look again."""
        with self._end_lock:
            self._idle.notify_all()
