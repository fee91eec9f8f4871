"""How fast the joints of MuJoCo move at the start of a mechanism in space."""

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.space_api import section_poses
from mb_simulation.prototypes.space.beam_chain import segment_names, segment_places

_SHORT = 1e-5           # of differences in time [s]


def start_rates(mechanism: Mechanism, model, data):
    """Return MuJoCo's qvel (nv) at the start of a mechanism, for a compiled model.

    What moves all bodies, as points of rigid bodies, the way the mechanism moves them; segments of
    bodies that bend turn as their sections do.
    """
    mujoco.mj_forward(model, data)
    qd = mechanism.velocity(mechanism.q0, mechanism.zd0)
    rows, wanted = [], []
    for name, body in mechanism.bodies.items():
        if body.beam is not None:
            for segment, turns in _segment_rates(mechanism, name, qd):
                turning = np.zeros((3, model.nv))
                mujoco.mj_jacBody(model, data, None, turning, model.body(segment).id)
                rows.append(turning)
                wanted.append(turns)
            continue
        motion = mechanism.body_motion(name, mechanism.q0, qd)
        linear, turning = np.zeros((2, 3, model.nv))
        mujoco.mj_jac(model, data, linear, turning, motion.position, model.body(name).id)
        if body.slender:
            line = motion.rotation @ body.line
            turning -= np.outer(line, line @ turning)
        rows += [linear, turning]
        wanted += [motion.velocity, motion.angular_velocity]
    return np.linalg.lstsq(np.concatenate(rows), np.concatenate(wanted), rcond=None)[0]


def _segment_rates(mechanism, name, qd):
    """Return the segments of a flexible body and their angular velocities (3), by differences."""
    x = segment_places(mechanism.bodies[name])
    before, after = (section_poses(mechanism, name, x, mechanism.q0 + h * qd)[1]
                     for h in (-_SHORT, _SHORT))
    rates = (after - before) @ np.swapaxes(0.5 * (after + before), 1, 2) / (2.0 * _SHORT)
    return zip(segment_names(name), 0.5 * np.stack([
        rates[:, 2, 1] - rates[:, 1, 2], rates[:, 0, 2] - rates[:, 2, 0],
        rates[:, 1, 0] - rates[:, 0, 1]], axis=1), strict=True)
