"""How commands end: what the user gave wrong in one line and exit code 2, never a traceback."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
import os
import signal
import sys
import threading


class DisownedError(Exception):
    """A result that is not written, and why."""


def add_force_argument(parser: ArgumentParser) -> None:
    """Add the option --force to an argparse parser."""
    parser.add_argument('--force', action='store_true',
                        help='write also what this command does not stand by, marked as disowned')


def require_owned(reasons: Sequence[str], force: bool) -> list[str]:
    """Return lines that mark a file as disowned for reasons, none without any.

    Raises DisownedError for reasons unless forced.
    """
    if reasons and not force:
        raise DisownedError(f'not written: {"; ".join(reasons)} (--force writes it nevertheless)')
    return [f'DISOWNED, written by --force: {reason}' for reason in reasons]


USER_ERROR, FAILURE, INTERRUPTED = 2, 1, 130


def _line_of(error: Exception) -> str:
    """Return the text of an error; of one of the system its file first, without its number."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f'{error.filename}: {error.strerror}'
    return str(error)


def run_command(command: Callable[[Namespace], Iterable[object]], parser: ArgumentParser,
                arguments: Sequence[str] | None) -> int:
    """Run command(given), which yields lines to print; return the exit code.

    given: what the argparse parser makes of the arguments (None: of the process).
    """
    try:
        given = parser.parse_args(arguments)
        with ending_on_sigterm():
            for line in command(given):
                print(line, flush=True)
    except BrokenPipeError:      # the reader of the lines has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except (ValueError, OSError) as error:
        print(_line_of(error), file=sys.stderr)
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
def ending_on_sigterm() -> Iterator[None]:
    """Let SIGTERM end the command by SystemExit, so that no half result stays behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number, _):
        signal.signal(number, signal.SIG_IGN)       # a second one is not to end the tidying up
        raise SystemExit(128 + number)

    previous = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
