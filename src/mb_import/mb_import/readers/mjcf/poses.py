"""Poses from MuJoCo's numbers."""

from collections.abc import Sequence

import numpy as np

from mb_import.joint_tree import still
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose


def turn_of(quaternion: Sequence[float]) -> FloatArray:
    """Return the matrix (3, 3) of w, x, y, z, of any length but 0."""
    w, x, y, z = np.asarray(quaternion, float) / np.linalg.norm(quaternion)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn: FloatArray = np.eye(3) + 2.0 * (w * cross + cross @ cross)
    return turn


def pose_of(pos: Sequence[float], quaternion: Sequence[float]) -> Pose:
    """Return the Pose of a position (3) [m] and w, x, y, z."""
    return Pose(np.asarray(pos, float), turn_of(quaternion))


def at(pos: Sequence[float]) -> Pose:
    """Return a Pose without a turn at a position (3) [m]."""
    return Pose(np.asarray(pos, float), still().turn)
