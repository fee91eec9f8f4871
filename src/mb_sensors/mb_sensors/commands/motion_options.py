"""Common options of commands that fit a model to a recorded motion: its source, the output."""

from argparse import ArgumentParser
from pathlib import Path

from mb_model.file_api import RECORDED, read_parameters

DEFAULT = 'three_rrr'


def add_motion_arguments(parser: ArgumentParser, required: bool = True,
                         states: str | None = None) -> None:
    """Add the source of a motion to an argparse parser: encoders, or states.

    states: topic where neither is given, None: none.
    """
    motion = parser.add_mutually_exclusive_group(required=required)
    motion.add_argument('--sensors', nargs='+', metavar='NAME',
                        help='encoders that give the motion: sensors or sensor groups')
    motion.add_argument('--states', metavar='TOPIC', default=states,
                        help='topic of MechanismStates that give the motion'
                             f'{f" ({states})" if states else ""}')


def add_mechanism_argument(parser: ArgumentParser) -> None:
    """Add the mechanism whose file the fit extends."""
    parser.add_argument('--mechanism', metavar='NAME',
                        help='name of a mechanism or path of its file (default: of the estimator '
                             f'in {RECORDED} beside the bag, else {DEFAULT})')


def mechanism_of(mechanism: str | None, bag: str | Path, default: str = DEFAULT) -> str:
    """Return the mechanism that is given, else the estimator's in the parameters beside a bag.

    Raises OSError, ValueError; FileNotFoundError if there is no such bag.
    """
    if not Path(bag).exists():
        raise FileNotFoundError(f'{bag}: no such bag')
    file = Path(bag).resolve().parent / RECORDED
    if mechanism is None and file.is_file():
        mechanism = read_parameters([file], 'estimator').get('mechanism')
    return default if mechanism is None else mechanism
