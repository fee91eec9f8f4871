"""What robot software gets of a mechanism, in the plane or in space."""

from mb_evaluation.robot.joint_reader import JointReader
from mb_evaluation.robot.space.joint_reader import SpatialJointReader
from mb_evaluation.robot.space.tree import spatial_robot_tree
from mb_evaluation.robot.space.urdf import write_spatial_urdf
from mb_evaluation.robot.tree import robot_tree
from mb_evaluation.robot.urdf import write_urdf


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
