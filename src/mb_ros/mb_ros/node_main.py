"""The life of a process with nodes, the same for all of them, and its end by force."""

from collections.abc import Callable, Sequence
from contextlib import suppress
import ctypes
import faulthandler
import gc
import inspect
from io import UnsupportedOperation
from pathlib import Path
import signal
import sys
import threading
import traceback
from types import NoneType
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.logging import get_logger
from rclpy.signals import uninstall_signal_handlers

from mb_ros.draining_executor import DrainingExecutor
from mb_ros.interrupts import Interrupts, noted_interrupts
from mb_ros.program import uncollected
from mb_ros.usage import asks_for_help, problem_of, usage_of_node

_CLOCK_MONOTONIC, _SIGEV_THREAD = 1, 2      # of Linux
_WARNING = 1.0      # before the end, by which stacks are printed [s]
USER_ERROR = 2      # as mb_model.command_api has it, which this package cannot import
LONGEST_END = 10.0  # wall time after which the middleware is not waited for any more [s]
REST = 0.02         # wall time between two wakes of a node that only watches [s]


class _Event(ctypes.Structure):
    """struct sigevent, with a function to be called in a thread of the C library."""

    _fields_ = (('value', ctypes.c_int), ('_', ctypes.c_int), ('signal', ctypes.c_int),
                ('notify', ctypes.c_int), ('function', ctypes.c_void_p),
                ('attributes', ctypes.c_void_p), ('_rest', ctypes.c_char * 32))


class _Setting(ctypes.Structure):
    """struct itimerspec."""

    _fields_ = (('interval', ctypes.c_long * 2), ('seconds', ctypes.c_long),
                ('nanoseconds', ctypes.c_long))


class ForcedEnd:
    """Ends this process by itself, where the system can, unless it is called off before."""

    def __init__(self, patience: float, code: int) -> None:
        """Wait for a wall time [s], print where all threads are, and end with an exit code."""
        self._timer: ctypes.c_void_p | None = None
        if sys.platform != 'linux':
            return
        self._library = ctypes.CDLL(None)
        event = _Event(value=code, notify=_SIGEV_THREAD, function=ctypes.cast(
            self._library._exit, ctypes.c_void_p))
        timer, setting = ctypes.c_void_p(), _Setting()
        setting.seconds, setting.nanoseconds = int(patience), int(patience % 1.0 * 1e9)
        if self._library.timer_create(
                _CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)):
            return
        self._library.timer_settime(timer, 0, ctypes.byref(setting), None)
        self._timer = timer
        with suppress(AttributeError, RuntimeError, UnsupportedOperation):    # stderr is no file
            faulthandler.dump_traceback_later(max(0.1, patience - _WARNING))

    def call_off(self) -> None:
        """Let the process go on."""
        if self._timer is not None:
            faulthandler.cancel_dump_traceback_later()
            self._library.timer_delete(self._timer)
            self._timer = None


class NodeMain:
    """main() of a module with a node: runs it alone until it is stopped."""

    def __init__(self, node_class: type[Any], rest: float = 0.0) -> None:
        """Set up; node_class takes the options of rclpy's Node, such as cli_args.

        rest: shortest wall time between two wakes [s], of a node that looks on.
        """
        self.node_class, self._rest = node_class, rest

    @property
    def description(self) -> str:
        """What the node does: the text of its class where a module has several programs."""
        module = sys.modules[self.node_class.__module__]
        return inspect.getdoc(module if vars(module).get('main') is self else self.node_class) or ''

    def __call__(self) -> int:
        """Run the node, or print its usage; return the exit code."""
        words = sys.argv[1:]
        program = f'{self.node_class.__module__.partition(".")[0]} {Path(sys.argv[0]).name}'
        if asks_for_help(words):
            print(usage_of_node(program, self.description))
            return 0
        if problem := problem_of(words):
            print(f'{program}: {problem}', file=sys.stderr)
            return USER_ERROR
        run([self.node_class], rest=self._rest)
        return 0


def run(makers: Sequence[Callable[..., Any]], args: list[str] | None = None, rest: float = 0.0,
        longest_end: float = LONGEST_END) -> None:
    """Run nodes in one executor until they are stopped.

    makers: callables that each return a node; args: of all nodes, default: the process's;
    rest: shortest wall time between two wakes [s]; longest_end: wall time after which the
    middleware is not waited for any more, and the process is ended [s].
    Ends with exit code 2 and one line on the log if one of them raises ValueError: what the user
    gave cannot be used.  A callback may end the process by raising SystemExit.
    """
    with noted_interrupts() as interrupts:
        code = _run(makers, args, rest, longest_end, interrupts)
    if code:
        sys.exit(code)          # not before: an exception keeps alive what it passed through


def _run(makers: Sequence[Callable[..., Any]], args: list[str] | None, rest: float,
         longest_end: float, interrupts: Interrupts) -> str | int | None:
    """Run nodes as `run`; return the exit code, None or a text as of SystemExit."""
    rclpy.init(args=args)
    nodes, code, forced, handlers = [], None, None, {}
    try:
        executor = DrainingExecutor(rest)
        try:
            with uncollected():
                for make in makers:
                    nodes.append(_made(make))
                    executor.add_node(nodes[-1])
            executor.spin()
        finally:
            forced = ForcedEnd(longest_end, _code_of(sys.exception(), interrupts))
            handlers = _ignored_signals()
            executor.shutdown()         # first: it waits on what the nodes are made of
            while nodes:
                nodes.pop().destroy_node()
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    except SystemExit as end:
        code = end.code
    except RuntimeError as error:
        if not _is_of_the_end(error, interrupts):
            raise
    finally:
        _collect()
        rclpy.try_shutdown()
        if forced:
            forced.call_off()
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return code


def _ignored_signals():
    """Let no signal disturb the end any more; return the handlers to be restored, by number.

    First the thread by which rclpy acts on signals has to end.  It goes through the guard
    conditions of all executors without a lock, and a loaded machine may stop it in between: the
    process crashes where an executor is gone when it goes on.
    """
    uninstall_signal_handlers()
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: signal.signal(number, signal.SIG_IGN) or signal.SIG_DFL
            for number in (signal.SIGINT, signal.SIGTERM)}


def _code_of(error: BaseException | None, interrupts: Interrupts) -> int:
    """Return the exit code of a process that an exception ends, or the end of its work."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    return int(not (_is_of_the_end(error, interrupts) or isinstance(
        error, (KeyboardInterrupt, ExternalShutdownException, NoneType))))


def _is_of_the_end(error: BaseException | None, interrupts: Interrupts) -> bool:
    """Return whether rclpy raises an error as a signal has come meanwhile.

    The publishers and timers of a callback are invalid once the signal has ended the context, and
    a message that is just made is none, which may be before that.
    """
    return isinstance(error, RuntimeError) and (interrupts.any or not rclpy.ok())


def _collect():
    """Let go of destroyed nodes, which `uncollected` has frozen.

    A managed node is in the middleware until it is collected, and with it threads that run while
    the libraries below them end: now and then a process crashed there.
    """
    gc.unfreeze()
    gc.collect()


def _made(make: Callable[..., Any]) -> Any:
    try:
        return make()
    except ValueError as error:
        logger = get_logger(make.__name__)
        logger.fatal(str(error))
        logger.debug(traceback.format_exc())
        sys.exit(USER_ERROR)
