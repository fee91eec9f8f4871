"""Bodies that bend in space as chains of rigid segments with springs between them, in MuJoCo.

The finite-segment method (Huston 1981, Multi-body dynamics including the effects of flexibility and
compliance): N joints amid N equal pieces of the beam, each of up to three hinges with springs of
E I N / L and G J N / L; segments between them, half ones at both ends.  With joints amid the pieces
the deflection under a force at the tip is too small by the share 1 / (4 N^2), whatever holds the
beam.  Segments have the inertia of bars, and of sections about the axis.  Dampers are as the file
says for the first mode along each axis.  Shapes and equations of mb_model are not in it,
but for BentShape: what modes of the body follow from its segments.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_model.space_api import quaternion, section_poses
from mb_simulation.prototypes.rated_vectors import crossed, dotted, inverted, scaled, unit

PIECES = 8                  # N
_LEAST = 0.5                # of the inertia about the axis, across: as round sections have
_ALONG = np.array([1.0, 0.0, 0.0])


def segment_names(body: str) -> list[str]:
    """Return the names of the segments of a flexible body, from its first end on."""
    return [f'{body}/segment{k}' for k in range(PIECES + 1)]


def segment_positions(body: Any) -> FloatArray:
    """Return where segments of a SpatialBody have their frames: offsets x along the beam [m]."""
    return np.linspace(0.0, body.beam.shape.length, PIECES + 1)


@dataclass(frozen=True)
class BeamChain:
    """The segments of a flexible body of a mechanism, straight where no force is."""

    mechanism: object
    name: str

    @cached_property
    def _body(self) -> Any:
        return self.mechanism.bodies[self.name]

    @cached_property
    def _size(self) -> float:
        return self._body.beam.shape.length / PIECES

    def segment_at(self, x: float) -> tuple[int, float]:
        """Return the number of the segment that carries the section at x [m], and how far on."""
        k = round(x / self._size)
        return k, x - k * self._size

    def write(self, parent: Any, start: float, q: FloatArray, floats: bool) -> dict[int, Any]:
        """Add all segments to their parent, bent as at q (n); return them.

        start: x of the section that carries the beam, whose frame the parent has [m]; floats: the
        first segment has a free joint, and the parent is the ground.
        """
        positions, turns = section_poses(
            self.mechanism, self.name, segment_positions(self._body), q)
        names = segment_names(self.name)
        root, beyond = self.segment_at(start)
        segments = {}
        if floats:
            segments[root] = self._element(parent, names[root], positions[root], turns[root])
            segments[root].add_joint(name=names[root], type=mujoco.mjtJoint.mjJNT_FREE)
        else:
            segments[root] = self._element(parent, names[root], -beyond * _ALONG, np.eye(3))
        for step in (1, -1):
            k = root + step
            while 0 <= k <= PIECES:
                turn = turns[k - step].T @ turns[k]
                half = 0.5 * step * self._size * _ALONG
                segments[k] = self._element(segments[k - step], names[k], half + turn @ half, turn)
                self._hinges(segments[k], names[k], -half, turn)
                k += step
        for k, element in segments.items():
            self._inertial(element, k)
        return segments

    @staticmethod
    def _element(parent: Any, name: str, position: FloatArray, turn: FloatArray) -> Any:
        return parent.add_body(name=name, pos=position, quat=quaternion(turn))

    def _hinges(self, element: Any, name: str, position: FloatArray, turn: FloatArray) -> None:
        """Add the hinges of a segment, which are at zero when it is turned so on its parent."""
        for axis, (stiffness, damping) in self._springs.items():
            k = 'xyz'.index(axis)
            bent = 0.5 * (turn[(k + 2) % 3, (k + 1) % 3] - turn[(k + 1) % 3, (k + 2) % 3])
            element.add_joint(
                name=f'{name}/{axis}', type=mujoco.mjtJoint.mjJNT_HINGE, pos=position,
                axis=np.eye(3)[k], stiffness=[stiffness, 0.0, 0.0], damping=[damping, 0.0, 0.0],
                springref=-bent)

    @cached_property
    def _springs(self) -> dict[str, tuple[float, float]]:
        """Stiffness [N m/rad] and damping [N m s/rad] of hinges by their axes, bending first."""
        beam, springs = self._body.beam, {}
        for axis, about in (('z', 'y'), ('y', 'z')):
            if axis in beam.bending:
                one = beam.bending[axis]
                springs[about] = self._spring(one.bending_stiffness, one)
        if beam.torsion is not None:
            springs['x'] = self._spring(beam.torsion.whole_stiffness, beam.torsion)
        return springs

    def _spring(self, stiffness: float, modes: Any) -> tuple[float, float]:
        whole = stiffness / self._size
        return whole, whole * float(modes.damping[0] / modes.stiffness[0])

    def _inertial(self, element: Any, k: int) -> None:
        share = (1.0 if 0 < k < PIECES else 0.5) / PIECES
        mass, axial = share * self._body.mass, share * self._body.beam.axial_inertia
        length = share * self._body.beam.shape.length
        centre = 0.25 * self._size * ((k == 0) - (k == PIECES)) * _ALONG
        across = max(mass * length * length / 12.0, _LEAST * axial)
        element.explicitinertial, element.mass = True, mass
        element.ipos, element.inertia = centre, [axial, across, across]


class BentShape:
    """Fits modes to a chain, by least squares: deflections of segments, and how they are twisted.

    Arrays (3, ...) are values, rates and accelerations, see rated_vectors.

    The frame of the body lies on the chord, its y axis across the z axis of the first section.
    """

    def __init__(self, mechanism: Mechanism, name: str) -> None:
        """Take a Mechanism and a flexible body of it."""
        body = mechanism.bodies[name]
        self._beam, self._name, self._indices = body.beam, name, mechanism.indices
        x, shape = segment_positions(body), body.beam.shape
        self._fit = np.linalg.pinv(np.array([shape.deflection(at) for at in x[1:-1]]))
        torsion = body.beam.torsion
        self._untwist = None if torsion is None else np.linalg.pinv(
            np.array([torsion.twist(at) for at in x[1:]]))
        self._modes = mechanism.indices(body.modes)
        self._shortening = (int(mechanism.indices([body.shortening])[0]) if shape.modes > 1
                            else None)
        self._mode_nodes = self._nodes(f'{name}.shape{k + 1}' for k in range(shape.modes))
        self._twist_nodes = [self._nodes(f'{name}.turn{k + 1}.{axis}' for axis in 'yz')
                             for k in range(torsion.modes if torsion else 0)]

    def _nodes(self, names: Iterable[str]) -> list[IntArray]:
        return [self._indices([f'{one}.{axis}' for axis in 'xyz']) for one in names]

    def frame(self, segments: FloatArray) -> FloatArray:
        """Return the frame of the body (3, 4, 3) by the frames of segments (3, N + 1, 4, 3)."""
        first, last = segments[:, 0], segments[:, PIECES]
        along = unit(last[:, 0] - first[:, 0])
        y = unit(crossed(first[:, 3], along))
        return np.stack([first[:, 0], along, y, crossed(along, y)], axis=1)

    def write(self, segments: FloatArray, frame: FloatArray, out: FloatArray) -> None:
        """Write modes, and nodes that follow from them, to found (3, n)."""
        beam, springs = self._beam, self._beam.springs
        away = segments[:, 1:-1, 0] - frame[:, :1]
        bent = {axis: dotted(away, frame[:, None, 1 + 'xyz'.index(axis)]) @ self._fit.T
                for axis in beam.bending}
        twisted = self._twists(segments[:, 1:, 3], frame)
        for index, spring in zip(self._modes, springs, strict=True):
            out[:, index] = (bent[spring.axis] if spring.axis else twisted)[:, spring.number]
        vectors = [sum(scaled(beam.shape.sizes[k] * modes[:, k], frame[:, 1 + 'xyz'.index(axis)])
                       for axis, modes in bent.items()) for k in range(beam.shape.modes)]
        for indices, vector in zip(self._mode_nodes, vectors, strict=True):
            out[:, indices] = vector
        if self._shortening is not None:
            out[:, self._shortening] = sum(
                dotted(one, one) for one in vectors[1:]) / beam.shape.length
        for k, (first, second) in enumerate(self._twist_nodes):
            out[:, first] = scaled(twisted[:, k], frame[:, 3])
            out[:, second] = scaled(-twisted[:, k], frame[:, 2])

    def _twists(self, across: FloatArray, frame: FloatArray) -> FloatArray | None:
        """Return the modes of torsion (3, k) by the z axes of segments (3, N, 3)."""
        if self._untwist is None:
            return None
        y, z = dotted(across, frame[:, None, 2]), dotted(across, frame[:, None, 3])
        angle = -scaled(inverted(z), y[..., None])[..., 0]
        return angle @ self._untwist.T


def fastest_decay(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Return the largest |eigenvalue| of the springs and dampers of a MuJoCo model [1/s].

    About where it is; explicit steps of h need it times h below about 2.8.
    """
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
