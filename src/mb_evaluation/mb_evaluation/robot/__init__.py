"""A mechanism as robot software knows machines: a tree of links and joints, and its URDF."""

from mb_evaluation.robot.description import RobotDescription
from mb_evaluation.robot.joint_reader import JointReader
from mb_evaluation.robot.meshes import BodyMesh, meshes_of
from mb_evaluation.robot.original import OriginalRobot, original_robot
from mb_evaluation.robot.upright import in_world, standing, standing_quaternion
from mb_evaluation.robot.urdf import write_urdf

__all__ = ['BodyMesh', 'JointReader', 'OriginalRobot', 'RobotDescription', 'in_world', 'meshes_of',
           'original_robot', 'standing', 'standing_quaternion', 'write_urdf']
