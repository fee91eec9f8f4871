"""Command `urdf`: print a mechanism as URDF, the robot description of ROS."""

import argparse
import sys

from mb_evaluation.robot_description import RobotDescription
from mb_model import load_mechanism


def main(arguments=None):
    """Exit with 0, or with 2 if the mechanism cannot be used."""
    parser = argparse.ArgumentParser(
        prog='urdf', description='Print a mechanism as URDF. Loops are cut to a tree, whose joints '
        'the node robot_description publishes, so that loops stay closed.')
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    given = parser.parse_args(arguments)
    try:
        print(RobotDescription(load_mechanism(given.mechanism)).urdf, end='')
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
