"""What all elements of URDF have: names, origins, children of one kind, and surplus ones."""

from collections.abc import Collection, Iterator

import numpy as np

from mb_import.notes import Notes
from mb_import.xml_text import Element, label, number, numbers
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose, of_roll_pitch_yaw

NO_MOVE = (0.0, 0.0, 0.0)


def local(name: str) -> str:
    """Return a tag or an attribute without its prefix."""
    return name.rpartition(':')[2]


def children(element: Element, *tags: str) -> Iterator[Element]:
    """Yield the children that have one of the tags, whatever their prefix."""
    return (child for child in element if local(child.tag) in tags)


def only(element: Element, tag: str, notes: Notes, item: str) -> Element | None:
    """Return the first child with a tag; notes that there are others."""
    matching = list(children(element, tag))
    if len(matching) > 1:
        notes.left_out(item, f'it has {len(matching)} elements <{tag}>, the first one counts')
    return matching[0] if matching else None


def needed(element: Element, tag: str, notes: Notes, item: str) -> Element:
    """Return the first child with a tag; raises MechanismError if there is none."""
    matching = only(element, tag, notes, item)
    if matching is None:
        raise notes.error(item, f'<{tag}> is missing')
    return matching


def attribute(element: Element | None, name: str) -> str | None:
    """Return the text of an attribute, whatever its prefix; None without."""
    if element is None:
        return None
    return next((text for key, text in element.attrib.items() if local(key) == name), None)


def named(element: Element, notes: Notes, name: str = 'name') -> str:
    """Return the name that an element must have."""
    text = (attribute(element, name) or '').strip()
    if not text:
        raise notes.error(label(element), f'its attribute {name} is missing')
    return text


def value_of(element: Element, tag: str, notes: Notes, item: str, default: float,
             name: str = 'value') -> float:
    """Return the number in an attribute of a child, or default without the child."""
    child = only(element, tag, notes, item)
    return default if child is None else number(attribute(child, name), notes, f'{item}: {tag}')


def text_of(element: Element | None, tag: str, default: str = '') -> str:
    """Return the text of the first child with a tag."""
    child = None if element is None else next(children(element, tag), None)
    return default if child is None or child.text is None else child.text.strip()


def at_least_zero(value: float, notes: Notes, item: str) -> float:
    """Return a number that must not be negative."""
    if value < 0.0:
        raise notes.error(item, f'{value:g} must be >= 0')
    return value


def pose_of(element: Element | None, notes: Notes, item: str) -> Pose:
    """Return the Pose in attributes xyz, rpy and quat_xyzw; without an element none is moved."""
    at = numbers(attribute(element, 'xyz'), 3, notes, f'{item}: xyz', NO_MOVE)
    quaternion = attribute(element, 'quat_xyzw')
    if quaternion is None:
        return Pose(np.array(at), of_roll_pitch_yaw(
            numbers(attribute(element, 'rpy'), 3, notes, f'{item}: rpy', NO_MOVE)))
    return Pose(np.array(at), _turn(numbers(quaternion, 4, notes, f'{item}: quat_xyzw'), notes,
                                    f'{item}: quat_xyzw'))


def _turn(quaternion: tuple[float, ...], notes: Notes, item: str) -> FloatArray:
    """Return the rotation matrix of x, y, z, w."""
    size = float(np.linalg.norm(quaternion))
    if size < 1e-9:
        raise notes.error(item, f'{list(quaternion)} is no direction')
    x, y, z, w = np.array(quaternion) / size
    cross = np.cross(np.eye(3), (x, y, z))
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


def origin_of(element: Element, notes: Notes, item: str, tag: str = 'origin') -> Pose:
    """Return the Pose in the child <origin>."""
    origin = only(element, tag, notes, item)
    if origin is not None:
        leave_out_others(origin, ('xyz', 'rpy', 'quat_xyzw'), (), notes, f'{item}: {tag}')
    return pose_of(origin, notes, f'{item}: {tag}')


def leave_out_others(element: Element, attributes: Collection[str], tags: Collection[str],
                     notes: Notes, item: str) -> None:
    """Note the attributes and children of an element that nothing takes."""
    for key in element.attrib:
        if local(key) not in attributes and not key.startswith('xmlns'):
            notes.left_out(item, f'its attribute {local(key)} is not known')
    for child in element:
        if local(child.tag) not in tags:
            notes.left_out(item, f'<{local(child.tag)}> is not known')
