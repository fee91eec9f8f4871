"""Command `urdf`: print a mechanism as URDF, the robot description of ROS."""

import argparse
import sys

from mb_evaluation.robot.joint_reader import JointReader
from mb_evaluation.robot.space.joint_reader import SpatialJointReader
from mb_evaluation.robot.space.tree import spatial_robot_tree
from mb_evaluation.robot.space.urdf import write_spatial_urdf
from mb_evaluation.robot.tree import robot_tree
from mb_evaluation.robot.urdf import write_urdf
from mb_model import load_mechanism


class RobotDescription:
    """A mechanism as robot software knows it.

    urdf: text; joints: of its tree, with names, parents, children and transforms; moving: joints
    that are not fixed; reader: has their positions and velocities.
    """

    def __init__(self, mechanism):
        """Make it; raises ValueError for bodies without support, in the plane."""
        tree_of, reader, write = (
            (spatial_robot_tree, SpatialJointReader, write_spatial_urdf)
            if mechanism.dimension == 3 else (robot_tree, JointReader, write_urdf))
        tree = tree_of(mechanism)
        self.urdf, self.joints, self.moving = write(mechanism), tree.joints, tree.moving
        self.reader = reader(mechanism, tree)


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
