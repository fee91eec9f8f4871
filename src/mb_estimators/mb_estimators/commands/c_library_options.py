"""Options of commands that write a C library."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mb_estimators.native.c_library import TARGETS, library_name
from mb_model.command_api import require_folder
from mb_model.jit import Target

_NATIVE = 'native'


def add_library_arguments(parser: ArgumentParser) -> None:
    """Add the options of commands that write a C library: --target, --output."""
    parser.add_argument('--target', default=_NATIVE, choices=(_NATIVE, *TARGETS),
                        help='processor that it is for (%(default)s)')
    parser.add_argument('--output', required=True, metavar='FOLDER',
                        help='new folder, which gives the library its name')


def new_library(given: Namespace) -> tuple[Path, Target]:
    """Return the folder and the target of add_library_arguments.

    Raises FileNotFoundError where its folder is missing, ValueError for one that is there, and for
    a name that C does not take.
    """
    folder = Path(given.output)
    require_folder('--output', folder)
    if folder.exists():
        raise ValueError(f'--output {given.output}: is there already, expected a new folder')
    library_name(folder)
    return folder, TARGETS.get(given.target) or Target.here()
