"""Command `urdf`: print a mechanism as URDF, the robot description of ROS."""

import argparse
from collections.abc import Sequence
import sys

from mb_evaluation.robot import JointReader, robot_tree, write_urdf
from mb_model import Mechanism, load_mechanism


class RobotDescription:
    """A mechanism as robot software knows it.

    urdf: text; joints: of its tree, with names, parents, children and transforms; moving: joints
    that are not fixed; reader: has their positions and velocities.
    """

    def __init__(self, mechanism: Mechanism):
        """Make it; raises MechanismError for bodies without support, in the plane."""
        tree = robot_tree(mechanism)
        self.urdf, self.joints, self.moving = write_urdf(mechanism, tree), tree.joints, tree.moving
        self.reader = JointReader(mechanism, tree)


def main(arguments: Sequence[str] | None = None) -> None:
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
