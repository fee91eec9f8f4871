"""XML of what is written: numbers without loss."""

from collections.abc import Iterable
from xml.etree import ElementTree

import numpy as np
from numpy.typing import ArrayLike

from mb_model.space_api import Pose, quaternion, roll_pitch_yaw

Element = ElementTree.Element


def text_of(*numbers: float) -> str:
    """Return numbers without loss; zeros have no sign."""
    return ' '.join(repr(float(number) + 0.0) for number in numbers)


def add(parent: Element, tag: str, text: str = '', **attributes: str) -> Element:
    """Add an element."""
    element = ElementTree.SubElement(parent, tag, **attributes)
    if text:
        element.text = text
    return element


def whole(root: Element, notes: Iterable[object]) -> str:
    """Return the text of a document, with notes as comments at its top."""
    ElementTree.indent(root)
    comments = ''.join(f'<!-- {str(note).replace("--", "- -")} -->\n' for note in notes)
    return f'<?xml version="1.0"?>\n{comments}{ElementTree.tostring(root, encoding="unicode")}\n'


def moments(inertia: ArrayLike) -> dict[str, float]:
    """Return the moments and products of inertia (3, 3) as formats name them."""
    matrix = np.asarray(inertia, float)
    return {name: matrix[row, column] for name, row, column in (
        ('ixx', 0, 0), ('ixy', 0, 1), ('ixz', 0, 2), ('iyy', 1, 1), ('iyz', 1, 2), ('izz', 2, 2))}


def placed(pose: Pose) -> dict[str, str]:
    """Return a pose as MJCF has it."""
    return {'pos': text_of(*pose.at), 'quat': text_of(*quaternion(pose.turn))}


def xyz_rpy(pose: Pose) -> tuple[str, str]:
    """Return a pose as URDF has it."""
    return text_of(*pose.at), text_of(*roll_pitch_yaw(pose.turn))
