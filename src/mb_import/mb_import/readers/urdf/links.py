"""Links of URDF: masses, and what is seen of them."""

from collections.abc import Sequence

import numpy as np

from mb_import.machine import WORLD, Inertial, Link, Shape
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import (
    at_least_zero,
    attribute,
    children,
    leave_out_others,
    local,
    named,
    needed,
    only,
    origin_of,
)
from mb_import.xml_text import Element, label, number, numbers

_SIZES = {'box': ('size',), 'sphere': ('radius',), 'cylinder': ('radius', 'length'),
          'capsule': ('radius', 'length'), 'mesh': ()}
_ROUNDED = 1e-12         # of moments of inertia that should be 0
_PRODUCTS = 'ixy', 'ixz', 'iyz'
_CONTACT = 'proximity_properties', 'surface', 'contact_coefficients'
_LOOKS = 'material', 'texture', 'verbose', 'name'      # how a link looks moves nothing


def read_links(elements: Sequence[Element], notes: Notes) -> dict[str, Link]:
    """Return the links but the world, which does not move; raises MechanismError."""
    links: dict[str, Link] = {}
    contacts = 0
    for element in elements:
        name = named(element, notes)
        if name in links:
            raise notes.error(label(element), 'there are two links of this name')
        if name == WORLD:
            _world(element, notes)
            continue
        leave_out_others(element, ('name', 'type'),
                         ('inertial', 'visual', 'collision', *_LOOKS), notes, label(element))
        links[name] = Link(name, _inertial(element, notes), _shapes(element, notes))
        contacts += bool(list(children(element, 'visual')) and list(children(element, 'collision')))
    if contacts:
        notes.guessed(f'collision of {contacts} links', 'taken for contact alone, which a '
                      'mechanism has not; what is seen is taken from visual')
    return links


def _world(element: Element, notes: Notes) -> None:
    if next(children(element, 'inertial'), None) is not None:
        notes.changed('link world', 'it does not move, so its mass does not count')


def _inertial(link: Element, notes: Notes) -> Inertial | None:
    """Return mass, centre and inertia, turned into axes of the link."""
    item = f'{label(link)}: inertial'
    inertial = only(link, 'inertial', notes, label(link))
    if inertial is None:
        return None
    leave_out_others(inertial, (), ('origin', 'mass', 'inertia'), notes, item)
    mass = number(attribute(needed(inertial, 'mass', notes, item), 'value'), notes, f'{item}: mass')
    pose = origin_of(inertial, notes, item)
    inertia = _inertia(only(inertial, 'inertia', notes, item), notes, item)
    return Inertial(at_least_zero(mass, notes, f'{item}: mass'), pose.at,
                    pose.turn @ inertia @ pose.turn.T)


def _inertia(element: Element | None, notes: Notes, item: str) -> np.ndarray:
    """Return the inertia (3, 3) in axes of its own frame."""
    if element is None:
        notes.guessed(item, 'it has no <inertia>, taken for a point mass')
        return np.zeros((3, 3))
    item = f'{item}: inertia'
    leave_out_others(element, ('ixx', 'iyy', 'izz', *_PRODUCTS), (), notes, item)
    xx, yy, zz = moments = [number(attribute(element, name), notes, f'{item}: {name}')
                            for name in ('ixx', 'iyy', 'izz')]
    for name, moment in zip(('ixx', 'iyy', 'izz'), moments, strict=True):
        at_least_zero(moment + _ROUNDED * (max(moments) + 1.0), notes, f'{item}: {name}')
    missing = [name for name in _PRODUCTS if attribute(element, name) is None]
    if missing:
        notes.guessed(item, f'{", ".join(missing)} taken for 0')
    xy, xz, yz = (number(attribute(element, name), notes, f'{item}: {name}', 0.0)
                  for name in _PRODUCTS)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _shapes(link: Element, notes: Notes) -> tuple[Shape, ...]:
    """Return the shapes of visual, of collision if there is none."""
    seen = list(children(link, 'visual')) or list(children(link, 'collision'))
    for element in children(link, 'visual', 'collision'):
        leave_out_others(element, ('name', 'group'), ('origin', 'geometry', *_LOOKS, *_CONTACT),
                         notes, f'{label(link)}: {local(element.tag)}')
    return tuple(shape for element in seen
                 if (shape := _shape(element, notes, f'{label(link)}: {local(element.tag)}')))


def _shape(element: Element, notes: Notes, item: str) -> Shape | None:
    geometry = needed(element, 'geometry', notes, item)
    pose = origin_of(element, notes, item)
    kinds = [child for child in geometry if local(child.tag) in _SIZES]
    if len(kinds) != 1 or len(geometry) > 1:
        tags = ', '.join(f'<{local(child.tag)}>' for child in geometry) or 'nothing'
        notes.left_out(item, f'geometry holds {tags}, expected one of {", ".join(_SIZES)}')
        return None
    kind = local(kinds[0].tag)
    if kind == 'mesh':
        leave_out_others(kinds[0], ('filename', 'scale'), (), notes, f'{item}: mesh')
        scale = numbers(attribute(kinds[0], 'scale'), 3, notes, f'{item}: scale', (1.0, 1.0, 1.0))
        return Shape(kind, scale, pose, (attribute(kinds[0], 'filename') or '').strip())
    item = f'{item}: {kind}'
    leave_out_others(kinds[0], _SIZES[kind], (), notes, item)
    size = tuple(at_least_zero(one, notes, item) for name in _SIZES[kind] for one in numbers(
        attribute(kinds[0], name), 3 if name == 'size' else 1, notes, f'{item}: {name}'))
    if not all(size):
        notes.changed(item, 'it has no size, so it is not seen')
        return None
    return Shape(kind, size, pose)
