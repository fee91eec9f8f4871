"""Results that a command itself does not stand by: they are not written, unless forced."""

from argparse import ArgumentParser
from collections.abc import Sequence


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
