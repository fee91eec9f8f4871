"""Elements <pose>, and values that SDF writes in more than one form."""

from math import radians

import numpy as np

from mb_import.joint_tree import still
from mb_import.notes import Notes
from mb_import.xml_text import Element, numbers
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose, of_roll_pitch_yaw

_FLAGS = {'true': True, '1': True, 'false': False, '0': False}


def read_pose(parent: Element, notes: Notes, item: str) -> tuple[Pose, str]:
    """Return the pose of an element, and the frame that it is relative to, '' by default.

    Of SDF 1.6 and before that frame is in the attribute `frame`.
    """
    element = parent.find('pose')
    if element is None:
        return still(), ''
    base = element.get('relative_to', element.get('frame', ''))
    degrees = read_flag(element.get('degrees'), False, notes, f'{item}: pose degrees')
    form = element.get('rotation_format', 'euler_rpy')
    if form == 'euler_rpy':
        values = numbers(element.text, 6, notes, f'{item}: pose', (0.0,) * 6)
        turn = of_roll_pitch_yaw([radians(angle) if degrees else angle for angle in values[3:]])
    elif form == 'quat_xyzw':
        if degrees:
            raise notes.error(f'{item}: pose', 'a quaternion is not in degrees')
        values = numbers(element.text, 7, notes, f'{item}: pose', (0.0,) * 6 + (1.0,))
        turn = of_quaternion(values[3:], notes, f'{item}: pose')
    else:
        raise notes.error(f'{item}: pose', f'rotation_format {form!r} must be euler_rpy or '
                                           'quat_xyzw')
    return Pose(np.array(values[:3]), turn), base


def of_quaternion(quaternion: tuple[float, ...], notes: Notes, item: str) -> FloatArray:
    """Return the matrix (3, 3) of a quaternion x, y, z, w of any length but 0."""
    largest = max(map(abs, quaternion))
    if largest == 0.0:
        raise notes.error(item, 'the quaternion 0 0 0 0 is no orientation')
    scaled = np.array(quaternion) / largest
    x, y, z, w = scaled / np.linalg.norm(scaled)
    vector = np.array([x, y, z])
    cross = np.cross(np.eye(3), vector)
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


def read_flag(text: str | None, default: bool, notes: Notes, item: str) -> bool:
    """Return true or false of a text, the default where there is none."""
    if text is None or not text.strip():
        return default
    if (word := text.strip().lower()) not in _FLAGS:
        raise notes.error(item, f'{text.strip()[:40]!r} must be true or false')
    return _FLAGS[word]


def unit_vector(vector: FloatArray, notes: Notes, item: str) -> FloatArray:
    """Return a vector (3) with length 1."""
    largest = float(np.abs(vector).max())
    if largest == 0.0:
        raise notes.error(item, '0 0 0 is no direction')
    return vector / largest / np.linalg.norm(vector / largest)
