"""Links that are welded together are one body."""

from dataclasses import dataclass

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD, Inertial, LinkJoint, Machine
from mb_import.notes import Notes
from mb_model.space_api import Pose

_TRIANGLE = 1e-9        # share by which a principal moment may exceed the sum of the others


@dataclass(frozen=True)
class Lump:
    """A body: the link whose frame it has, and how each of its links lies in that frame."""

    root: str
    links: dict[str, Pose]


@dataclass(frozen=True)
class Lumps:
    """by_root: the Lumps, with WORLD itself; of_link: link -> root of its Lump."""

    by_root: dict[str, Lump]
    of_link: dict[str, str]

    def in_body(self, link: str, pose: Pose) -> tuple[str, Pose]:
        """Return (root, pose in its frame) of a pose in the frame of a link."""
        root = self.of_link[link]
        return root, self.by_root[root].links[link].then(pose)

    def moves(self, joint: LinkJoint) -> bool:
        """Whether a joint ties two bodies."""
        return self.of_link[joint.links[0]] != self.of_link[joint.links[1]]


def lumps_of(machine: Machine) -> Lumps:
    """Return the bodies of a machine: links that welds of its tree hold together."""
    by_root, of_link = {WORLD: Lump(WORLD, {WORLD: still()})}, {WORLD: WORLD}
    for joint in machine.joints.values():
        parent, child = joint.links
        if joint.kind != 'weld':
            by_root[child], of_link[child] = Lump(child, {child: still()}), child
            continue
        root = of_link[parent]
        of_link[child] = root
        by_root[root].links[child] = by_root[root].links[parent].then(
            joint.frames[0]).then(joint.frames[1].inverse())
    return Lumps(by_root, of_link)


def lumped_inertial(lump: Lump, machine: Machine) -> Inertial | None:
    """Return the Inertial of all links of a body in its frame; None if none of them has any."""
    parts = [(pose, machine.links[name].inertial) for name, pose in lump.links.items()
             if name != WORLD]
    given = [(pose, one) for pose, one in parts if one is not None]
    if not given:
        return None
    mass = sum(one.mass for _, one in given)
    centres = [pose.of(one.centre) for pose, one in given]
    centre = (sum(one.mass * at for (_, one), at in zip(given, centres, strict=True)) / mass
              if mass > 0.0 else centres[0])
    inertia = np.zeros((3, 3))
    for (pose, one), at in zip(given, centres, strict=True):
        arm = at - centre
        inertia += pose.turn @ one.inertia @ pose.turn.T + one.mass * (
            arm @ arm * np.eye(3) - np.outer(arm, arm))
    return Inertial(mass, np.asarray(centre), inertia)


def sound_inertia(inertial: Inertial, item: str, repairs: bool, notes: Notes) -> Inertial:
    """Return an Inertial that a body can have; one that none has is mended, with a note.

    Of principal moments a <= b <= c none is negative, and c <= a + b: where c is more, a and b grow
    by the same.  Raises MechanismError unless repairs.
    """
    moments, axes = np.linalg.eigh(inertial.inertia)
    largest = moments[2]
    text = ', '.join(f'{value:.4g}' for value in moments)
    if inertial.mass < 0.0 or largest < 0.0:
        raise notes.error(item, f'mass {inertial.mass:g} kg, principal moments {text} kg m^2: '
                                'expected none below zero')
    lacking = largest - moments[0] - moments[1]
    if moments[0] >= -_TRIANGLE * largest and lacking <= _TRIANGLE * largest:
        return inertial
    if not repairs:
        raise notes.error(item, f'no body has the principal moments {text} kg m^2: each is at most '
                                'the sum of the others, none is negative')
    mended = np.maximum(moments, 0.0)
    mended[:2] += max(0.0, 0.5 * (mended[2] - mended[0] - mended[1]))
    notes.changed(item, f'no body has the principal moments {text} kg m^2, each is at most the sum '
                        f'of the others; taken as {", ".join(f"{one:.4g}" for one in mended)}')
    return Inertial(inertial.mass, inertial.centre, (axes * mended) @ axes.T)
