"""Obstacles in a running MuJoCo model: where they stand, and how hard they push."""

import mujoco
import numpy as np

from mb_simulation.prototypes.parts.mjcf import OBSTACLE, parking_place, set_stiffness
from mb_simulation.prototypes.parts.obstacle import Contact


class StandingObstacles:
    """The obstacles of a model: puts them into the way and out of it again, finds contacts."""

    def __init__(self, model, obstacles, dimension):
        """Take a compiled model, whose pairs get the stiffness of the obstacles.

        dimension: of the machine, 2 or 3.
        """
        self._model, self._dimension = model, dimension
        self._obstacles = {obstacle.name: number for number, obstacle in enumerate(obstacles)}
        set_stiffness(model, obstacles)

    def put(self, data, name, at, axes=None, velocity=None):
        """Have an obstacle stand still at a place (d) [m]; None: out of the way.

        axes (3, 3): its own, as columns; None: as the machine has them.  velocity (d): of one that
        floats [m/s], None: 0.  Raises ValueError for an unknown one.
        """
        if name not in self._obstacles:
            raise ValueError(f'{name}: unknown obstacle, expected one of '
                             f'{", ".join(self._obstacles) or "none: there are none"}')
        body, turn = self._model.body(OBSTACLE + name), np.array([1.0, 0.0, 0.0, 0.0])
        firm = body.mocapid[0] >= 0
        place = parked = parking_place(self._obstacles[name], firm)
        if at is not None:
            place = np.zeros(3)
            place[:self._dimension] = at
            if axes is not None:
                mujoco.mju_mat2Quat(turn, np.ascontiguousarray(axes, float).ravel())
        if firm:
            data.mocap_pos[body.mocapid[0]] = place
            data.mocap_quat[body.mocapid[0]] = turn
            return
        first, speeds = body.jntadr[0], body.dofadr[0]
        start = self._model.jnt_qposadr[first]
        if self._dimension == 2:
            data.qpos[start:start + 3] = (*(place - parked)[:2], 0.0)
        else:
            data.qpos[start:start + 7] = *place, *turn
        data.qvel[speeds:speeds + 3 * (self._dimension - 1)] = 0.0
        if velocity is not None:
            data.qvel[speeds:speeds + self._dimension] = velocity

    def contacts(self, data):
        """Return the Contacts that push bodies in the state of the data."""
        if not (self._obstacles and data.ncon):
            return ()
        model, d, found, wrench = self._model, self._dimension, [], np.empty(6)
        for number in range(data.ncon):
            contact = data.contact[number]
            mujoco.mj_contactForce(model, data, number, wrench)
            if wrench[0] > 0.0:
                first, second = (model.body(model.geom_bodyid[geom]).name for geom in contact.geom)
                # The frame's axes are the rows of a matrix, its x from the first geom to the second
                force = (contact.frame.reshape(3, 3).T @ wrench[:3])[:d]
                point = contact.pos[:d].copy()
                if second.startswith(OBSTACLE):
                    found.append(Contact(first, point, -force, second.removeprefix(OBSTACLE)))
                else:
                    found.append(Contact(second, point, force, first.removeprefix(OBSTACLE)))
        return tuple(found)
