"""Write the contact detector of a machine as a C library, which needs neither Python nor ROS.

Its numbers are the detector's, to the last digit on this kind of processor.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
import sys

from mb_contact.detection.contact import DetectionSettings
from mb_contact.detection.detector import ContactDetector
from mb_contact.native.folder import export
from mb_estimators.command_api import run_command
from mb_estimators.native_api import add_library_arguments, new_library
from mb_model import load_mechanism
from mb_model.command_api import assigned, working

_EXAMPLE = """
example:
  ros2 run mb_contact export three_rrr --set gain=[100.0] --output my_contacts
  cmake -S my_contacts -B build && cmake --build build
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_export, _parser(), arguments)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog='ros2 run mb_contact export', description=__doc__,
                            epilog=_EXAMPLE, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--drives', nargs='+', metavar='NAME',
                        help='coordinates that drives act on (default: drives in the mechanism)')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE',
                        dest='settings', help='a parameter of the node contact_detector on the '
                        'detection, such as direct_threshold=[4.0]; repeatable')
    add_library_arguments(parser)
    return parser


def _export(given: Namespace) -> Iterator[str]:
    """Yield lines of text about what is written."""
    folder, target = new_library(given)
    mechanism = load_mechanism(given.mechanism)
    detector = ContactDetector(mechanism, given.drives,
                               DetectionSettings(**assigned(given.settings, '--set')))
    with working('making machine code'):
        export(detector, folder, target)
    yield f'contact detector of {mechanism.name}: {folder}, see its README.md'


if __name__ == '__main__':
    sys.exit(main())
