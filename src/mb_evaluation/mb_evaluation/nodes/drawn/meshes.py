"""Meshes of a description in the view in a browser, moved by the estimate."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_evaluation.live.layout import MACHINE
from mb_evaluation.live.server import rerun
from mb_evaluation.robot import BodyMesh
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import body_poses, quaternion

_GREY = (168, 176, 188, 255)        # of what has no colour of its own
_STILL = 'ground'


class Meshes:
    """Shows meshes where their bodies are."""

    def __init__(self, recording: Any, mechanism: Mechanism, meshes: Sequence[BodyMesh]) -> None:
        """Log the meshes, which have files, into a recording."""
        self._recording, self._mechanism, sdk = recording, mechanism, rerun()
        self._bodies = sorted({one.body for one in meshes if one.body})
        for k, one in enumerate(meshes):
            if one.file is None:
                continue
            entity = f'{MACHINE}/meshes/{one.body or _STILL}/{k}'
            coloured = {} if one.file.suffix.lower() == '.glb' else {'albedo_factor': _GREY}
            recording.log(entity, sdk.Asset3D(path=one.file, **coloured), _placed(
                one.pose.at, one.pose.turn, one.scale), static=True)

    def move(self, q: FloatArray) -> None:
        """Put them where their bodies are at q (n)."""
        if not self._bodies or q.shape != (self._mechanism.n,) or not np.isfinite(q).all():
            return
        poses = body_poses(self._mechanism, q)
        for body in self._bodies:
            (at,), (turn,) = poses[body]
            self._recording.log(f'{MACHINE}/meshes/{body}', _placed(at, turn))


def _placed(at: FloatArray, turn: FloatArray, scale: Sequence[float] | None = None) -> Any:
    """Return the transform of a pose; at (3) [m], turn (3, 3)."""
    w, x, y, z = quaternion(turn).tolist()
    return rerun().Transform3D(translation=at, quaternion=rerun().Quaternion(xyzw=(x, y, z, w)),
                               scale=scale)
