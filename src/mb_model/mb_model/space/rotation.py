"""Rotation matrices (3, 3) from what people write."""

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray


def rotation(vector: ArrayLike) -> FloatArray:
    """Return the matrix that turns by a rotation vector (3) [rad].  Source: Rodrigues' formula."""
    vector = np.asarray(vector, float)
    angle = float(np.linalg.norm(vector))
    cross = np.cross(np.eye(3), vector)                      # cross @ a is vector x a
    # np.sinc(x) is sin(pi x) / (pi x)
    half = np.sinc(0.5 * angle / np.pi)
    return np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * half * half * cross @ cross


def rotation_vector(turn: ArrayLike) -> FloatArray:
    """Return the rotation vector (3) [rad] of a matrix (3, 3), no longer than half a turn."""
    turn = np.asarray(turn, float)
    sine = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0],
                           turn[1, 0] - turn[0, 1]])
    size, cosine = float(np.linalg.norm(sine)), 0.5 * (float(np.trace(turn)) - 1.0)
    if cosine > 0.0:
        return sine / np.sinc(np.arctan2(size, cosine) / np.pi)
    # Beyond a quarter turn the symmetric part has the axis to more digits than the sine.
    outer = 0.5 * (turn + turn.T) - cosine * np.eye(3)
    axis = outer[:, int(np.argmax(np.diag(outer)))]
    axis = axis / np.linalg.norm(axis)
    return np.arctan2(size, cosine) * (axis if axis @ sine >= 0.0 else -axis)


# From the frame on the second axis of a cross to that on its first axis: the axes z are
# perpendicular.
TO_CROSS = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])


def of_roll_pitch_yaw(angles: ArrayLike) -> FloatArray:
    """Return the matrix of roll, pitch, yaw (3) [rad] about fixed x, y, z (REP-103)."""
    roll, pitch, yaw = np.asarray(angles, float)
    return (rotation((0.0, 0.0, yaw)) @ rotation((0.0, pitch, 0.0)) @ rotation((roll, 0.0, 0.0)))


def roll_pitch_yaw(turn: ArrayLike) -> tuple[float, float, float]:
    """Return roll, pitch, yaw [rad] of a rotation matrix (3, 3), about fixed x, y, z (REP-103)."""
    turn = np.asarray(turn, float)
    flat = np.hypot(turn[0, 0], turn[1, 0])
    pitch = float(np.arctan2(-turn[2, 0], flat))
    if flat < 1e-9:         # roll and yaw turn about the same axis
        return 0.0, pitch, float(np.arctan2(-turn[0, 1], turn[1, 1]))
    return (float(np.arctan2(turn[2, 1], turn[2, 2])), pitch,
            float(np.arctan2(turn[1, 0], turn[0, 0])))


def unit(direction: ArrayLike) -> FloatArray:
    """Return a direction (3) with length 1."""
    direction = np.asarray(direction, float)
    return direction / np.linalg.norm(direction)


def across(direction: ArrayLike) -> FloatArray:
    """Return a unit vector (3) perpendicular to one: in the plane of the axis furthest from it."""
    direction = unit(direction)
    axis = np.eye(3)[int(np.argmin(np.abs(direction)))]
    return unit(axis - direction * (direction @ axis))


def shortest(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return the matrix of the least turn that takes one unit vector (3) to another."""
    first, second = unit(first), unit(second)
    axis, cosine = np.cross(first, second), float(first @ second)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return np.eye(3) if cosine > 0.0 else rotation(np.pi * across(first))
    return rotation(np.arctan2(sine, cosine) / sine * axis)


def frame(axis: ArrayLike, reference: ArrayLike) -> FloatArray:
    """Return the matrix with columns x, y, z: z the axis, x next to a reference direction."""
    z = unit(axis)
    x = unit(np.asarray(reference, float) - z * (z @ np.asarray(reference, float)))
    return np.column_stack([x, np.cross(z, x), z])


def quaternion(turn: ArrayLike) -> FloatArray:
    """Return w, x, y, z of a rotation matrix (3, 3), w >= 0: Bar-Itzhack 2000."""
    turn = np.asarray(turn, float)
    trace = float(np.trace(turn))
    matrix = np.empty((4, 4))
    matrix[0, 0] = trace
    matrix[0, 1:] = matrix[1:, 0] = (turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0],
                                     turn[1, 0] - turn[0, 1])
    matrix[1:, 1:] = turn + turn.T - trace * np.eye(3)
    components: FloatArray = np.linalg.eigh(matrix)[1][:, -1]
    return components if components[0] >= 0.0 else -components
