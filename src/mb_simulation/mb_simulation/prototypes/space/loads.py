"""What joints of a machine in space transmit, from the forces on MuJoCo's bodies."""

import mujoco
import numpy as np

from mb_simulation.prototypes.space.tree import GROUND, spatial_tree

# Axes of the joint's frame along which bodies move freely, and about which they turn: there is no
# reaction.  A universal joint turns about the axes z of both its frames, a ball about all.
_FREE = {'weld': ((), ()), 'revolute': ((), (2,)), 'prismatic': ((2,), ()),
         'cylindrical': ((2,), (2,)), 'planar': ((0, 1), (2,)), 'spherical': ((), (0, 1, 2)),
         'universal': ((), ())}
_EQUALITY = int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)


class JointLoads:
    """Forces and moments in the joints of a mechanism."""

    def __init__(self, mechanism):
        """Take a mechanism; what drives, springs and friction give along a joint is no load."""
        self._mechanism = mechanism
        self._carried = {one.joint.name: one.body for one in spatial_tree(mechanism).carried
                         if one.joint}

    def of(self, model, data, name):
        """Return the force [N] and the moment [N m] (6) of a joint in a state of MuJoCo's data.

        What the first body does to the second one at its place, in the joint's frame on the first
        body.  Raises ValueError for a joint of which MuJoCo does not know it.
        """
        joint = self._mechanism.joints[name]
        if joint.kind not in _FREE:
            raise ValueError(f'the MuJoCo prototype does not know what a joint of kind '
                             f'{joint.kind} transmits')
        mujoco.mj_rnePostConstraint(model, data)
        at = _place(model, data, joint.bodies[1], joint.places[1])
        if name in self._carried:
            force, moment = _on_carried(model, data, self._carried[name], at)
            sign = 1.0 if self._carried[name] == joint.bodies[1] else -1.0
        else:
            force, moment, body = _on_closed(model, data, name, at)
            sign = 1.0 if body == model.body(_named(joint.bodies[1])).id else -1.0
        frames = [_rotation(model, data, body) @ frame
                  for body, frame in zip(joint.bodies, joint.frames, strict=True)]
        force, moment = (sign * frames[0].T @ part for part in (force, moment))
        ways, turns = _FREE[joint.kind]
        force[list(ways)] = moment[list(turns)] = 0.0
        if joint.kind == 'universal':
            across = frames[0].T @ np.cross(frames[0][:, 2], frames[1][:, 2])
            moment = across * (across @ moment) / (across @ across)
        return np.r_[force, moment]


def _rotation(model, data, body):
    return data.xmat[model.body(_named(body)).id].reshape(3, 3)


def _place(model, data, body, place):
    return data.xpos[model.body(_named(body)).id] + _rotation(model, data, body) @ place


def _named(body):
    """Return MuJoCo's name of a body."""
    return 'world' if body == GROUND else body


def _on_carried(model, data, body, at):
    """Return the force and the moment at a place of what carries a body on it, in global axes."""
    k = model.body(body).id
    moment, force = data.cfrc_int[k, :3], data.cfrc_int[k, 3:]
    return force.copy(), moment + np.cross(data.subtree_com[model.body_rootid[k]] - at, force)


def _on_closed(model, data, name, at):
    """Return force and moment at a place that close a loop, and the number of the body they act on.
    """
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
