"""A mechanism as robot software knows machines: a tree of links and joints, and its URDF."""

from mb_evaluation.robot.joint_reader import JointReader
from mb_evaluation.robot.original import OriginalRobot, original_robot
from mb_evaluation.robot.upright import in_world, standing, standing_quaternion
from mb_evaluation.robot.urdf import write_urdf

__all__ = ['JointReader', 'OriginalRobot', 'in_world', 'original_robot', 'standing',
           'standing_quaternion', 'write_urdf']
