"""A mechanism as robot software knows machines: a tree of links and joints, and its URDF."""

from mb_evaluation.robot.joint_reader import JointReader
from mb_evaluation.robot.original import OriginalRobot, original_robot
from mb_evaluation.robot.tree import WORLD, Frame, RobotJoint, RobotLink, RobotTree, robot_tree
from mb_evaluation.robot.upright import in_world, standing, standing_quaternion
from mb_evaluation.robot.urdf import write_urdf

__all__ = ['WORLD', 'Frame', 'JointReader', 'OriginalRobot', 'RobotJoint', 'RobotLink', 'RobotTree',
           'in_world', 'original_robot', 'robot_tree', 'standing', 'standing_quaternion',
           'write_urdf']
