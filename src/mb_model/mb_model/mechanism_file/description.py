"""What a mechanism is made of, as read from its file: plain, validated data."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from mb_model.arrays import FloatArray
from mb_model.beams.beam import Beam
from mb_model.constraints.relation import Constraint
from mb_model.mechanism_file.hydraulics import Hydraulics
from mb_model.shapes import BodyShape
from mb_model.space.joint import Joint


class MechanismError(ValueError):
    """A mechanism that cannot be; the text names file, key, value and what was expected.

    mistakes: this text, then the texts of all other mistakes in the file.
    """

    def __init__(self, message: str, others: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.mistakes = (str(message), *others)


class AssemblyError(MechanismError):
    """A position that the mechanism does not reach.

    residual: what is left open where it is nearest to closing [m]; nearest: q (n) there.
    """

    def __init__(self, message: str, residual: float = float('nan'),
                 nearest: FloatArray | None = None) -> None:
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
class Body:
    """A planar body on two or more points.

    Its frame has the origin in the first point and the x axis towards the second.
    """

    name: str
    points: dict[str, tuple[float, float]]       # name -> offset in the body's frame [m]
    length: float                                # between the first two points [m]
    mass: float                                  # [kg]
    centre_of_gravity: tuple[float, float]       # in the body's frame [m]
    inertia: float                               # about the centre of gravity [kg m^2]
    rod: bool = False                            # centre and inertia are a uniform rod's
    shape: BodyShape | None = None               # None: touches nothing
    beam: Beam | None = None                     # of a flexible body
    weighed: bool = True                         # False: the file does not say its mass

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of the modal coordinates of a flexible body."""
        count = 0 if self.beam is None else self.beam.modes
        return tuple(f'{self.name}.mode{k + 1}' for k in range(count))

    @property
    def mode_points(self) -> tuple[str, ...]:
        """Names of the points that carry them, see flexible_bodies."""
        return tuple(f'{self.name}.shape{k + 1}' for k in range(len(self.modes)))


@dataclass(frozen=True)
class Description:
    """A validated mechanism file."""

    name: str
    file: str                                    # for messages
    description: str
    gravity: tuple[float, ...]                   # (2), in space (3) [m/s^2]
    parameters: dict[str, float]
    points: dict[str, Point]                     # in space: none
    bodies: dict[str, Any]                       # Body, in space SpatialBody
    coordinates: dict[str, Any]                  # Coordinate
    constraints: dict[str, Any]                  # Constraints, by kind
    forces: dict[str, Any]                       # by kind: see the files of forces.kinds
    independent: tuple[str, ...] | None          # None: to be chosen
    drives: tuple[str, ...]                      # coordinates on which motors act
    start: dict[str, float]                      # independent coordinate -> value, where given
    start_velocity: dict[str, float]
    hydraulics: Hydraulics | None = None
    sensors: dict[str, Any] = field(default_factory=dict)     # name -> mapping, not validated here
    sensor_groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dimension: int = 2                           # 3: in space
    joints: dict[str, Joint] = field(default_factory=dict)    # in space

    def unit(self, coordinate: str) -> str:
        """Return the unit of a coordinate by its name, 'rad' or 'm'; unit vectors count as lengths.
        """
        added = self.coordinates.get(coordinate)
        if added and added.of:
            return self.unit(added.of)
        return added.unit if added else 'm'

    @property
    def unweighed(self) -> tuple[str, ...]:
        """Names of the bodies whose mass the file does not say."""
        return tuple(name for name, body in self.bodies.items() if not body.weighed)

    @property
    def prescribed(self) -> dict[str, Constraint]:
        """Coordinate -> Constraint by which it follows a function of time."""
        return {constraint.coordinate: constraint for constraint in self.constraints.values()
                if constraint.kind == 'prescribed'}
