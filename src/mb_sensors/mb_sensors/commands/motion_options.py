"""Common options of commands that fit a model to a recorded motion: its source, the output."""

from argparse import ArgumentParser


def add_motion_arguments(parser: ArgumentParser) -> None:
    """Add the source of a motion to an argparse parser: encoders, or states."""
    motion = parser.add_mutually_exclusive_group(required=True)
    motion.add_argument('--sensors', nargs='+', metavar='NAME',
                        help='encoders that give the motion: sensors or sensor groups')
    motion.add_argument('--states', metavar='TOPIC',
                        help='topic of MechanismStates that give the motion')


def add_mechanism_argument(parser: ArgumentParser) -> None:
    """Add the mechanism whose file the fit extends."""
    parser.add_argument('--mechanism', default='three_rrr', metavar='NAME',
                        help='name of a mechanism or path of its file (%(default)s)')
