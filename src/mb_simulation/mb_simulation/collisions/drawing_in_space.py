"""Collisions at random in space: which bodies, along which motion, with what."""


from mb_simulation.collisions.collision import Collision
from mb_simulation.collisions.space.clamping import FOLDING
from mb_simulation.collisions.space.posture import SpatialShapes
from mb_simulation.collisions.space.surface import extent, line_of
from mb_simulation.control import TrajectorySettings, plan

KINDS = ('platform', 'first_link', 'second_link', 'clamping')
_TIMES = (0.5, 2.0)                 # of collisions, after the wait [s]
_SHAPES = ('sphere', 'cylinder', 'box')


class SpatialDrawing:
    """Draws motions and collisions of a mechanism in space."""

    def __init__(self, mechanism):
        """Note which bodies each kind may hit.

        Links have a shape that is longer than wide, first ones a joint to the ground.
        """
        self._mechanism, self.shapes = mechanism, SpatialShapes(mechanism)
        joints = mechanism.joints.values()
        links = [name for name in self.shapes.bodies if _is_long(mechanism.bodies[name].shapes[0])]
        held = {name for joint in joints if not set(joint.bodies) <= set(mechanism.bodies)
                for name in joint.bodies}
        self.choices = {
            'platform': [(name,) for name in self.shapes.bodies if name not in links],
            'first_link': [(name,) for name in links if name in held],
            'second_link': [(name,) for name in links if name not in held],
            'clamping': [joint.bodies for joint in joints
                         if joint.kind in FOLDING and set(joint.bodies) <= set(links)]}

    def motion(self, rng, speed, wait, acceleration):
        """Return a Trajectory about the start, and the times (2) between which something is met."""
        trajectory = plan(self._mechanism, TrajectorySettings(
            kind='random', seed=int(rng.integers(2 ** 31)), random_duration=wait + _TIMES[1],
            speed=rng.uniform(*speed), acceleration=acceleration))
        return trajectory, (wait + _TIMES[0], wait + _TIMES[1])

    def collision(self, kind, bodies, time, rng):
        """Return a Collision of a kind with bodies at a time [s]."""
        surface = {'radius': rng.uniform(0.025, 0.05), 'stiffness': rng.uniform(20e3, 75e3)}
        if kind == 'clamping':
            return Collision(bodies, time, friction=rng.uniform(0.8, 1.0),
                             mass=rng.uniform(0.3, 1.0), **surface)
        return Collision(
            bodies, time, along=rng.uniform(0.15, 0.9), direction=rng.uniform(-0.8, 0.8),
            shape=_SHAPES[rng.integers(len(_SHAPES))], friction=rng.uniform(0.1, 0.5),
            size=tuple(rng.uniform(0.05, 0.1, 3).tolist()), **surface)

    def is_fast(self, trajectory, collision, slowest):
        """Return whether surfaces approach each other fast enough [m/s]; raises ValueError."""
        posture = self.shapes.posture(trajectory, collision.time)
        return posture.meeting(collision).approach > slowest


def _is_long(solid):
    length, width = extent(solid, line_of(solid))
    return length > width
