"""Rotations as quaternions (x, y, z, w), Euler angles and 4 x 4 matrices, over transforms3d.

Names and conventions are as in the ROS package: quaternions have w last, angles are in
radians, `axes` names the Euler sequence ('sxyz': roll, pitch, yaw about fixed axes), matrices are
homogeneous and act on column vectors.  Of that package's functions here are the ones of rotations.
"""
import numpy as np
from ros_tools.missing import missing_in
from transforms3d import affines, euler, quaternions

__getattr__ = missing_in(__name__)


def _wxyz(quaternion):
    x, y, z, w = quaternion
    return np.array([w, x, y, z], float)


def _xyzw(quaternion):
    w, x, y, z = quaternion
    return np.array([x, y, z, w])


def _homogeneous(rotation, translation=(0.0, 0.0, 0.0)):
    return affines.compose(np.asarray(translation, float)[:3], rotation, np.ones(3))


def translation_matrix(direction):
    """Matrix of a translation by a vector (3).  (4, 4)"""
    return _homogeneous(np.identity(3), direction)


def translation_from_matrix(matrix):
    """The translation in a matrix.  (3)"""
    return np.array(matrix, float)[:3, 3]


def euler_matrix(ai, aj, ak, axes='sxyz'):
    """Rotation matrix of Euler angles.  (4, 4)"""
    return _homogeneous(euler.euler2mat(ai, aj, ak, axes))


def euler_from_matrix(matrix, axes='sxyz'):
    """Euler angles of the rotation in a matrix.  (3)"""
    return euler.mat2euler(np.asarray(matrix, float)[:3, :3], axes)


def euler_from_quaternion(quaternion, axes='sxyz'):
    """Euler angles of a quaternion.  (3)"""
    return euler.quat2euler(_wxyz(quaternion), axes)


def quaternion_from_euler(ai, aj, ak, axes='sxyz'):
    """Quaternion of Euler angles.  (4)"""
    return _xyzw(euler.euler2quat(ai, aj, ak, axes))


def quaternion_about_axis(angle, axis):
    """Quaternion of a rotation about an axis.  (4)"""
    return _xyzw(quaternions.axangle2quat(axis, angle))


def quaternion_matrix(quaternion):
    """Rotation matrix of a quaternion.  (4, 4)"""
    return _homogeneous(quaternions.quat2mat(_wxyz(quaternion)))


def quaternion_from_matrix(matrix):
    """Quaternion of the rotation in a matrix.  (4)"""
    return _xyzw(quaternions.mat2quat(np.asarray(matrix, float)[:3, :3]))


def quaternion_multiply(quaternion1, quaternion0):
    """Product: the rotation by quaternion0 first, then by quaternion1.  (4)"""
    return _xyzw(quaternions.qmult(_wxyz(quaternion1), _wxyz(quaternion0)))


def quaternion_conjugate(quaternion):
    """The quaternion with the opposite axis.  (4)"""
    return _xyzw(quaternions.qconjugate(_wxyz(quaternion)))


def quaternion_inverse(quaternion):
    """The quaternion that undoes this one.  (4)"""
    return _xyzw(quaternions.qinverse(_wxyz(quaternion)))


def quaternion_slerp(quat0, quat1, fraction, spin=0, shortestpath=True):
    """Unit quaternion at a fraction 0..1 of the way between two, at constant angular speed.  (4)

    `spin` adds so many half turns.
    Source: Shoemake 1985, Animating rotation with quaternion curves.
    """
    first, second = (np.asarray(quat, float) / np.linalg.norm(quat) for quat in (quat0, quat1))
    cosine = float(first @ second)
    if shortestpath and cosine < 0:
        cosine, second = -cosine, -second
    angle = np.arccos(np.clip(cosine, -1.0, 1.0)) + spin * np.pi
    if abs(np.sin(angle)) < np.finfo(float).eps * 4:
        return first if fraction < 1 else second
    weights = np.sin((1 - fraction) * angle), np.sin(fraction * angle)
    return (weights[0] * first + weights[1] * second) / np.sin(angle)


def random_quaternion(rand=None):
    """Uniformly distributed unit quaternion, of three numbers 0..1 if given.  (4)

    Source: Shoemake 1992, Uniform random rotations.
    """
    a, b, c = np.random.rand(3) if rand is None else rand
    return np.array([
        np.sqrt(1 - a) * np.sin(2 * np.pi * b), np.sqrt(1 - a) * np.cos(2 * np.pi * b),
        np.sqrt(a) * np.sin(2 * np.pi * c), np.sqrt(a) * np.cos(2 * np.pi * c)])
