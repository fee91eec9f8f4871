"""What MuJoCo's compiler makes of an MJCF text, as plain records: lists of numbers and names.

Indices count the records of a kind; body 0 is the world.  They pass as JSON from the process in
which MuJoCo runs, see compiling.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
import json
from typing import Any

Numbers = list[float]


@dataclass(frozen=True)
class BodyRecord:
    """pos, quat: in the parent's frame where joints are at their `ref`; inertia: (9) in its axes.

    missing: the meshes that its inertia would follow from, if they are not there.
    """

    name: str
    parent: int
    pos: Numbers
    quat: Numbers
    mass: float
    centre: Numbers
    inertia: Numbers
    missing: list[str]
    lifted: float            # share of its weight that is compensated
    mocap: bool


@dataclass(frozen=True)
class JointRecord:
    """kind: hinge, slide, ball or free; pos, axis: in the body's frame; higher: its nonlinear laws.

    lower, upper: None if it is not limited; effort: of its actuators, None if it is not limited.
    """

    name: str
    kind: str
    body: int
    pos: Numbers
    axis: Numbers
    ref: float
    rest: float
    stiffness: float
    damping: float
    friction: float
    armature: float
    lower: float | None
    upper: float | None
    effort: float | None
    higher: bool


@dataclass(frozen=True)
class GeomRecord:
    """kind, size: of MuJoCo; mesh: file or name of a mesh; touches: whether it may have contacts.
    """

    name: str
    kind: str
    body: int
    pos: Numbers
    quat: Numbers
    size: Numbers
    mesh: str
    touches: bool


@dataclass(frozen=True)
class SiteRecord:
    """A named pose in the frame of a body."""

    name: str
    body: int
    pos: Numbers
    quat: Numbers


@dataclass(frozen=True)
class EqualityRecord:
    """kind: connect, weld, joint, tendon or another one; objects: body, site, joint or tendon.

    first, second: their indices, -1: none; data: MuJoCo's eq_data.
    """

    name: str
    kind: str
    objects: str
    first: int
    second: int
    data: Numbers
    active: bool


@dataclass(frozen=True)
class TendonRecord:
    """terms: of a fixed one, pairs of joint and coefficient; others: what else it has.

    sites: two, if it runs straight from one to the other; length: as drawn [m]; slack: its spring
    does nothing between two lengths; higher: whether it has nonlinear laws.
    """

    name: str
    fixed: bool
    terms: list[tuple[int, float]]
    sites: list[int]
    length: float
    stiffness: float
    rest: float
    slack: bool
    damping: float
    friction: float
    higher: bool
    others: list[str]


@dataclass(frozen=True)
class ActuatorRecord:
    """on: joint, tendon or another one; target: index; command: effort, position or velocity.

    command '': another law; effort: its largest, None if it is not limited.
    """

    name: str
    on: str
    target: int
    gear: float
    command: str
    effort: float | None
    armature: float
    damping: float


@dataclass(frozen=True)
class SensorRecord:
    """kind: as MJCF calls it; on, target: kind and index of its object; relative: to another frame.
    """

    name: str
    kind: str
    on: str
    target: int
    relative: bool
    noise: float
    interval: float


@dataclass(frozen=True)
class KeyRecord:
    """values: pairs of joint and its value, of hinges and slides."""

    name: str
    values: list[tuple[int, float]]


_KINDS: Mapping[str, Any] = {
    'bodies': BodyRecord, 'joints': JointRecord, 'geoms': GeomRecord, 'sites': SiteRecord,
    'equalities': EqualityRecord, 'tendons': TendonRecord, 'actuators': ActuatorRecord,
    'sensors': SensorRecord, 'keys': KeyRecord}


@dataclass(frozen=True)
class Compiled:
    """An MJCF text as compiled; disabled: flags of MuJoCo that switch something off."""

    name: str
    gravity: Numbers
    disabled: list[str]
    fluid: bool
    bodies: list[BodyRecord]
    joints: list[JointRecord]
    geoms: list[GeomRecord]
    sites: list[SiteRecord]
    equalities: list[EqualityRecord]
    tendons: list[TendonRecord]
    actuators: list[ActuatorRecord]
    sensors: list[SensorRecord]
    keys: list[KeyRecord]

    def to_json(self) -> str:
        """Return it as one line of text."""
        return json.dumps(asdict(self))


def compiled_of(values: Mapping[str, Any]) -> Compiled:
    """Return the Compiled of what its to_json wrote, as a mapping."""
    made: dict[str, Any] = {
        key: [_KINDS[key](**one) for one in value] if key in _KINDS else value
        for key, value in values.items()}
    return Compiled(**made)
