"""Frames on links: <frame> of Drake, <fixed_frame> of Isaac Sim."""

from collections.abc import Collection, Sequence

from mb_import.machine import WORLD
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import (
    attribute,
    leave_out_others,
    local,
    named,
    needed,
    origin_of,
    pose_of,
)
from mb_import.xml_text import Element, label
from mb_model.space_api import Pose


def read_frames(elements: Sequence[Element], links: Collection[str],
                notes: Notes) -> dict[str, tuple[str, Pose]]:
    """Return name -> (link, pose in it); raises MechanismError."""
    frames: dict[str, tuple[str, Pose]] = {}
    for element in elements:
        name, item = named(element, notes), label(element)
        if name in frames:
            raise notes.error(item, 'there are two frames of this name')
        if local(element.tag) == 'frame':
            leave_out_others(element, ('name', 'link', 'xyz', 'rpy'), (), notes, item)
            frames[name] = named(element, notes, 'link'), pose_of(element, notes, item)
        else:
            leave_out_others(element, ('name',), ('parent', 'origin'), notes, item)
            parent = needed(element, 'parent', notes, item)
            frames[name] = (attribute(parent, 'link') or '', origin_of(element, notes, item))
        if (link := frames[name][0]) not in links and link != WORLD:
            raise notes.error(item, f'there is no link {link}')
    return frames
