"""How commands end: what the user gave wrong in one line and exit code 2, never a traceback."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
import os
import signal
import sys
import threading

from mb_model.commands.disowned import DisownedError

USER_ERROR, FAILURE, INTERRUPTED = 2, 1, 130


def run_command(command: Callable[[Namespace], Iterable[object]], parser: ArgumentParser,
                arguments: Sequence[str] | None) -> int:
    """Run command(given), which yields lines to print; return the exit code.

    given: what the argparse parser makes of the arguments (None: those of the process).
    """
    try:
        given = parser.parse_args(arguments)
        with _ending_on_sigterm():
            for line in command(given):
                print(line, flush=True)
    except BrokenPipeError:      # whoever read the lines has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return USER_ERROR
    except RuntimeError as error:
        # Imported here: what raises it has imported the kernels, and not every command needs them.
        from mb_model.stepping.stepper import StepError
        if not isinstance(error, StepError):
            raise
        print(f'the motion cannot go on: {error}', file=sys.stderr)
        return FAILURE
    except DisownedError as error:
        print(error, file=sys.stderr)
        return FAILURE
    except KeyboardInterrupt:
        print('interrupted', file=sys.stderr)
        return INTERRUPTED
    return 0


@contextmanager
def _ending_on_sigterm():
    """Let SIGTERM end the command by SystemExit, so that no half result stays behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number, _):
        raise SystemExit(128 + number)

    previous = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
