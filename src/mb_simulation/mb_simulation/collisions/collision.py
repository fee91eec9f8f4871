"""A collision as a script describes it, and files of them.
"""

from dataclasses import dataclass
from pathlib import Path

from mb_model import Settings, setting
from mb_model.file_api import NotYamlError, load_yaml
from mb_simulation.prototypes.obstacle import SHAPES, Obstacle
from mb_simulation.shipped import shipped_file


@dataclass(frozen=True)
class Collision(Settings):
    """Something that a body of a machine runs into, or that two of its bodies clamp.

    In the plane it is round.  In space it may be a ball, a cylinder that touches with its side,
    crosswise to the body, a box with a face, or all beyond a plane; one body touches it.
    """

    bodies: tuple[str, ...] = setting(
        help='The body that is touched, or two links at a common joint that clamp')
    time: float = setting(unit='s', above=0.0, help='When, in the planned motion')
    along: float = setting(
        0.5, at_least=0.0, at_most=1.0,
        help='Where a link is touched, as a share of its length; in space of the longest edge of a '
             'box, or of the line of a cylinder; clamping finds the points')
    direction: float = setting(
        0.0, unit='rad', at_least=-1.5, at_most=1.5,
        help='Where a disc is touched: angle from its velocity to the obstacle; in space, the same '
             'about the line of what is long, and about z for others')
    shape: str = setting('sphere', choices=SHAPES, help='Of the obstacle; in the plane sphere, '
                                                        'which is a disc there')
    radius: float = setting(0.04, unit='m', above=0.0, help='Of a sphere or a cylinder')
    length: float = setting(0.2, unit='m', above=0.0, help='Of a cylinder')
    size: tuple[float, ...] = setting(
        (0.1, 0.1, 0.1), unit='m', above=0.0,
        help='Edges of a box: across the body, across that, and in the direction it is met in')
    stiffness: float = setting(40e3, unit='N/m', above=0.0,
                               help='Of its surface: 10e3 (belly) to 75e3 (hand) of people')
    damping: float = setting(20.0, unit='N s/m', at_least=0.0, help='Of its surface')
    friction: float = setting(0.3, at_least=0.0, help='Coefficient of its dry friction')
    mass: float = setting(
        0.0, unit='kg', at_least=0.0,
        help='Of a sphere that floats freely; 0: it stands firm and cannot be clamped')
    stays: float = setting(0.0, unit='s', at_least=0.0,
                           help='How long it stays after the collision; 0 for ever')

    def __post_init__(self) -> None:
        """Refuse what no obstacle has."""
        super().__post_init__()
        if len(self.size) != 3:
            raise ValueError(f'size: {list(self.size)} must be three numbers')
        if self.mass > 0.0 and self.shape != 'sphere':
            raise ValueError(f'mass: {self.mass:g} must be 0: a {self.shape} stands firm')

    def obstacle(self, name: str) -> Obstacle:
        """Return its Obstacle, by a name."""
        return Obstacle(name, self.radius, self.stiffness, self.damping, self.friction, self.mass,
                        self.shape, self.length, self.size)


def read_collisions(name_or_path: str | Path) -> list[Collision]:
    """Return the Collisions of a YAML file: a list under the key `collisions`.

    name_or_path: a file, or the name of one that comes with mb_simulation.  Raises OSError,
    ValueError in the user's words.
    """
    file = shipped_file('collisions', name_or_path, 'collisions', '.yaml')
    name = file.name
    try:
        raw, _ = load_yaml(file.read_text(encoding='utf-8'))
    except UnicodeDecodeError:
        raise ValueError(f'{name}: not readable as YAML (not a text in UTF-8)') from None
    except NotYamlError as error:
        raise ValueError(f'{name}: not readable as YAML ({error})') from None
    if not isinstance(raw, dict) or list(raw) != ['collisions'] or not isinstance(
            raw['collisions'], list):
        raise ValueError(f'{name}: must be a mapping with a list of collisions')
    collisions = []
    for number, entry in enumerate(raw['collisions']):
        path = f'{name}: collisions[{number}]'
        if not isinstance(entry, dict):
            raise ValueError(f'{path}: {entry!r} must be a mapping with bodies, time, ...')
        try:
            collisions.append(Collision.from_mapping(entry))
        except ValueError as error:
            raise ValueError(f'{path}.{error}') from None
    return collisions
