"""What a mechanism is made of, as read from its file: plain, validated data."""

from dataclasses import dataclass, field
from typing import Any

from mb_model.mechanism_file.hydraulics import Hydraulics


class MechanismError(ValueError):
    """A mechanism that cannot be; the text names file, key, value and what was expected."""


class AssemblyError(MechanismError):
    """A position that the mechanism does not reach.

    residual: what is left open where it is nearest to closing [m]; nearest: q (n) there.
    """

    def __init__(self, message, residual=float('nan'), nearest=None):
        super().__init__(message)
        self.residual, self.nearest = residual, nearest


class SingularPositionError(MechanismError):
    """The degrees of freedom do not decide the motion in this position."""


@dataclass(frozen=True)
class Point:
    """A joint: fixed to the ground, or moving and at the start near `position` [m]."""

    name: str
    fixed: bool
    position: tuple[float, float]


@dataclass(frozen=True)
class BodyShape:
    """Everything of a body's plane within a radius of the line between two places of it.

    kind 'capsule': the places are the body's first two points; 'disc': they are one place.
    """

    kind: str
    radius: float                                # [m]
    ends: tuple[tuple[float, float], tuple[float, float]]     # in the body's frame [m]


@dataclass(frozen=True)
class Body:
    """A rigid planar body on two or more points.

    Its frame has the origin in the first point and the x axis towards the second.
    """

    name: str
    points: dict[str, tuple[float, float]]       # name -> place in the body's frame [m]
    length: float                                # between the first two points [m]
    mass: float                                  # [kg]
    centre_of_gravity: tuple[float, float]       # in the body's frame [m]
    inertia: float                               # about the centre of gravity [kg m^2]
    rod: bool = False                            # centre and inertia are those of a uniform rod
    shape: BodyShape | None = None               # None: touches nothing


@dataclass(frozen=True)
class Coordinate:
    """A coordinate added to those of the points.

    kind 'angle': of a body's x axis against the global one; 'relative_angle': from the x axis of
    the first of two bodies to that of the second; 'distance': between two points; 'slider': of
    the third of three points along the line from the first to the second, from the first on.
    rest [rad]: of the coil spring that a relative angle was added for; None: it is of the file.
    """

    name: str
    kind: str
    bodies: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    rest: float | None = None

    @property
    def body(self):
        """The body of an angle."""
        return self.bodies[0]

    @property
    def unit(self):
        """Its unit, 'rad' or 'm'."""
        return 'rad' if self.bodies else 'm'


@dataclass(frozen=True)
class Constraint:
    """A constraint beside those of bodies and coordinates.

    kind 'slider': the third of three points stays on the line through the others; 'welded_angle':
    the x axis of the second of two bodies stays at `angle` [rad] from that of the first;
    'prescribed': a coordinate follows `motion`, a number or an expression over the time t.
    """

    name: str
    kind: str
    bodies: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    angle: float = 0.0
    coordinate: str = ''
    motion: str | float = 0.0


@dataclass(frozen=True)
class Force:
    """A force on a coordinate, along the line between two points or about the joint of two bodies.

    In its x and the rate v: constant - stiffness (x - rest) - viscous v - friction; N or N m, m or
    rad; see kernels.coordinate_force.  Exactly one of coordinate, points and bodies is given.
    """

    name: str
    coordinate: str = ''
    points: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    constant: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    viscous: float = 0.0
    coulomb: float = 0.0
    static: float = 0.0
    transition_velocity: float = 1.0


@dataclass(frozen=True)
class Load:
    """A force and a moment on a body, see kernels.load; turning: the force turns with the body."""

    body: str
    at: tuple[float, float] | str = (0.0, 0.0)   # in the body's frame [m], or a point's name
    force: tuple[float, float] = (0.0, 0.0)      # [N]
    moment: float = 0.0                          # [N m]
    turning: bool = False


@dataclass(frozen=True)
class Description:
    """A validated mechanism file."""

    name: str
    file: str                                    # for messages
    description: str
    gravity: tuple[float, float]                 # [m/s^2]
    parameters: dict[str, float]
    points: dict[str, Point]
    bodies: dict[str, Body]
    coordinates: dict[str, Coordinate]
    constraints: dict[str, Constraint]
    forces: dict[str, Force | Load]
    independent: tuple[str, ...] | None          # None: to be chosen
    drives: tuple[str, ...]                      # coordinates on which motors act
    start: dict[str, float]                      # independent coordinate -> value, where given
    start_velocity: dict[str, float]
    hydraulics: Hydraulics | None = None
    sensors: dict[str, Any] = field(default_factory=dict)     # name -> mapping, not validated here
    sensor_groups: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def prescribed(self):
        """Coordinate -> Constraint of those that follow a function of time."""
        return {constraint.coordinate: constraint for constraint in self.constraints.values()
                if constraint.kind == 'prescribed'}
