"""A machine as its own URDF says it: links, joints, meshes and names, moved by the mechanism."""

from pathlib import Path
import re

import numpy as np
from numpy.typing import ArrayLike

from mb_import import (
    WORLD as GLOBAL,
    Frame,
    LinkJoint,
    lumps_of,
    read_machine,
    read_options,
    urdf_text,
)
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.file_api import description_of
from mb_model.space_api import Pose, body_poses, quaternion


class OriginalRobot:
    """The links and joints of the URDF that a mechanism is made from.

    urdf: its text as it is; names: of joints with one coordinate.
    """

    def __init__(self, mechanism: Mechanism, path: Path, section: dict[str, object]) -> None:
        """Read it; section: `import` of the file that extends it.  Raises MechanismError.

        Where a file that extends it took bodies or joints away, KeyError.
        """
        options = read_options(section, path.name)
        text = urdf_text(path, options)
        if text is None:
            raise MechanismError(f'{path.name}: is no URDF')
        self.urdf, self._mechanism = text, mechanism
        machine, _ = read_machine(path, options)
        names = mechanism.raw['origin']['names']
        lumps = lumps_of(machine)
        self._joints = list(machine.joints.values())
        self._links = {link: (names['links'].get(root), lumps.by_root[root].links[link])
                       for link, root in lumps.of_link.items()}
        for body, _ in self._links.values():
            if body is not None and body not in mechanism.bodies:
                raise KeyError(body)
        single = [joint.name for joint in self._joints if joint.is_scalar]
        self._coordinates = mechanism.indices([names['joints'][name] for name in single])
        self.names = single
        self._has_world = re.search(rf'<link\s+name="{GLOBAL}"', text) is not None

    def read(self, q: ArrayLike, qd: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
        """Return positions and velocities of joints with one coordinate at q, qd (n)."""
        q = np.asarray(q, float)
        rates = np.zeros(len(q)) if qd is None else np.asarray(qd, float)
        return q[self._coordinates], rates[self._coordinates]

    def frames(self, q: ArrayLike) -> list[Frame]:
        """Return the frame of each link in its parent's at q (n); the root's in the mechanism's."""
        bodies = {name: Pose(at[0], turn[0])
                  for name, (at, turn) in body_poses(self._mechanism, np.asarray(q)).items()}
        links = {link: pose if body is None else bodies[body].then(pose)
                 for link, (body, pose) in self._links.items()}
        world = [(self._mechanism.name, GLOBAL, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))]
        return (world if self._has_world else []) + [self._frame(one, links)
                                                     for one in self._joints]

    def _frame(self, joint: LinkJoint, links: dict[str, Pose]) -> Frame:
        parent, child = joint.links
        pose = links[parent].inverse().then(links[child])
        w, x, y, z = quaternion(pose.turn).tolist()
        return (self._mechanism.name if parent == GLOBAL else parent, child,
                tuple(pose.at.tolist()), (x, y, z, w))


def original_robot(mechanism: Mechanism, name_or_path: str) -> OriginalRobot | None:
    """Return the OriginalRobot of a mechanism, None if it is not made from URDF as it is."""
    described = description_of(name_or_path)
    if described is None:
        return None
    try:
        return OriginalRobot(mechanism, *described)
    except (MechanismError, KeyError):
        return None
