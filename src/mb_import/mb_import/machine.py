"""What a description says of a machine, whatever its format: links, joints, loops, sensors, drives.

Readers make it, `mapping` turns it into a mechanism.  SI units, radians.  A machine is drawn at one
pose, in which loops may be open.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

from mb_model.arrays import FloatArray
from mb_model.space_api import Pose

WORLD = 'world'     # the link that does not move; its frame has the global axes


@dataclass(frozen=True)
class Inertial:
    """Mass [kg], centre of gravity (3) in the link's frame [m], and inertia (3, 3) about it.

    The inertia is in axes of the link [kg m^2].
    """

    mass: float
    centre: FloatArray
    inertia: FloatArray


@dataclass(frozen=True)
class Shape:
    """What of a link is seen: a primitive about its own pose in the link's frame.

    kind: box (size: edges), sphere (radius), cylinder or capsule (radius, length along z), or mesh
    (size: scales along x, y, z), whose file is called `mesh` in the description.
    """

    kind: str
    size: tuple[float, ...]
    pose: Pose
    mesh: str = ''


@dataclass(frozen=True)
class Link:
    """A rigid part; inertial: None if the description has none."""

    name: str
    inertial: Inertial | None = None
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class LinkJoint:
    """What ties two links, parent and child, or closes a loop between them.

    kind: weld, revolute, prismatic, cylindrical, screw, planar, spherical, universal or free (six
    degrees of freedom); of closures in_line and distance, too.
    frames: of the joint, in the frame of each link; both agree where the joint is at 0, but of a
    weld, in which they always do.
    axis (3): in the first frame, a unit vector, also of a plane its normal; second_axis (3): of a
    universal joint, on the child, in the second frame.
    drawn: value of its coordinate in the pose in which the machine is drawn [rad or m].
    lower, upper: limits of its coordinate [rad or m]; effort [N m or N] and velocity: None if they
    are not said; 0 as effort of SDF: it is not actuated.
    stiffness, rest, damping, friction, armature: about or along its axis; friction: Coulomb's.
    pitch: of a screw, its travel in one turn [m]; length: of `distance` [m].
    actuated: None if the description does not say.
    """

    name: str
    kind: str
    links: tuple[str, str]
    frames: tuple[Pose, Pose]
    axis: FloatArray | None = None
    second_axis: FloatArray | None = None
    drawn: float = 0.0
    lower: float = -inf
    upper: float = inf
    effort: float | None = None
    velocity: float | None = None
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    pitch: float = 0.0
    length: float = 0.0
    actuated: bool | None = None

    @property
    def is_scalar(self) -> bool:
        """Whether it has one degree of freedom, a coordinate of its name."""
        return self.kind in ('revolute', 'prismatic', 'screw')


@dataclass(frozen=True)
class Relation:
    """Coordinates of joints with factors add up to a number: mimic joints, transmissions, gears."""

    name: str
    terms: Mapping[str, float]       # joint -> factor
    total: float = 0.0


@dataclass(frozen=True)
class Strut:
    """A spring and damper between points of two links, and friction in it.

    points (3): in the frame of each link [m]; rest: its length without force [m].
    """

    name: str
    links: tuple[str, str]
    points: tuple[FloatArray, FloatArray]
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True)
class MachineSensor:
    """A sensor of a description.

    kind: encoder (of a joint), imu, gyroscope, accelerometer, position or force_torque (of a link,
    or in a joint); pose: in the link's frame.  sigmas: its noise, standard deviations by quantity:
    angle, rate, acceleration, position, force, torque (SI units); biases: of their offsets.
    """

    name: str
    kind: str
    link: str = ''
    joint: str = ''
    pose: Pose | None = None
    frequency: float | None = None   # [Hz]
    topic: str = ''
    sigmas: Mapping[str, float] = field(default_factory=dict)
    biases: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Drive:
    """What drives joints: an actuator, a transmission or a command interface.

    terms: joint -> gear, by which the drive's effort acts on the joint's coordinate.
    commands: what it takes: effort, velocity, position; topic: of them, '' if it is not said.
    """

    name: str
    terms: Mapping[str, float]
    commands: tuple[str, ...] = ('effort',)
    topic: str = ''


@dataclass(frozen=True)
class Machine:
    """A description as read.

    joints: a tree from WORLD, which every link hangs on, parents before children: a floating base
    by a `free` joint, a fixed one by a weld.  closures: joints that close loops.
    gravity (3): None if the description does not say [m/s^2].
    frames: named poses beside the links: name -> (link, pose in it).
    struts: springs between points of links.
    """

    name: str
    links: Mapping[str, Link]
    joints: Mapping[str, LinkJoint]
    closures: Mapping[str, LinkJoint] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)
    sensors: Mapping[str, MachineSensor] = field(default_factory=dict)
    drives: Mapping[str, Drive] = field(default_factory=dict)
    frames: Mapping[str, tuple[str, Pose]] = field(default_factory=dict)
    gravity: FloatArray | None = None
    struts: Mapping[str, Strut] = field(default_factory=dict)
