"""Other ways to assemble a mechanism in space at its start, by coordinates of its joints."""

from dataclasses import dataclass, replace
from typing import Any

from mb_model.assembly.body_motion import body_poses
from mb_model.assembly.joint_closing import JointClosing
from mb_model.space.body import Pose

_THROWS = (0.3, 2), (1.0, 10)       # of joint values, see joint_closing


@dataclass(frozen=True)
class JointBranch:
    """A closed position: coordinates by name, and how far bodies are from the start."""

    coordinates: dict[str, float]
    distance: float


def joint_branches(mechanism: Any) -> list[JointBranch]:
    """Return the branches of a Mechanism at the degrees of freedom of its start, its own first.

    Empty where there is nothing to close, or where joints do not say its degrees of freedom, as of
    orientations.
    """
    described = mechanism.described
    if mechanism.dimension != 3 or not set(mechanism.independent) <= set(described.coordinates):
        return []
    if any(described.coordinates[name].kind == 'orientation' for name in mechanism.independent):
        return []
    poses = body_poses(mechanism, mechanism.q0)
    bodies = {name: replace(body, pose=Pose(poses[name][0][0], poses[name][1][0]))
              for name, body in described.bodies.items()}
    closing = JointClosing(replace(described, bodies=bodies, start=dict(zip(
        mechanism.independent, mechanism.z0.tolist(), strict=True))))
    if not (closing.supported and closing.has_loops):
        return []
    return [JointBranch(closing.coordinates(pose), pose.distance)
            for pose in closing.branches(_THROWS)]
