"""Write a mechanism as the description of a machine: URDF, SDF or MJCF."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
import sys

from mb_model.command_api import run_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files; return the exit code."""
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_import export', description=__doc__,
        epilog='Beside a URDF is a mechanism file that extends it by its loops, gravity and start. '
               'What a format does not have is said, and stands as comments on top of the file.')
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--format', choices=('urdf', 'sdf', 'mjcf'), default='urdf',
                        help='of the description (%(default)s)')
    parser.add_argument('--folder', type=Path, default=Path(),
                        help='where the files are written (here)')
    return run_command(_export, parser, arguments)


def _export(given: argparse.Namespace) -> Iterator[str]:
    # Imports are here: `--help` needs none of them.
    from mb_import.notes import Notes
    from mb_import.writers.files import description_files
    from mb_model import load_mechanism
    from mb_model.file_api import write_whole
    mechanism = load_mechanism(given.mechanism)
    notes = Notes(mechanism.name)
    for name, text in description_files(mechanism, given.format, notes).items():
        write_whole(given.folder / name, text)
        yield f'wrote {given.folder / name}'
    yield from map(str, notes.notes)


if __name__ == '__main__':
    sys.exit(main())
