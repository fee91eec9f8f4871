"""Rates of a mechanism at its start, and rates of bodies that roll, with which nothing slips."""

from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import point_jacobian
from mb_model.assembly.independent_rows import rank
from mb_model.mechanism_file.description import MechanismError
from mb_model.registry.joints import JOINTS
from mb_model.space.joints import arm_of

_BESIDE = 1e-2      # moves that show which slips always depend on each other [rad or sizes]
_RANK = 1e-6        # share of the largest singular value that is none
_SLIP = 1e-6        # m/s, and m/s per rad/s or m/s of the fastest rate: below it is rounding


def slip_jacobian(mechanism: Any, q: FloatArray) -> FloatArray:
    """Return how fast bodies that roll slide along two tangents each, by qd (2 rolls, n)."""
    rows = np.zeros((0, mechanism.n))
    for name in mechanism.rolling:
        joint = mechanism.joints[name]
        body, (x, y, normal) = joint.bodies[1], joint.frames[0].T
        jacobian = point_jacobian(mechanism, q, body, joint.offsets[1])
        axis = mechanism.body_motion(body, q).rotation @ joint.frames[1][:, 2]
        arm = arm_of(joint, JOINTS[joint.kind].rolls, normal, axis)
        rows = np.vstack([rows, *(along @ jacobian[:3] + np.cross(arm, along) @ jacobian[3:]
                                  for along in (x, y))])
    return rows


def start_rates(mechanism: Any) -> FloatArray:
    """Return the rates (g) at the start of the file; where bodies roll, others than named follow.

    Raises MechanismError if those named let something slip, or if slips depend on each other at the
    start alone.
    """
    given, q = mechanism.described.start_velocity, mechanism.q0
    zd = np.array([given.get(name, 0.0) for name in mechanism.independent])
    if not mechanism.rolling:
        return zd
    slips = slip_jacobian(mechanism, q)
    by_rates = slips @ mechanism.R(q)
    if rank(by_rates, _RANK) != rank(_nearby(mechanism), _RANK):
        raise MechanismError(f'{mechanism.file}: joints.{", joints.".join(mechanism.rolling)}: '
                             'slips depend on each other at the start and not beside it: a start '
                             'in which bodies do not begin to roll, expected another one')
    following = [k for k, name in enumerate(mechanism.independent) if name not in given]
    slip = slips @ mechanism.velocity(q, zd)
    zd[following] -= np.linalg.lstsq(by_rates[:, following], slip, rcond=None)[0]
    require_rolling(mechanism, q, zd, 0.0, 'start_velocity')
    return zd


def _nearby(mechanism: Any) -> FloatArray:
    """Return the derivatives of slips by zd (2 rolls, g) at a position beside the start."""
    indices = mechanism.indices(mechanism.independent)
    moves = _BESIDE * mechanism.model['scale'][0, indices] * np.cos(np.arange(mechanism.g))
    q = mechanism.assemble(mechanism.z0 + moves)
    return slip_jacobian(mechanism, q) @ mechanism.R(q)


def require_rolling(mechanism: Any, q: FloatArray, zd: FloatArray, t: float, what: str) -> None:
    """Raise MechanismError if something slips at q (n) with the rates zd (g) at the time t."""
    slip = np.abs(slip_jacobian(mechanism, q) @ mechanism.velocity(q, zd, t))
    if slip.max() > _SLIP * (1.0 + np.abs(zd).max()):
        joint = mechanism.rolling[int(slip.argmax()) // 2]
        raise MechanismError(f'{mechanism.file}: {what}: joints.{joint} slips at '
                             f'{slip.max():.4g} m/s, expected rates with which nothing slips; '
                             'the file names some, others follow')
