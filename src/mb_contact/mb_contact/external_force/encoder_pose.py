"""Pose and velocity by the encoders of drives alone."""

from collections.abc import Sequence

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray


def pose_of(mechanism: Mechanism, names: Sequence[str], angles: FloatArray, speeds: FloatArray,
            near: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return q (n), zd (g) and J^-1 (g, g), from speeds of the coordinates to zd.

    names: of the coordinates (g); angles, speeds (g): of these; near (n): a position near by.
    Forward and differential kinematics, x = FK(q_a), xd = J q_a_dot of Mohammad et al. 2025, Sec.
    III-A, where J is J^-1 here.  Raises MechanismError where there is no position or a singular
    one.
    """
    q = mechanism.forward_kinematics(names, angles, near)
    J = mechanism.R(q)[mechanism.indices(names)]
    inverse: FloatArray = np.linalg.inv(J)
    return q, np.ascontiguousarray(inverse @ speeds), inverse
