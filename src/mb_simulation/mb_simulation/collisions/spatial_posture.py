"""Where the shapes of a machine in space are at one instant, and how far from an obstacle."""

from typing import Any

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_simulation.collisions.collision import Collision
from mb_simulation.collisions.meeting import between, meeting
from mb_simulation.collisions.posture import Meeting, Posture
from mb_simulation.prototypes.obstacle import Obstacle

_FAR = 100.0        # beyond which gaps do not matter [m]


class SpatialShapes:
    """The shapes of a mechanism in space."""

    def __init__(self, mechanism: Mechanism) -> None:
        """Take a Mechanism; bodies: with shapes."""
        self.mechanism = mechanism
        self.bodies = tuple(name for name, body in mechanism.bodies.items() if body.shapes)
        self._scenes: dict[Obstacle, _Scene] = {}

    def posture(self, trajectory: Any, t: float,
                near: FloatArray | None = None) -> 'SpatialPosture':
        """Return the Posture on a Trajectory; see Posture.on."""
        return SpatialPosture.on(self, trajectory, t, near)

    def scene(self, collision: Collision) -> '_Scene':
        """Return the _Scene with the obstacle of a Collision."""
        obstacle = collision.obstacle('it')
        if obstacle not in self._scenes:
            self._scenes = {obstacle: _Scene(self.mechanism, self.bodies, obstacle)}
        return self._scenes[obstacle]


class SpatialPosture(Posture):
    """Shapes in one instant, at q, qd (n)."""

    def gaps(self, collision: Collision, position: FloatArray,
             axes: FloatArray | None = None) -> FloatArray:
        """Return how far the obstacle of a Collision, as it stands, is from all bodies (b) [m]."""
        return self.shapes.scene(collision).gaps(self.q, position, axes)

    def _before(self, body: str, collision: Collision) -> Meeting:
        """Return the Meeting with one body."""
        mechanism = self.shapes.mechanism
        return meeting(mechanism.body_motion(body, self.q, self.qd),
                       mechanism.bodies[body].shapes[0], collision)

    def _between(self, collision: Collision) -> Meeting:
        """Return the Meeting with two links that clamp."""
        mechanism = self.shapes.mechanism
        return between(mechanism, {body: mechanism.body_motion(body, self.q, self.qd)
                                   for body in collision.bodies}, collision)


class _Scene:
    """Shapes and an obstacle in MuJoCo, which knows how far they are apart."""

    def __init__(self, mechanism: Mechanism, bodies: tuple[str, ...],
                 obstacle: Obstacle) -> None:
        # Where needed: MuJoCo costs start-up time.
        import mujoco

        from mb_simulation.prototypes.bodies_in_mujoco import add_solid, geom_name
        from mb_simulation.prototypes.obstacles_in_mujoco import OBSTACLE, add_obstacle_geom
        self._mujoco, self._mechanism, self._bodies = mujoco, mechanism, bodies
        spec, own = mujoco.MjSpec(), OBSTACLE + obstacle.name
        for name in (own, *bodies):
            element = spec.worldbody.add_body(name=name, mocap=True)
            if name == own:
                add_obstacle_geom(element, own, obstacle)
                continue
            for k, solid in enumerate(mechanism.bodies[name].shapes):
                add_solid(element, geom_name(name, k), solid)
        self._model = spec.compile()
        self._data, self._own = mujoco.MjData(self._model), self._model.geom(own).id
        self._geoms = [[self._model.geom(geom_name(name, k)).id
                        for k in range(len(mechanism.bodies[name].shapes))] for name in bodies]

    def gaps(self, q: FloatArray, position: FloatArray, axes: FloatArray) -> FloatArray:
        """Return how far the obstacle is from each body at q (n), < 0 within [m] (b)."""
        mujoco, data = self._mujoco, self._data
        motions = [self._mechanism.body_motion(name, q) for name in self._bodies]
        for k, (at, turn) in enumerate([(position, axes), *(
                (motion.position, motion.rotation) for motion in motions)]):
            data.mocap_pos[k] = at
            mujoco.mju_mat2Quat(data.mocap_quat[k], np.ascontiguousarray(turn).ravel())
        mujoco.mj_kinematics(self._model, data)
        return np.array([min(mujoco.mj_geomDistance(self._model, data, self._own, geom, _FAR, None)
                             for geom in geoms) for geoms in self._geoms])
