"""Bodies that bend in space as chains of rigid segments with springs between them, in MJCF.

The finite-segment method (Huston 1981, Multi-body dynamics including the effects of flexibility and
compliance): N joints amid N equal pieces of the beam, each of up to three hinges with springs of
E I N / L and G J N / L; segments between them, half ones at both ends.  With joints amid the pieces
the deflection under a force at the tip is too small by the share 1 / (4 N^2), whatever holds the
beam.  Segments have the inertia of bars, and of sections about the axis.  Dampers are as the file
says for the first mode along each axis.  Shapes and equations of mb_model are not in it.
"""

from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree

import numpy as np

from mb_model.space_api import quaternion, section_poses
from mb_simulation.prototypes.parts.mjcf import text

PIECES = 8                  # N
_LEAST = 0.5                # of the inertia about the axis, across: as round sections have
_ALONG = np.array([1.0, 0.0, 0.0])


def segment_names(body):
    """Return the names of the segments of a flexible body, from its first end on."""
    return [f'{body}/segment{k}' for k in range(PIECES + 1)]


def segment_places(body):
    """Return where segments of a SpatialBody have their frames: places x of the beam [m]."""
    return np.linspace(0.0, body.beam.shape.length, PIECES + 1)


@dataclass(frozen=True)
class BeamChain:
    """The segments of a flexible body of a mechanism, straight where no force is."""

    mechanism: object
    name: str

    @cached_property
    def _body(self):
        return self.mechanism.bodies[self.name]

    @cached_property
    def _size(self):
        return self._body.beam.shape.length / PIECES

    def segment_at(self, x):
        """Return the number of the segment that carries the section at x [m], and how far on."""
        k = round(x / self._size)
        return k, x - k * self._size

    def write(self, parent, start, q, floats):
        """Add elements of all segments to their parent's, bent as at q (n); return them.

        start: x of the section that carries the beam, whose frame the parent has [m]; floats: the
        first segment has a free joint, and the parent is the ground.
        """
        places, turns = section_poses(self.mechanism, self.name, segment_places(self._body), q)
        names = segment_names(self.name)
        root, beyond = self.segment_at(start)
        found = {}
        if floats:
            found[root] = self._element(parent, names[root], places[root], turns[root])
            ElementTree.SubElement(found[root], 'joint', name=names[root], type='free')
        else:
            found[root] = self._element(parent, names[root], -beyond * _ALONG, np.eye(3))
        for step in (1, -1):
            k = root + step
            while 0 <= k <= PIECES:
                turn = turns[k - step].T @ turns[k]
                half = 0.5 * step * self._size * _ALONG
                found[k] = self._element(found[k - step], names[k], half + turn @ half, turn)
                self._hinges(found[k], names[k], -half, turn)
                k += step
        for k, element in found.items():
            self._inertial(element, k)
        return found

    @staticmethod
    def _element(parent, name, place, turn):
        return ElementTree.SubElement(parent, 'body', name=name, pos=text(*place),
                                      quat=text(*quaternion(turn)))

    def _hinges(self, element, name, place, turn):
        """Add the hinges of a segment, which are at zero when it is turned so on its parent."""
        for axis, (stiffness, damping) in self._springs.items():
            k = 'xyz'.index(axis)
            bent = 0.5 * (turn[(k + 2) % 3, (k + 1) % 3] - turn[(k + 1) % 3, (k + 2) % 3])
            ElementTree.SubElement(
                element, 'joint', name=f'{name}/{axis}', type='hinge', pos=text(*place),
                axis=text(*np.eye(3)[k]), stiffness=text(stiffness), damping=text(damping),
                springref=text(-bent))

    @cached_property
    def _springs(self):
        """Stiffness [N m/rad] and damping [N m s/rad] of hinges by their axes, bending first."""
        beam, found = self._body.beam, {}
        for axis, about in (('z', 'y'), ('y', 'z')):
            if axis in beam.bending:
                one = beam.bending[axis]
                found[about] = self._spring(one.bending_stiffness, one)
        if beam.torsion is not None:
            found['x'] = self._spring(beam.torsion.whole_stiffness, beam.torsion)
        return found

    def _spring(self, stiffness, modes):
        whole = stiffness / self._size
        return whole, whole * float(modes.damping[0] / modes.stiffness[0])

    def _inertial(self, element, k):
        share = (1.0 if 0 < k < PIECES else 0.5) / PIECES
        mass, axial = share * self._body.mass, share * self._body.beam.axial_inertia
        length = share * self._body.beam.shape.length
        centre = 0.25 * self._size * ((k == 0) - (k == PIECES)) * _ALONG
        across = max(mass * length * length / 12.0, _LEAST * axial)
        ElementTree.SubElement(element, 'inertial', mass=text(mass), pos=text(*centre),
                               diaginertia=text(axial, across, across))


def fastest_decay(model, data):
    """Return the largest |eigenvalue| of the springs and dampers of a MuJoCo model [1/s].

    About where it is; explicit steps of h need it times h below about 2.8.
    """
    import mujoco
    mujoco.mj_forward(model, data)
    inverse = np.empty((model.nv, model.nv))        # of the mass matrix
    mujoco.mj_solveM(model, data, inverse, np.eye(model.nv))
    stiffness = np.zeros(model.nv)
    for joint in range(model.njnt):
        if model.jnt_stiffness[joint]:
            stiffness[model.jnt_dofadr[joint]] = model.jnt_stiffness[joint]
    still = np.zeros_like(inverse)
    rates = np.block([[still, np.eye(model.nv)],
                      [-inverse * stiffness, -inverse * model.dof_damping]])
    return float(np.abs(np.linalg.eigvals(rates)).max())
