"""How a launched run ends, and what `ros2 launch` returns then.

`ros2 launch` returns 0 whatever becomes of its processes; it returns 1 when an exception ended the
launch.  So an exception is what ends a run that failed, unless `strict` is false.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
import signal
from typing import Any

from launch import LaunchContext
from launch.actions import EmitEvent, LogInfo, OpaqueFunction, RegisterEventHandler, TimerAction
from launch.event_handlers import OnExecutionComplete, OnProcessExit
from launch.events import Shutdown

GRACE = 2.0         # wall time between a failure and the end of all [s]
CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE)


class Ending:
    """Ends a run with its monitor, or when a process fails that is needed."""

    def __init__(self, strict: bool, objections: Callable[[], list[str]]) -> None:
        """Set up.

        objections(): what is wrong with a run whose monitor has ended, in words, as a list.
        """
        self._strict, self._objections = strict, objections
        # of processes, in words; the monitor may end well all the same
        self._failures: list[str] = []
        self._is_over = False       # whether the monitor has ended
        self._records = False       # whether there is a recorder

    @property
    def is_over(self) -> bool:
        """Whether the monitor has ended."""
        return self._is_over

    def with_monitor(self, process: Any) -> Any:
        """Return the actions that end the run when its monitor ends."""
        def judge(event: Any, context: LaunchContext) -> Any:
            self._is_over = True
            problems = [*self._failures, *self._objections()]
            ending = self._fail('; '.join(problems)) if problems else EmitEvent(
                event=Shutdown(reason='the run is over'))
            return [LogInfo(msg='closing the recording and ending all nodes' if self._records
                            else 'ending all nodes'), ending]
        return self.with_failure(process, over=judge)

    def with_failure(self, process: Any, instead: Any = lambda event: None,
                     over: Any = lambda event, context: None,
                     failed: Any = None) -> Any:
        """Return the actions that end the run when a process fails or could not be started.

        instead: returns actions for the event that it failed, None for `failed`; over(event,
        context): returns what follows when it ends without failure; failed(words): returns what
        follows when it failed or could not be started, default the end of the run.
        """
        is_needed = failed is None
        failed = failed or partial(self._fail, after=GRACE)

        def ended(event: Any, context: LaunchContext) -> Any:
            if context.is_shutdown:
                wrong = self._is_over and is_needed and _is_wrong(event)
                return self._fail(_in_words(event)) if wrong else None
            if event.returncode:
                return instead(event) or failed(_in_words(event))
            return over(event, context)

        def completed(event: Any, context: LaunchContext) -> Any:
            if context.is_shutdown or 'pid' in (process.process_details or {}):
                return None
            return failed(f'{process.process_description.final_name} could not be started')
        return [RegisterEventHandler(OnProcessExit(target_action=process, on_exit=ended)),
                RegisterEventHandler(OnExecutionComplete(target_action=process,
                                                         on_completion=completed))]

    def again(self, make: Any, failed: Any = None) -> Any:
        """Return the actions of a kept process, made anew when it is killed.

        failed: as of with_failure, when it fails by itself.
        """
        process = make()

        def instead(event):
            return [LogInfo(msg=f'{event.process_name} was killed, begins again'),
                    *self.again(make, failed)] if event.returncode < 0 else None
        return [*self.with_failure(process, instead, failed=failed), process]

    def viewer(self, make: Any, kept: Any) -> Any:
        """Return the actions of a process that looks on: however it ends, the run goes on.

        kept: whether it is made anew when it is killed.
        """
        if kept:
            return self.again(make, _go_on)
        process = make()
        return [*self.with_failure(process, failed=_go_on), process]

    def without(self, process: Any, product: Any) -> Any:
        """Return the actions that let the run go on without its recorder once there is its product.

        product: path of what it makes.  The run has failed all the same when it is over.
        """
        self._records = True

        def instead(event):
            if not Path(product).exists():
                return None
            self._failures.append(_in_words(event))
            return [LogInfo(msg=f'{product} is not complete, the run goes on')]
        return self.with_failure(process, instead)

    def _fail(self, words: str, after: Any = 0.0) -> Any:
        """Return the action that ends a failed run, in a time [s].

        Others may be starting still: interrupted at once, they bury the error.  The run has failed
        also if its monitor ends meanwhile, and if it is ending already.
        """
        if after:
            self._failures.append(words)
        # By an event of its own: an exception keeps an event from later handlers.
        last = (OpaqueFunction(function=partial(_raise, words)) if self._strict
                else EmitEvent(event=Shutdown(reason=words)))
        return TimerAction(period=after, actions=[last], cancel_on_shutdown=bool(after))


def _go_on(words: str) -> Any:
    """Return the action that says that the run goes on without a process."""
    return LogInfo(msg=f'{words}, the run goes on without it')


def _is_wrong(event: Any) -> bool:
    """Return whether a process failed or crashed when it was to end.

    Signals that launch sends to processes that take long are no failure.
    """
    return event.returncode > 0 or -event.returncode in CRASHES


def _in_words(event: Any) -> str:
    code = event.returncode
    return f'{event.process_name} ' + (f'was ended by signal {-code}' if code < 0 else
                                       f'failed with exit code {code}')


def _raise(words: str, _context: LaunchContext) -> None:
    raise RuntimeError(words)
