"""Results to come, and work an executor does."""
import inspect
import sys
import threading
from types import GenericAlias
import warnings
import weakref


def _fake_weakref():
    """Stand in for a dead weak reference where there is no executor."""
    return None


_running = threading.local()  # .task: the Task whose coroutine runs in this thread


class Future:
    """A result, or an exception, that will be there some time."""

    __class_getitem__ = classmethod(GenericAlias)  # Future[str] in annotations

    def __init__(self, *, executor=None):
        self._done = False
        self._cancelled = False
        self._result = None
        self._exception = None
        self._exception_fetched = False
        self._callbacks = []
        self._wakers = []  # called at once, where the future is done
        self._lock = threading.Lock()
        self._executor = _fake_weakref
        self._set_executor(executor)

    def __del__(self):
        if self._exception is not None and not self._exception_fetched:
            print('The following exception was never retrieved: ' + str(self._exception),
                  file=sys.stderr)

    def __await__(self):
        while not self._done:
            task = getattr(_running, 'task', None)
            if task is not None:
                task._awaited = self
            yield
        return self.result()

    def cancel(self):
        """Ask for its end; a future that is done stays as it is."""
        with self._lock:
            if not self._done:
                self._cancelled = True
        self._schedule_or_invoke_done_callbacks()

    def cancelled(self):
        return self._cancelled

    def done(self):
        """Whether a result or an exception is there (not so for a cancelled one)."""
        return self._done

    def result(self):
        """Give the result, or raise the exception; None while there is neither."""
        exception = self.exception()
        if exception:
            raise exception
        return self._result

    def exception(self):
        self._exception_fetched = True
        return self._exception

    def set_result(self, result):
        with self._lock:
            self._result = result
            self._done = True
            self._cancelled = False
        self._schedule_or_invoke_done_callbacks()

    def set_exception(self, exception):
        with self._lock:
            self._exception = exception
            self._exception_fetched = False
            self._done = True
            self._cancelled = False
        self._schedule_or_invoke_done_callbacks()

    def add_done_callback(self, callback):
        """Have callback(future) called once it is done: by the executor, or here if none.

        Where it is done already, and there is no executor, what the callback raises is raised.
        """
        with self._lock:
            if not self._done:
                self._callbacks.append(callback)
                return
        executor = self._executor()
        if executor is not None:
            executor.create_task(callback, self)
        else:
            callback(self)

    def wake_when_done(self, wake):
        """Have wake() called once it is done, in whatever thread that happens."""
        with self._lock:
            if not self._done:
                self._wakers.append(wake)
                return
        wake()

    def remove_done_callback(self, callback):
        with self._lock:
            try:
                self._callbacks.remove(callback)
            except ValueError:
                return False
        return True

    def _schedule_or_invoke_done_callbacks(self):
        with self._lock:
            callbacks, self._callbacks = self._callbacks, []
            wakers, self._wakers = self._wakers, []
            executor = self._executor()
        for wake in wakers:
            wake()
        for callback in callbacks:
            if executor is not None:
                executor.create_task(callback, self)
            else:
                self._invoke(callback)

    def _invoke(self, callback):
        try:
            callback(self)
        except Exception as error:
            warnings.warn(f'Unhandled exception in done callback: {error}', stacklevel=2)

    def _set_executor(self, executor):
        """Have this executor run the callbacks; None: they run where the result is set."""
        with self._lock:
            self._executor = _fake_weakref if executor is None else weakref.ref(executor)


class Task(Future):
    """A function or coroutine that is run by calling the task."""

    def __init__(self, handler, args=None, kwargs=None, executor=None):
        super().__init__(executor=executor)
        if inspect.iscoroutinefunction(handler):
            handler = handler(*(args or ()), **(kwargs or {}))
            args = kwargs = None
        self._handler = handler
        self._args = args or []
        self._kwargs = kwargs or {}
        self._executing = False
        self._awaited = None  # the Future that the coroutine waits for
        self._task_lock = threading.Lock()

    def __call__(self):
        """Run the function, or the coroutine up to where it waits; errors are kept."""
        if self._done or self._executing or not self._task_lock.acquire(blocking=False):
            return
        try:
            if self._done:
                return
            self._executing = True
            self._run()
            self._executing = False
        finally:
            self._task_lock.release()

    def _run(self):
        if inspect.iscoroutine(self._handler):
            outer, _running.task = getattr(_running, 'task', None), self
            self._awaited = None
            try:
                self._handler.send(None)  # returns where it waits, raises StopIteration at its end
                self._wake_executor_later()
            except StopIteration as end:
                self._finish(self.set_result, end.value)
            except Exception as error:
                self._finish(self.set_exception, error)
            finally:
                _running.task = outer
            return
        try:
            result = self._handler(*self._args, **self._kwargs)
        except Exception as error:
            self._finish(self.set_exception, error)
        else:
            self._finish(self.set_result, result)

    def _wake_executor_later(self):
        """Wake the executor when the coroutine can go on."""
        executor = self._executor()
        if executor is not None and self._awaited is not None:
            self._awaited.wake_when_done(executor.wake)

    def is_waiting(self):
        """Whether the coroutine waits for a Future that is not done."""
        return self._awaited is not None and not self._awaited.done() and not self._done

    def _finish(self, set_outcome, outcome):
        set_outcome(outcome)
        self._handler, self._args, self._kwargs = None, None, None

    def executing(self):
        """Whether the function is running right now."""
        return self._executing

    def cancel(self):
        """Ask for its end; a coroutine that is waiting is closed."""
        super().cancel()
        if inspect.iscoroutine(self._handler) and not self._executing:
            self._handler.close()
