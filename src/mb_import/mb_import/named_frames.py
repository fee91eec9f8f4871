"""Links and frames of a description by name."""

from collections.abc import Collection, Mapping

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD
from mb_import.notes import Notes
from mb_model.space_api import Pose


def named_frame(name: str, links: Collection[str], frames: Mapping[str, tuple[str, Pose]],
                notes: Notes, item: str) -> tuple[str, Pose]:
    """Return (link, pose in it) of a link, else of a frame of this name.

    A link goes before a frame that lies elsewhere, with a note.  Raises MechanismError.
    """
    if name in links or name == WORLD:
        link, pose = frames.get(name, (name, still()))
        if link != name or pose.at.any() or not np.array_equal(pose.turn, np.eye(3)):
            notes.guessed(item, f'{name} is taken for the link, not for the frame of this name')
        return name, still()
    if name not in frames:
        raise notes.error(item, f'{name}: no link and no frame of the description')
    return frames[name]
