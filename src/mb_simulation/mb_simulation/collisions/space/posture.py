"""Where the shapes of a mechanism in space are at one instant, and how far from an obstacle."""

import numpy as np

from mb_simulation.collisions.space.meeting import SLOWEST, between, meeting

_FAR = 100.0        # beyond which gaps do not matter [m]


class SpatialShapes:
    """The shapes of a mechanism in space."""

    def __init__(self, mechanism):
        """Take a Mechanism; bodies: those with shapes."""
        self.mechanism = mechanism
        self.bodies = tuple(name for name, body in mechanism.bodies.items() if body.shapes)
        self._scenes = {}           # by obstacle

    def posture(self, trajectory, t, near=None):
        """Return the SpatialPosture of the mechanism on a Trajectory at t [s].

        near: q (n) near by.  Raises MechanismError.
        """
        motion = trajectory.at(t)
        q = self.mechanism.assemble(motion.z, near=near)
        return SpatialPosture(self, q, self.mechanism.velocity(q, motion.zd))

    def scene(self, collision):
        """Return the _Scene with the obstacle of a Collision."""
        obstacle = collision.obstacle('it')
        if obstacle not in self._scenes:
            self._scenes = {obstacle: _Scene(self.mechanism, self.bodies, obstacle)}
        return self._scenes[obstacle]


class SpatialPosture:
    """Shapes in one instant, at q, qd (n)."""

    def __init__(self, shapes, q, qd):
        self._shapes, self.q, self._qd = shapes, q, qd

    def meeting(self, collision):
        """Return the Meeting of a Collision; raises ValueError for what cannot be."""
        bodies, known = collision.bodies, self._shapes.bodies
        for body in bodies:
            if body not in known:
                raise ValueError(f'bodies: {body}: unknown body with a shape, expected one of '
                                 f'{", ".join(known) or "none: there are none"}')
        mechanism = self._shapes.mechanism
        motions = {body: mechanism.body_motion(body, self.q, self._qd) for body in bodies}
        if len(bodies) == 1:
            met = meeting(motions[bodies[0]], mechanism.bodies[bodies[0]].shapes[0], collision)
        elif len(motions) == 2 == len(bodies):
            met = between(mechanism, motions, collision)
        else:
            raise ValueError(f'bodies: {list(bodies)} must be one, or two different ones that '
                             'clamp')
        if met.approach < SLOWEST:
            raise ValueError(f'time: at {collision.time:g} s, {", ".join(bodies)} '
                             f'approach{"es" * (len(bodies) == 1)} nothing there')
        return met

    def gaps(self, collision, place, axes):
        """Return how far the obstacle of a Collision, as it stands, is from all bodies (b) [m]."""
        return self._shapes.scene(collision).gaps(self.q, place, axes)


class _Scene:
    """Shapes and an obstacle in MuJoCo, which knows how far they are apart."""

    def __init__(self, mechanism, bodies, obstacle):
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

    def gaps(self, q, place, axes):
        """Return how far the obstacle is from each body at q (n), < 0 within [m] (b)."""
        mujoco, data = self._mujoco, self._data
        motions = [self._mechanism.body_motion(name, q) for name in self._bodies]
        for k, (at, turn) in enumerate([(place, axes), *(
                (motion.position, motion.rotation) for motion in motions)]):
            data.mocap_pos[k] = at
            mujoco.mju_mat2Quat(data.mocap_quat[k], np.ascontiguousarray(turn).ravel())
        mujoco.mj_kinematics(self._model, data)
        return np.array([min(mujoco.mj_geomDistance(self._model, data, self._own, geom, _FAR, None)
                             for geom in geoms) for geoms in self._geoms])
