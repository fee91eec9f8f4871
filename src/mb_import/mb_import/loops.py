"""Loops that a description lacks, of the section `import`: two links or frames meet as a joint."""

from collections.abc import Collection, Mapping

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD, LinkJoint
from mb_import.notes import Notes
from mb_import.options import Loop
from mb_model.space_api import Pose, across

_WITHOUT_AXIS = 'spherical', 'weld'


def overlay_loops(loops: Mapping[str, Loop], links: Collection[str],
                  frames: Mapping[str, tuple[str, Pose]], notes: Notes,
                  source: str = 'import.loops') -> dict[str, LinkJoint]:
    """Return the closures of import.loops; raises MechanismError for frames that are not there.

    source: where they are written, for messages.  The second axis of a universal joint is across
    the first one, in the second frame.
    """
    closures = {}
    for name, loop in loops.items():
        ends = [_end(frame, links, frames, notes, f'{source}.{name}') for frame in loop.frames]
        axis = np.array(loop.axis)
        axis /= np.linalg.norm(axis)
        closures[name] = LinkJoint(
            name, loop.kind, (ends[0][0], ends[1][0]), (ends[0][1], ends[1][1]),
            axis=None if loop.kind in _WITHOUT_AXIS else axis,
            second_axis=across(axis) if loop.kind == 'universal' else None)
    return closures


def _end(frame: str, links: Collection[str], frames: Mapping[str, tuple[str, Pose]],
         notes: Notes, item: str) -> tuple[str, Pose]:
    """Return (link, pose in it) of a frame's or link's name."""
    if frame == WORLD or frame in links:
        return frame, still()
    if frame not in frames:
        raise notes.error(item, f'there is no link or frame {frame}')
    return frames[frame]
