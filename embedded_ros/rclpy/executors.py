"""Executors: run the callbacks of nodes when their time has come."""
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from inspect import iscoroutinefunction
import os
import threading
from threading import get_ident
from types import CoroutineType
import warnings

from rclpy.impl.executor import Executor, never
from rclpy.impl.executor_exceptions import (
    ConditionReachedException,
    ExternalShutdownException,
    ShutdownException,
    TimeoutException,
)
from rclpy.impl.ready import await_or_execute
from rclpy.task import Task

__all__ = [
    'ConditionReachedException', 'Executor', 'ExternalShutdownException', 'MultiThreadedExecutor',
    'ShutdownException', 'SingleThreadedExecutor', 'TimeoutException', 'await_or_execute']


class SingleThreadedExecutor(Executor):
    """Runs callbacks in the thread that spins."""

    def _spin_once_impl(self, timeout_sec=None, wait_condition=never):
        try:
            handler, entity, node = self.wait_for_ready_callbacks(
                timeout_sec, None, wait_condition)
        except (ShutdownException, TimeoutException, ConditionReachedException):
            return
        if type(handler) is partial:
            handler()
        else:
            self.run_task(handler, entity, node)
            handler.result()  # raises what the callback raised

    def _make_handler(self, entity, node, take):
        """Work that is run right away, no Task; None if it may not run now."""
        if entity._executor_event or not entity.callback_group.beginning_execution(entity):
            return None
        entity._executor_event = True
        self._held.append(entity)
        return partial(self._run_now, entity, node, take)

    def _run_now(self, entity, node, take):
        """Take what is ready of an entity and run its callback; errors are raised.

        A callback that is a coroutine function goes on as a Task where it waits.
        """
        coroutine = None
        inside, thread = self._inside, get_ident()
        inside.append(thread)
        try:
            taken = None if self._is_shutdown else take(entity)
            entity._executor_event = False
            if taken is not None:
                callback, arguments = taken
                result = callback(*arguments)
                if type(result) is CoroutineType and iscoroutinefunction(callback):
                    coroutine = result
        finally:
            inside.remove(thread)
            if self._is_shutdown:
                self._notify_idle()
            if coroutine is None:
                self._end(entity)
        if coroutine is not None:
            task = Task(self._await, (entity, coroutine), executor=self)
            self.run_task(task, entity, node)
            task.result()  # raises what the callback raised

    async def _await(self, entity, coroutine):
        try:
            await coroutine
        finally:
            self._end(entity)

    def _end(self, entity):
        entity._executor_event = False
        entity.callback_group.ending_execution(entity)
        self._held.remove(entity)

    def _spin_once_until_future_complete(self, future, timeout_sec):
        self._spin_once_impl(timeout_sec, future.done)


class MultiThreadedExecutor(Executor):
    """Runs callbacks in a pool of threads, as far as their callback groups allow."""

    def __init__(self, num_threads=None, *, context=None):
        super().__init__(context=context)
        if num_threads is None:
            num_threads = len(os.sched_getaffinity(0)) if hasattr(
                os, 'sched_getaffinity') else os.cpu_count()
        if num_threads == 1:
            warnings.warn(
                'MultiThreadedExecutor is used with a single thread.\n'
                'Use the SingleThreadedExecutor instead.', stacklevel=2)
        self._handlers = []
        self._executor = ThreadPoolExecutor(num_threads)
        self._start_threads(num_threads)

    def _start_threads(self, number):
        """Start all threads now: one whose start Ctrl-C interrupts would outlive the process."""
        together = threading.Barrier(number + 1)
        try:
            for _ in range(number):
                self._executor.submit(together.wait)
            together.wait()
        except BaseException:
            together.abort()
            self._executor.shutdown(wait=False)
            raise

    def spin(self):
        """Run callbacks until the executor or its context is shut down."""
        with suppress(ExternalShutdownException):
            super().spin()

    def _work(self, handler, entity, node):
        try:
            self.run_task(handler, entity, node)
        finally:
            self.wake()

    def _spin_once_impl(self, timeout_sec=None, wait_condition=never):
        try:
            handler, entity, node = self.wait_for_ready_callbacks(
                timeout_sec, None, wait_condition)
        except (ShutdownException, TimeoutException, ConditionReachedException):
            pass
        else:
            self._handlers.append(handler)
            self._executor.submit(self._work, handler, entity, node)
        for handler in list(self._handlers):
            if handler.done():
                self._handlers.remove(handler)
                handler.result()  # raises what the callback raised

    def _spin_once_until_future_complete(self, future, timeout_sec):
        self._spin_once_impl(timeout_sec, future.done)

    def shutdown(self, timeout_sec=None):
        success = super().shutdown(timeout_sec)
        self._executor.shutdown(wait=False)
        return success
