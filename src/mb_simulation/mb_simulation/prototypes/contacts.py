"""Obstacles in a running MuJoCo model: where they stand, and how hard they push."""

import mujoco
import numpy as np

from mb_simulation.prototypes.contact_mjcf import OBSTACLE, parking_place
from mb_simulation.prototypes.obstacle import Contact


class ObstaclePlaces:
    """Puts the obstacles of a model into the way and out of it again."""

    def __init__(self, model, obstacles):
        self._model = model
        self._obstacles = {obstacle.name: number for number, obstacle in enumerate(obstacles)}

    def put(self, data, name, at):
        """Have an obstacle stand still at a place (2) [m]; None: out of the way.

        Raises ValueError for an unknown one.
        """
        if name not in self._obstacles:
            raise ValueError(f'{name}: unknown obstacle, expected one of '
                             f'{", ".join(self._obstacles) or "none: there are none"}')
        parked = parking_place(self._obstacles[name])
        at = parked if at is None else np.asarray(at, float)
        body = self._model.body(OBSTACLE + name)
        if body.mocapid[0] >= 0:
            data.mocap_pos[body.mocapid[0], :2] = at
        else:
            joints = slice(body.dofadr[0], body.dofadr[0] + 3)
            data.qpos[joints], data.qvel[joints] = (*(at - parked), 0.0), 0.0


def contacts_of(model, data):
    """Return the Contacts that push bodies in the state of the data."""
    if not data.ncon:
        return ()
    found, wrench = [], np.empty(6)
    for number in range(data.ncon):
        contact = data.contact[number]
        mujoco.mj_contactForce(model, data, number, wrench)
        if wrench[0] > 0.0:
            first, second = (model.body(model.geom_bodyid[geom]).name for geom in contact.geom)
            # The frame's axes are the rows of a matrix, its x from the first geom to the second.
            force = (contact.frame.reshape(3, 3).T @ wrench[:3])[:2]
            point = contact.pos[:2].copy()
            if second.startswith(OBSTACLE):
                found.append(Contact(first, point, -force, second.removeprefix(OBSTACLE)))
            else:
                found.append(Contact(second, point, force, first.removeprefix(OBSTACLE)))
    return tuple(found)
