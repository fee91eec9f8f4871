"""The prototype in MuJoCo: the truth comes from another simulator than the model."""

import mujoco
import numpy as np

from mb_bringup.prototypes.mjcf import start_angle, write_mjcf
from mb_bringup.prototypes.prototype import State
from mb_bringup.prototypes.tree_motion import TreeMotion
from mb_model.simulation.stream import equal_steps


class MujocoPrototype:
    """A planar mechanism in MuJoCo; a Prototype.

    The state follows from MuJoCo's joint angles, rates and accelerations alone.
    """

    def __init__(self, mechanism, interval, step):
        """Start at the mechanism's start; interval of advance() and longest step in seconds.

        Raises ValueError for what MuJoCo cannot simulate.
        """
        self._steps = equal_steps(interval, step)
        added = mechanism.described.coordinates
        for name, coordinate in added.items():
            if coordinate.kind != 'angle':
                raise ValueError(f'{mechanism.file}: coordinates.{name}: the MuJoCo prototype '
                                 f'knows angles only, not {coordinate.kind}')
        for key in ('constraints', 'forces'):
            if getattr(mechanism.described, key):
                raise ValueError(f'{mechanism.file}: {key}: the MuJoCo prototype knows none, take '
                                 'the multibody one')
        moving = [name for name, point in mechanism.points.items() if not point.fixed]
        places = {name: point.position for name, point in mechanism.points.items()}
        places |= dict(zip(moving, mechanism.q0[:2 * len(moving)].reshape(-1, 2), strict=True))
        self.mjcf, tree = write_mjcf(mechanism, places, interval / self._steps)
        self.model = mujoco.MjModel.from_xml_string(self.mjcf)
        self.data = mujoco.MjData(self.model)
        start = {name: start_angle(body, places) for name, body in mechanism.bodies.items()}
        # Coordinates count turns, so they decide the angle of their body at the start.
        start |= {coordinate.body: mechanism.q0[mechanism.coordinates.index(name)]
                  for name, coordinate in added.items()}
        self._motion = TreeMotion(tree, mechanism.bodies, places, start)
        self._points = [self._motion.points.index(name) for name in moving]
        self._angles = [self._motion.bodies.index(c.body) for c in added.values()]
        self._z = [mechanism.coordinates.index(name) for name in mechanism.independent]
        self._joints = [self.model.joint(body).id for body in self._motion.bodies]
        self.data.qvel[self._joints] = self._motion.joint_rates(_body_rates(mechanism, places))
        mujoco.mj_forward(self.model, self.data)

    def advance(self):
        """Move on by one interval."""
        for _ in range(self._steps):
            mujoco.mj_step(self.model, self.data)
        mujoco.mj_forward(self.model, self.data)    # accelerations of the new state

    @property
    def state(self):
        """The present state, continuous in angles of more than a turn."""
        data, motion = self.data, self._motion
        angles = motion.angles(data.qpos[self._joints])
        rates = motion.rates(data.qvel[self._joints])
        accelerations = motion.rates(data.qacc[self._joints])
        points = motion.points_at(angles, rates, accelerations)
        q, qd, qdd = (
            np.concatenate((of_points[self._points].ravel(), of_bodies[self._angles]))
            for of_points, of_bodies in zip(points, (angles, rates, accelerations), strict=True))
        return State(q[self._z], qd[self._z], qdd[self._z], q, qd, qdd)

    @property
    def loop_residual(self):
        """The largest distance between the two sides of a loop closure [m]."""
        gaps = self.data.efc_pos.reshape(-1, 3)     # no other constraints than closures
        return float(np.linalg.norm(gaps, axis=1).max(initial=0.0))

    @property
    def energy(self):
        """Kinetic and potential energy [J], the latter zero at the origin."""
        mujoco.mj_energyPos(self.model, self.data)
        mujoco.mj_energyVel(self.model, self.data)
        potential, kinetic = self.data.energy
        return float(kinetic), float(potential)


def _body_rates(mechanism, places):
    """Return the angular rate of each body at the start, by name [rad/s]."""
    qd = mechanism.velocity(mechanism.q0, mechanism.zd0)
    speeds = {name: (qd[mechanism.coordinates.index(f'{name}.x')],
                     qd[mechanism.coordinates.index(f'{name}.y')])
              for name, point in mechanism.points.items() if not point.fixed}
    rates = {}
    for name, body in mechanism.bodies.items():
        first, second = list(body.points)[:2]
        dx, dy = np.subtract(places[second], places[first])
        vx, vy = np.subtract(speeds.get(second, (0.0, 0.0)), speeds.get(first, (0.0, 0.0)))
        rates[name] = (dx * vy - dy * vx) / (dx * dx + dy * dy)
    return rates
