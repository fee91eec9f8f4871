"""Obstacles in MuJoCo: in the model, where they stand, and how hard they push.

Nothing but pairs of an obstacle and a machine's geom touches: a machine's own bodies pass through
each other, in the plane on different levels.  Discs are spheres here: in one plane they touch
alike, and MuJoCo finds where in closed form.

MuJoCo's contacts are soft constraints.  At a constant small impedance d (`solimp`) the normal force
is f = (-K' r - D' v - d a) / ((1 - d) A), for a gap r < 0 and its rates v and a, where A is the
inverse weight that MuJoCo gives the pair: a spring and damper with the mass d / A beside it.  A is
known once the model is compiled.  The friction is nearly rigid (`impratio`).
"""

from collections.abc import Iterable, Sequence
from typing import Any

import mujoco
import numpy as np

from mb_model.arrays import FloatArray
from mb_simulation.prototypes.obstacle import Contact, Obstacle

OBSTACLE = 'obstacle/'           # prefix of the names of their bodies and joints
IMPEDANCE = 1e-3                # d: makes a spring of a constraint
_FRICTION_RATIO = 1e5            # of impedances: leaves friction 1 % away from rigid
_FRICTION_TIME = 1e-3            # in which friction stops what slides [s]
_PARKED = 1e3                    # where parked obstacles are [m]
_BLACK, _RED = (0.2, 0.2, 0.2, 1.0), (0.8, 0.2, 0.1, 1.0)
UNTOUCHED = {'mass': 0.0, 'contype': 0, 'conaffinity': 0}      # a geom without mass and contacts
_GEOMS = {name: getattr(mujoco.mjtGeom, f'mjGEOM_{name.upper()}')
          for name in ('sphere', 'cylinder', 'box', 'plane')}


def add_obstacles(spec: mujoco.MjSpec, obstacles: Sequence[Obstacle], geoms: Iterable[str],
                  dimension: int) -> None:
    """Add obstacles, and pairs of them with named geoms; the joints of obstacles come last."""
    spec.option.cone, spec.option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, _FRICTION_RATIO
    for number, obstacle in enumerate(obstacles):
        name, firm = OBSTACLE + obstacle.name, obstacle.mass == 0.0
        body = spec.worldbody.add_body(name=name, pos=_parked(number, firm), mocap=firm)
        if not firm:
            _let_float(body, name, obstacle, dimension)
        add_obstacle_geom(body, name, obstacle)
        for geom in geoms:
            spec.add_pair(
                name=f'{geom}/{obstacle.name}', geomname1=name, geomname2=geom, condim=3,
                friction=[obstacle.friction, obstacle.friction, 0.0, 0.0, 0.0],
                solimp=[IMPEDANCE, IMPEDANCE, 1.0, 0.5, 2.0], solref=[-1.0, -1.0],
                solreffriction=[-1.0, -IMPEDANCE / _FRICTION_TIME])


def add_obstacle_geom(body: Any, name: str, obstacle: Obstacle) -> None:
    """Add the geom of an Obstacle to its body."""
    size = {'sphere': (obstacle.radius, 0.0, 0.0),
            'cylinder': (obstacle.radius, 0.5 * obstacle.length, 0.0),
            'box': np.multiply(obstacle.size, 0.5), 'plane': (0.0, 0.0, 1.0)}[obstacle.shape]
    body.add_geom(name=name, type=_GEOMS[obstacle.shape], size=size, **UNTOUCHED,
                  rgba=_RED if obstacle.mass > 0.0 else _BLACK)


def _parked(number: int, firm: bool) -> FloatArray:
    """Return where the obstacle of a number is parked (3) [m].

    Firm ones far below, too: a plane has no end.
    """
    return np.array([_PARKED, _PARKED + 10.0 * number, -_PARKED if firm else 0.0])


def _let_float(body: Any, name: str, obstacle: Obstacle, dimension: int) -> None:
    """Let an obstacle move freely; in the plane an upright cylinder without friction on the ground.

    In space a ball that gravity does not pull.
    """
    if dimension == 2:
        slide, hinge = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE
        for axis, kind, direction in (('x', slide, (1, 0, 0)), ('y', slide, (0, 1, 0)),
                                      ('turn', hinge, (0, 0, 1))):
            body.add_joint(name=f'{name}/{axis}', type=kind, axis=direction)
    else:
        body.gravcomp = 1.0
        body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_FREE)
    body.mass, body.ipos, body.explicitinertial = obstacle.mass, np.zeros(3), True
    body.inertia = [(0.5 if dimension == 2 else 0.4) * obstacle.mass * obstacle.radius ** 2] * 3


class StandingObstacles:
    """The obstacles of a model: puts them into the way and out of it again, finds contacts."""

    def __init__(self, model: mujoco.MjModel, obstacles: Sequence[Obstacle],
                 dimension: int) -> None:
        """Take a compiled model, whose pairs get stiffness and damping of the obstacles.

        dimension: of the machine, 2 or 3.
        """
        self._model, self._dimension = model, dimension
        self._obstacles = {obstacle.name: number for number, obstacle in enumerate(obstacles)}
        for obstacle in obstacles:
            geom = model.geom(OBSTACLE + obstacle.name).id
            for pair in np.flatnonzero((model.pair_geom1 == geom) | (model.pair_geom2 == geom)):
                bodies = model.geom_bodyid[[model.pair_geom1[pair], model.pair_geom2[pair]]]
                weight = (1.0 - IMPEDANCE) * model.body_invweight0[bodies, 0].sum()
                model.pair_solref[pair] = (-weight * obstacle.stiffness,
                                           -weight * obstacle.damping)

    def put(self, data: mujoco.MjData, name: str, at: FloatArray | None,
            axes: FloatArray | None = None, velocity: FloatArray | None = None) -> None:
        """Have an obstacle stand still at a position (d) [m]; None: out of the way.

        axes (3, 3): its own, as columns; None: as the machine has them.  velocity (d): of one that
        floats [m/s], None: 0.  Raises ValueError for an unknown one.
        """
        if name not in self._obstacles:
            raise ValueError(f'{name}: unknown obstacle, expected one of '
                             f'{", ".join(self._obstacles) or "none: there are none"}')
        body, turn = self._model.body(OBSTACLE + name), np.array([1.0, 0.0, 0.0, 0.0])
        firm = body.mocapid[0] >= 0
        position = parked = _parked(self._obstacles[name], firm)
        if at is not None:
            position = np.zeros(3)
            position[:self._dimension] = at
            if axes is not None:
                mujoco.mju_mat2Quat(turn, np.ascontiguousarray(axes, float).ravel())
        if firm:
            data.mocap_pos[body.mocapid[0]] = position
            data.mocap_quat[body.mocapid[0]] = turn
            return
        first, speeds = body.jntadr[0], body.dofadr[0]
        start = self._model.jnt_qposadr[first]
        if self._dimension == 2:
            data.qpos[start:start + 3] = (*(position - parked)[:2], 0.0)
        else:
            data.qpos[start:start + 7] = *position, *turn
        data.qvel[speeds:speeds + 3 * (self._dimension - 1)] = 0.0
        if velocity is not None:
            data.qvel[speeds:speeds + self._dimension] = velocity

    def contacts(self, data: mujoco.MjData) -> tuple[Contact, ...]:
        """Return the Contacts that push bodies in the state of the data."""
        if not (self._obstacles and data.ncon):
            return ()
        model, d, contacts, wrench = self._model, self._dimension, [], np.empty(6)
        for number in range(data.ncon):
            contact = data.contact[number]
            mujoco.mj_contactForce(model, data, number, wrench)
            if wrench[0] > 0.0:
                first, second = (model.body(model.geom_bodyid[geom]).name for geom in contact.geom)
                # The frame's axes are the rows of a matrix, its x from the first geom to the second
                force = (contact.frame.reshape(3, 3).T @ wrench[:3])[:d]
                point = contact.pos[:d].copy()
                if second.startswith(OBSTACLE):
                    contacts.append(Contact(first, point, -force, second.removeprefix(OBSTACLE)))
                else:
                    contacts.append(Contact(second, point, force, first.removeprefix(OBSTACLE)))
        return tuple(contacts)
