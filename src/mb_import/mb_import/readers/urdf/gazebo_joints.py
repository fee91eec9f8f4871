"""Joints of SDF in URDF: <gazebo><joint>, which may tie links that hang on others already."""

from collections.abc import Mapping

from mb_import.machine import WORLD, LinkJoint
from mb_import.notes import Notes
from mb_import.readers.sdf.frames import Frames, Scope
from mb_import.readers.sdf.joints import read_joint
from mb_import.readers.urdf.elements import named
from mb_import.xml_text import Element, label
from mb_model.space_api import Pose

_VERSION = 1, 6              # in which axes may be in the model's frame on request


def read_gazebo_joint(element: Element, poses: Mapping[str, Pose],
                      notes: Notes) -> LinkJoint | None:
    """Return the LinkJoint of an SDF joint, None with a note if it is none; poses: of all links.

    Its frame is given on the child, and is on the parent where both are drawn.  Raises
    MechanismError.
    """
    name, frames = named(element, notes), Frames(notes)
    scope = Scope(frames, notes, '', _VERSION)
    for link, pose in poses.items():
        if link != WORLD:
            frames.add(link, 'link', f'link {link}', pose, (scope, WORLD))
    parts = read_joint(element, scope, name, whole=True)
    if parts is None:
        notes.left_out(label(element), 'a gearbox in <gazebo> is not read; a <transmission> is')
        return None
    return parts.joints[0]
