"""Exit codes of commands around filters."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
import sys

from mb_estimators.filter import DivergenceError, NotConvergedError
from mb_model.command_api import FAILURE, run_command as run_model_command


def run_command(command: Callable[[Namespace], Iterable[object]], parser: ArgumentParser,
                arguments: Sequence[str] | None, failed: str = 'the filter has diverged') -> int:
    """Run a command as mb_model's `run_command` does; a divergence is reported in one line, too.

    failed: printed before the text of a DivergenceError.
    """
    try:
        return run_model_command(command, parser, arguments)
    except NotConvergedError as error:
        print(error, file=sys.stderr)
        return FAILURE
    except DivergenceError as error:
        print(f'{failed}: {error}', file=sys.stderr)
        return FAILURE
