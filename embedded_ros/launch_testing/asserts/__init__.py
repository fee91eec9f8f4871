"""Assertions on exit codes and output."""
from ..util.proc_lookup import NO_CMD_ARGS
from .assert_exit_codes import (
    EXIT_FORCED,
    EXIT_OK,
    EXIT_SIGINT,
    EXIT_SIGKILL,
    EXIT_SIGQUIT,
    EXIT_SIGSEGV,
    EXIT_SIGTERM,
    assertExitCodes,
)
from .assert_output import assertInStderr, assertInStdout
from .assert_sequential_output import SequentialTextChecker, assertSequentialStdout

__all__ = [
    'EXIT_FORCED', 'EXIT_OK', 'EXIT_SIGINT', 'EXIT_SIGKILL', 'EXIT_SIGQUIT', 'EXIT_SIGSEGV',
    'EXIT_SIGTERM', 'NO_CMD_ARGS', 'SequentialTextChecker', 'assertExitCodes', 'assertInStderr',
    'assertInStdout', 'assertSequentialStdout',
]
