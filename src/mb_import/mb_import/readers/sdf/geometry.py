"""Elements <geometry> of <collision> and <visual>."""

from dataclasses import dataclass, field

from mb_import.joint_tree import still
from mb_import.notes import Notes
from mb_import.xml_text import Element, number, numbers
from mb_model.space_api import Pose

# Elements of each kind, in the order of its size
_SIZES = {'cylinder': ('radius', 'length'), 'capsule': ('radius', 'length'),
          'cone': ('radius', 'length'), 'sphere': ('radius',)}
_SCENERY = ('plane', 'heightmap', 'empty')


@dataclass(frozen=True)
class Geometry:
    """A solid of a link; kinds and sizes: see solids; mesh: its file's name.

    density: None if it is not said [kg/m^3].
    """

    kind: str
    size: tuple[float, ...]
    mesh: str = ''
    density: float | None = None
    pose: Pose = field(default_factory=still)


def read_geometry(element: Element, notes: Notes, item: str) -> Geometry | None:
    """Return the Geometry of a <collision> or <visual>, None if it is no solid.

    Raises MechanismError.
    """
    geometry = element.find('geometry')
    if geometry is None or not len(geometry):
        notes.left_out(item, 'has no geometry')
        return None
    density = element.findtext('density')
    dense = None if density is None else number(density, notes, f'{item}: density')
    child = geometry[0]
    kind = child.tag
    if kind == 'mesh':
        scale = numbers(child.findtext('scale'), 3, notes, f'{item}: scale', (1.0, 1.0, 1.0))
        return Geometry('mesh', scale, (child.findtext('uri') or '').strip(), dense)
    if kind not in ('box', 'ellipsoid', *_SIZES):
        if kind not in _SCENERY:
            notes.left_out(item, f'<{kind[:40]}> is no solid that a mechanism has')
        return None
    if kind == 'box':
        size = numbers(child.findtext('size'), 3, notes, f'{item}: size', (1.0, 1.0, 1.0))
    elif kind == 'ellipsoid':
        size = numbers(child.findtext('radii'), 3, notes, f'{item}: radii', (1.0, 1.0, 1.0))
    else:
        size = tuple(number(child.findtext(tag), notes, f'{item}: {tag}', 1.0)
                     for tag in _SIZES[kind])
    if min(size) <= 0.0:
        raise notes.error(f'{item}: {kind}', f'{" ".join(f"{one:g}" for one in size)}: each must '
                                             'be > 0')
    return Geometry(kind, size, '', dense)
