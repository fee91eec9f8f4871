"""What joints of a machine in space transmit, from the forces on MuJoCo's bodies."""

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import GROUND, SpatialTree, kind_of

_EQUALITY = int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)


class JointLoads:
    """Forces and moments in the joints of a mechanism."""

    def __init__(self, mechanism: Mechanism, tree: SpatialTree) -> None:
        """Take a mechanism; what drives, springs and friction give along a joint is no load."""
        self._mechanism = mechanism
        self._carried = {hinge.joint.name: hinge for hinge in tree.hinges
                         if hinge.joint}

    def of(self, model: mujoco.MjModel, data: mujoco.MjData, name: str) -> FloatArray:
        """Return the force [N] and the moment [N m] (6) of a joint in a state of MuJoCo's data.

        What the first body does to the second one at the joint's point on it, in the joint's frame
        on the first body.  Raises ValueError for a joint of which MuJoCo does not know it.
        """
        joint = self._mechanism.joints[name]
        kind, hinge = kind_of(joint), self._carried.get(name)
        if kind.inner or (any(motion.pitch for motion in hinge.chain) if hinge
                          else kind.held not in ('point', 'line')):
            raise ValueError(f'the MuJoCo prototype does not know what a joint of kind '
                             f'{joint.kind} transmits')
        mujoco.mj_rnePostConstraint(model, data)
        at = _position(model, data, joint.bodies[1], joint.offsets[1])
        if hinge:
            force, moment = _on_carried(model, data, hinge.group, at)
            sign = 1.0 if hinge.group == joint.bodies[1] else -1.0
        else:
            force, moment, body = _on_closed(model, data, name, at)
            sign = 1.0 if body == model.body(_named(joint.bodies[1])).id else -1.0
        frames = [_rotation(model, data, body) @ frame
                  for body, frame in zip(joint.bodies, joint.frames, strict=True)]
        wrench = np.concatenate([sign * frames[0].T @ part for part in (force, moment)])
        # What the joint transmits of it: these rows are perpendicular to each other.
        rows = kind.transmits(joint, np.eye(3), frames[0].T @ frames[1], np.zeros(3))
        return sum((row * (row @ wrench) / (row @ row) for row in rows), np.zeros(6))


def _rotation(model: mujoco.MjModel, data: mujoco.MjData, body: str) -> FloatArray:
    return data.xmat[model.body(_named(body)).id].reshape(3, 3)


def _position(model: mujoco.MjModel, data: mujoco.MjData, body: str,
              local: FloatArray) -> FloatArray:
    return data.xpos[model.body(_named(body)).id] + _rotation(model, data, body) @ local


def _named(body: str) -> str:
    """Return MuJoCo's name of a body."""
    return 'world' if body == GROUND else body


def _on_carried(model: mujoco.MjModel, data: mujoco.MjData, body: str,
                at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return force and moment at a position of what carries a body on it, in global axes."""
    k = model.body(body).id
    moment, force = data.cfrc_int[k, :3], data.cfrc_int[k, 3:]
    return force.copy(), moment + np.cross(data.subtree_com[model.body_rootid[k]] - at, force)


def _on_closed(model: mujoco.MjModel, data: mujoco.MjData, name: str,
               at: FloatArray) -> tuple[FloatArray, FloatArray, int]:
    """Return force and moment at a position that close a loop, and the number of their body."""
    force, moment, body = np.zeros(3), np.zeros(3), 0
    for k in range(model.neq):
        if model.equality(k).name not in (name, f'{name}/axis'):
            continue
        body = int(model.eq_obj1id[k])
        rows = (data.efc_type[:data.nefc] == _EQUALITY) & (data.efc_id[:data.nefc] == k)
        push = data.efc_force[:data.nefc][rows]
        anchor = data.xpos[body] + data.xmat[body].reshape(3, 3) @ model.eq_data[k, :3]
        force += push
        moment += np.cross(anchor - at, push)
    return force, moment, body
