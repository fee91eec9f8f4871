"""Motions as they are compared: orientations by rotation vectors, whatever their references."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, IntArray
from mb_model.assembly.body_motion import frame_weights
from mb_model.mechanism_file.description import MechanismError
from mb_model.space.rotation import rotation_vector


def orientation_indices(mechanism: Any) -> IntArray:
    """Return the indices in z of each orientation (charts, 3), -1 where it is none of z.

    Raises MechanismError for an orientation that is so in part: its errors would depend on others.
    """
    model = mechanism.model[0]
    z = model['independent'][:mechanism.g].tolist()
    indices = np.array([[z.index(index) if index in z else -1 for index in chart]
                       for chart in model['chart_coordinate'][:model['charts']].tolist()],
                      dtype=np.int64).reshape(-1, 3)
    for chart in indices:
        if (chart < 0).any() and (chart >= 0).any():
            name = mechanism.independent[chart.max()].rpartition('.')[0]
            raise MechanismError(f'{mechanism.file}: independent: {name}: all three of .x, .y, .z '
                                 'must be degrees of freedom, or none')
    return indices


def independent_orientations(mechanism: Any) -> dict[str, IntArray]:
    """Return body -> indices in z (3) of the orientations that are degrees of freedom."""
    if mechanism.dimension != 3 or not mechanism.model['charts'][0]:
        return {}
    named = mechanism.described.coordinates
    orientations: dict[str, list[int]] = {}
    for k, name in enumerate(mechanism.independent):
        one = named.get(name)       # None: of a node
        if one is not None and one.kind == 'orientation':
            orientations.setdefault(one.bodies[0], []).append(k)
    return {body: np.array(indices) for body, indices in orientations.items()}


@dataclass(frozen=True)
class Turns:
    """How bodies are turned whose orientations are degrees of freedom.

    indices (b, 3): of each in z; rotations (k, b, 3, 3): from the bodies' frames to global axes.
    """

    indices: IntArray
    rotations: FloatArray

    def __getitem__(self, rows: Any) -> 'Turns':
        return Turns(self.indices, self.rotations[rows])

    def since(self, other: 'Turns') -> FloatArray:
        """Return the rotation vectors (k, b, 3) from other turns, in the bodies' frames [rad]."""
        between = np.swapaxes(other.rotations, -1, -2) @ self.rotations
        vectors: FloatArray = np.array([rotation_vector(turn) for turn in between.reshape(-1, 3, 3)]
                                     ).reshape(between.shape[:-1])
        return vectors


class Motion(Protocol):
    """What has the fields of a ComparableMotion."""

    @property
    def z(self) -> FloatArray:
        """Independent coordinates."""

    @property
    def zd(self) -> FloatArray:
        """Their velocities."""

    @property
    def zdd(self) -> FloatArray:
        """Their accelerations."""

    @property
    def turns(self) -> Turns | None:
        """Orientations that are degrees of freedom."""


@dataclass(frozen=True)
class ComparableMotion:
    """z, zd, zdd (k, g) of k instants; turns: None if no orientation is a degree of freedom.

    zd and zdd of an orientation are angular velocity and acceleration in the body's frame; its z
    counts from a reference of its own, and is not compared.
    """

    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    turns: Turns | None = None

    def __getitem__(self, rows: Any) -> 'ComparableMotion':
        return ComparableMotion(self.z[rows], self.zd[rows], self.zdd[rows],
                                None if self.turns is None else self.turns[rows])


def motion_errors(motion: Motion, truth: Motion) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return how z, zd, zdd (k, g) differ from a true motion's: as covariances mean errors.

    Of an orientation, the rotation vector from the truth to it, in the body's frame.  Raises
    ValueError where only one of the two has turns: z of orientations cannot be subtracted.
    """
    position = motion.z - truth.z
    if motion.turns is not None and truth.turns is not None:
        position[:, motion.turns.indices] = motion.turns.since(truth.turns)
    elif motion.turns is not truth.turns:
        raise ValueError('one of two motions does not say how bodies are turned that turn freely')
    return position, motion.zd - truth.zd, motion.zdd - truth.zdd


class FreeOrientations:
    """Reads how the bodies of a mechanism turn whose orientations are degrees of freedom.

    indices (b, 3): of each in z.
    """

    def __init__(self, mechanism: Any) -> None:
        turning = {body: indices for body, indices in independent_orientations(mechanism).items()
                 if len(indices) == 3}
        self.indices = np.array(list(turning.values()), dtype=np.int64).reshape(-1, 3)
        weights, fixed = zip(*(frame_weights(mechanism, body) for body in turning), strict=True
                             ) if turning else ((), ())
        self._weights = np.array(weights).reshape(9 * len(turning), mechanism.n)
        self._fixed = np.array(fixed).reshape(9 * len(turning))

    def __len__(self) -> int:
        return len(self.indices)

    def frames(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> FloatArray:
        """Return the axes of all bodies as rows, and their derivatives, (3, b, 3, 3), at q (n).

        Raises ValueError for another number of coordinates.
        """
        if not len(self):
            return np.empty((3, 0, 3, 3))
        sizes = [np.size(values) for values in (q, qd, qdd)]
        if sizes != [self._weights.shape[1]] * 3:
            raise ValueError(f'q, qd, qdd: {", ".join(map(str, sizes))} numbers, expected '
                             f'{self._weights.shape[1]} each: orientations follow from them')
        axes = self._weights @ np.array([q, qd, qdd]).T
        axes[:, 0] += self._fixed
        return axes.T.reshape(3, -1, 3, 3)

    def motion(self, z: FloatArray, zd: FloatArray, zdd: FloatArray,
               frames: FloatArray) -> ComparableMotion:
        """Return the ComparableMotion of k instants; frames (k, 3, b, 3, 3), as of `frames`."""
        if not len(self):
            return ComparableMotion(z, zd, zdd)
        axes, rates, rises = np.moveaxis(frames, 1, 0)      # (k, b, 3, 3), an axis in each row
        zd, zdd = zd.copy(), zdd.copy()
        for values, changes in ((zd, rates), (zdd, rises)):
            turn = 0.5 * np.cross(axes, changes).sum(axis=-2)
            values[:, self.indices] = np.einsum('kbij,kbj->kbi', axes, turn)
        return ComparableMotion(z, zd, zdd, Turns(self.indices, np.swapaxes(axes, -1, -2)))


def comparable_motion(mechanism: Any, z: FloatArray, zd: FloatArray, zdd: FloatArray,
                      q: FloatArray, qd: FloatArray, qdd: FloatArray) -> ComparableMotion:
    """Return the ComparableMotion of z, zd, zdd (k, g) and q, qd, qdd (k, n) of a mechanism."""
    orientations = FreeOrientations(mechanism)
    if not orientations:
        return ComparableMotion(z, zd, zdd)
    frames = [orientations.frames(*row) for row in zip(q, qd, qdd, strict=True)]
    return orientations.motion(z, zd, zdd, np.array(frames))


def motion_difference(mechanism: Any, motion: tuple[ArrayLike, ArrayLike],
                      other: tuple[ArrayLike, ArrayLike]) -> FloatArray:
    """Return how z and zd of a motion differ from another's (2g): errors as covariances mean them.

    motion, other: (q, qd) of solved positions.  Of an orientation, the rotation vector from the
    other to it, in the body's frame, and the difference of the angular velocities, each in its
    own body's frame; of all other degrees of freedom plain differences.
    """
    z = mechanism.model['independent'][0, :mechanism.g]
    one, two = (comparable_motion(mechanism, *(
        np.asarray(values)[None] for values in (q[z], qd[z], qd[z], q, qd, qd)))
        for q, qd in (map(np.asarray, motion), map(np.asarray, other)))
    return np.concatenate(motion_errors(one, two)[:2], axis=1)[0]
