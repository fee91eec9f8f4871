"""Rotations as quaternions (x, y, z, w), Euler angles and 4 x 4 matrices, over transforms3d.

Names and conventions are as in the ROS package: quaternions have w last, angles are in
radians, `axes` names the Euler sequence ('sxyz': roll, pitch, yaw about fixed axes), matrices are
homogeneous and act on column vectors.
"""
import functools

import numpy as np
from transforms3d import affines, axangles, euler, quaternions, reflections, shears, zooms

_MISSING = frozenset({
    'arcball_constrain_to_axis', 'arcball_map_to_sphere', 'arcball_nearest_axis', 'Arcball',
    'clip_matrix', 'orthogonalization_matrix', 'projection_from_matrix', 'projection_matrix',
    'superimposition_matrix'})


def __getattr__(name):
    if name in _MISSING:
        raise NotImplementedError(f'tf_transformations.{name} is not part of embedded_ros')
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def _wxyz(quaternion):
    x, y, z, w = quaternion
    return np.array([w, x, y, z], float)


def _xyzw(quaternion):
    w, x, y, z = quaternion
    return np.array([x, y, z, w])


def _homogeneous(rotation, translation=(0.0, 0.0, 0.0)):
    return affines.compose(np.asarray(translation, float)[:3], rotation, np.ones(3))


def _point(position):
    return np.append(np.asarray(position, float)[:3], 1.0)


def identity_matrix():
    """The matrix that changes nothing.  (4, 4)"""
    return np.identity(4)


def translation_matrix(direction):
    """Matrix of a translation by a vector (3).  (4, 4)"""
    return _homogeneous(np.identity(3), direction)


def translation_from_matrix(matrix):
    """The translation in a matrix.  (3)"""
    return np.array(matrix, float)[:3, 3]


def rotation_matrix(angle, direction, point=None):
    """Matrix of a rotation about an axis, through a point if one is given.  (4, 4)"""
    return axangles.axangle2aff(direction, angle, point)


def rotation_from_matrix(matrix):
    """(angle, direction (3), point on the axis (4)) of a rotation matrix."""
    direction, angle, point = axangles.aff2axangle(np.asarray(matrix, float))
    return angle, direction, _point(point)


def reflection_matrix(point, normal):
    """Matrix that mirrors at a plane.  (4, 4)"""
    return reflections.rfnorm2aff(normal, np.asarray(point, float)[:3])


def reflection_from_matrix(matrix):
    """(point (4), normal (3)) of a mirror matrix."""
    normal, point = reflections.aff2rfnorm(np.asarray(matrix, float))
    return _point(point), normal


def scale_matrix(factor, origin=None, direction=None):
    """Matrix that scales, about an origin, along a direction only if one is given.  (4, 4)"""
    return zooms.zfdir2aff(factor, direction, origin)


def scale_from_matrix(matrix):
    """(factor, origin (4), direction (3) or None) of a scaling matrix."""
    factor, direction, origin = zooms.aff2zfdir(np.asarray(matrix, float))
    return factor, _point(origin), direction


def shear_matrix(angle, direction, point, normal):
    """Matrix that shears along a direction in the plane given by point and normal.  (4, 4)"""
    return shears.sadn2aff(angle, direction, normal, np.asarray(point, float)[:3])


def shear_from_matrix(matrix):
    """(angle, direction (3), point (4), normal (3)) of a shearing matrix."""
    angle, direction, normal, point = shears.aff2sadn(np.asarray(matrix, float))
    return angle, direction, _point(point), normal


def decompose_matrix(matrix):
    """(scale (3), shear (3), Euler angles (3), translation (3), perspective (4)) of a matrix."""
    matrix = np.asarray(matrix, float)
    translation, rotation, zoom, shear = affines.decompose44(matrix)
    return zoom, shear, euler.mat2euler(rotation), translation, matrix[3].copy()


def compose_matrix(scale=None, shear=None, angles=None, translate=None, perspective=None):
    """Matrix of the parts given, in the sense of decompose_matrix.  (4, 4)"""
    matrix = affines.compose(
        np.zeros(3) if translate is None else np.asarray(translate, float),
        np.identity(3) if angles is None else euler.euler2mat(*angles),
        np.ones(3) if scale is None else np.asarray(scale, float),
        np.zeros(3) if shear is None else np.asarray(shear, float))
    if perspective is not None:
        matrix[3] = perspective
    return matrix


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
    first, second = unit_vector(quat0), unit_vector(quat1)
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


def random_rotation_matrix(rand=None):
    """Uniformly distributed rotation matrix.  (4, 4)"""
    return quaternion_matrix(random_quaternion(rand))


def random_vector(size):
    """Numbers uniformly distributed in 0..1."""
    return np.random.random(size)


def vector_norm(data, axis=None, out=None):
    """Euclidean length along an axis."""
    norm = np.sqrt(np.sum(np.square(np.asarray(data, float)), axis=axis))
    if out is None:
        return norm
    out[...] = norm
    return None


def unit_vector(data, axis=None, out=None):
    """The vector(s) along an axis divided by their length."""
    data = np.asarray(data, float)
    unit = data / (vector_norm(data, axis) if axis is None
                   else np.expand_dims(vector_norm(data, axis), axis))
    if out is None:
        return unit
    out[...] = unit
    return None


def inverse_matrix(matrix):
    """The matrix that undoes this one."""
    return np.linalg.inv(matrix)


def concatenate_matrices(*matrices):
    """Product of the matrices, from left to right.  (4, 4)"""
    return functools.reduce(np.dot, matrices, np.identity(4))


def is_same_transform(matrix0, matrix1):
    """Whether two matrices mean the same transformation."""
    matrix0, matrix1 = np.array(matrix0, float), np.array(matrix1, float)
    return np.allclose(matrix0 / matrix0[3, 3], matrix1 / matrix1[3, 3])
