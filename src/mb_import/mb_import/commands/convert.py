"""Print the description of a machine (URDF, xacro, SDF, MJCF, USD) as a mechanism file."""

import argparse
from collections.abc import Iterator, Sequence
import sys

from mb_model.command_api import run_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the file; return the exit code."""
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_import convert', description=__doc__,
        epilog='What was changed, guessed or left out stands on top as comments.')
    parser.add_argument('description', help='path of the description, or of a mechanism file that '
                                            'extends one')
    return run_command(_convert, parser, arguments)


def _convert(given: argparse.Namespace) -> Iterator[str]:
    # Imports are here: `--help` needs none of them.
    from mb_model import Mechanism
    from mb_model.file_api import mechanism_text, read_mechanism_file
    raw, file = read_mechanism_file(given.description)
    Mechanism(raw, file)        # raises what is wrong with it
    for note in raw.get('origin', {}).get('notes', ()):
        yield f'# {note}'
    yield mechanism_text(raw).rstrip()


if __name__ == '__main__':
    sys.exit(main())
