"""A collision as a script describes it: the one home of these values."""

from dataclasses import dataclass

from mb_model import Settings, setting
from mb_simulation.prototypes.obstacle import Obstacle


@dataclass(frozen=True)
class Collision(Settings):
    """Something round that a body of a machine runs into, or that two of its bodies clamp."""

    bodies: tuple[str, ...] = setting(
        help='The body that is touched, or two links at a common joint that clamp')
    time: float = setting(unit='s', above=0.0, help='When, in the planned motion')
    along: float = setting(
        0.5, at_least=0.0, at_most=1.0,
        help='Where a link is touched, as a share of its length; clamping finds its place')
    direction: float = setting(
        0.0, unit='rad', at_least=-1.5, at_most=1.5,
        help='Where a disc is touched: angle from its velocity to the obstacle')
    radius: float = setting(0.04, unit='m', above=0.0, help='Of the obstacle')
    stiffness: float = setting(40e3, unit='N/m', above=0.0,
                               help='Of its surface: 10e3 (belly) to 75e3 (hand) of people')
    damping: float = setting(20.0, unit='N s/m', at_least=0.0, help='Of its surface')
    friction: float = setting(0.3, at_least=0.0, help='Coefficient of its dry friction')
    mass: float = setting(
        0.0, unit='kg', at_least=0.0,
        help='Of an obstacle that floats freely; 0: it stands firm and cannot be clamped')
    stays: float = setting(0.0, unit='s', at_least=0.0,
                           help='How long it stays after the collision; 0 for ever')

    def obstacle(self, name):
        """Return its Obstacle, by a name."""
        return Obstacle(name, self.radius, self.stiffness, self.damping, self.friction, self.mass)
