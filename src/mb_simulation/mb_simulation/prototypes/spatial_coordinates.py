"""Coordinates of a mechanism in space from where MuJoCo has its bodies, and how they move.

Positions and directions of bodies are sums of the vectors of their frames, and so are nodes; other
coordinates are functions of products of these.  Each is an array (3, ...): value, rate and
acceleration.
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_model.space_api import GROUND
from mb_simulation.prototypes.beam_chain import BentShape, segment_names
from mb_simulation.prototypes.rated_vectors import dotted, lengths

_FRAME = mujoco.mjtObj.mjOBJ_XBODY
_LARGEST = 0.5      # sine of a turn at which an orientation gets a new reference


def angles(cosine: FloatArray, sine: FloatArray) -> FloatArray:
    """Return the angles (3, k) of a cosine and a sine (3, k), between -pi and pi."""
    square = cosine[0] ** 2 + sine[0] ** 2
    rate = (cosine[0] * sine[1] - sine[0] * cosine[1]) / square
    change = cosine[0] * sine[2] - sine[0] * cosine[2]
    growth = 2.0 * (cosine[0] * cosine[1] + sine[0] * sine[1])
    return np.array([np.arctan2(sine[0], cosine[0]), rate, (change - rate * growth) / square])


class SpatialCoordinates:
    """Reads q, qd, qdd of a mechanism in space from MuJoCo's bodies; last: q (n) as last read."""

    def __init__(self, mechanism: Mechanism, model: mujoco.MjModel) -> None:
        """Take a mechanism, and MuJoCo's model of it, at their start."""
        self._mechanism = mechanism
        segments = {name: segment_names(name) for name in mechanism.flexible_bodies}
        self._order = {name: k for k, name in enumerate((
            GROUND, *mechanism.bodies, *(one for names in segments.values() for one in names)))}
        seen = [name for name in self._order if name not in (GROUND, *mechanism.flexible_bodies)]
        self._seen = [self._order[name] for name in seen]
        self._bodies = [model.body(name).id for name in seen]
        self._bent = [(self._order[name], [self._order[one] for one in names],
                       BentShape(mechanism, name)) for name, names in segments.items()]
        self._frames = np.zeros((3, 4 * len(self._order), 3))       # origin, x, y, z of each body
        self._frames[0, 1:4] = np.eye(3)
        self._moving = np.empty((2, len(self._bodies), 6))
        self._gravity = np.asarray(mechanism.gravity)
        self._node_share, self._node_start = self._nodes()
        described = mechanism.described.coordinates
        self._first = mechanism.n - len(described)
        self._kinds = [(kind, np.array([self._first + k for k, one in enumerate(
            described.values()) if one.kind == kind])) for kind in (
            'angle', 'slider', 'distance', 'position', 'orientation')]
        self._shares = {kind: self._vectors([one for one in described.values()
                                             if one.kind == kind]) for kind, _ in self._kinds}
        self._read = {'angle': self._angles, 'slider': self._sliders, 'distance': self._distances,
                      'position': self._positions, 'orientation': self._orientations}
        self.last = mechanism.q0.copy()        # angles count on from there
        self._references = {}                   # body -> axes of its reference orientation (3, 3)
        self._turned = list(dict.fromkeys(one.bodies[0] for one in described.values()
                                          if one.kind == 'orientation'))

    def at(self, model: mujoco.MjModel, data: mujoco.MjData) -> FloatArray:
        """Return q, qd, qdd (n) in a state of MuJoCo's data, with accelerations."""
        self._look(model, data)
        values = np.zeros((3, self._mechanism.n))
        nodes = self._node_share @ self._frames
        nodes[0] += self._node_start
        values[:, :self._first] = nodes.reshape(3, -1)
        for kind, indices in self._kinds:
            if len(indices):
                values[:, indices] = self._read[kind](indices, *(
                    share @ self._frames for share in self._shares[kind]))
        frames = self._frames.reshape(3, -1, 4, 3)
        for k, segments, bent in self._bent:
            bent.write(frames[:, segments], frames[:, k], values)
        self.last = values[0]
        return values.copy()

    def _look(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Write the frames of all bodies, and how they move."""
        mujoco.mj_rnePostConstraint(model, data)
        motion, push = self._moving
        for k, body in enumerate(self._bodies):
            mujoco.mj_objectVelocity(model, data, _FRAME, body, motion[k], 0)
            mujoco.mj_objectAcceleration(model, data, _FRAME, body, push[k], 0)
        frames = np.empty((3, len(self._bodies), 4, 3))
        frames[0, :, 0] = data.xpos[self._bodies]
        frames[0, :, 1:] = np.swapaxes(data.xmat[self._bodies].reshape(-1, 3, 3), 1, 2)
        frames[1, :, 0] = motion[:, 3:]
        # What an accelerometer reads, which MuJoCo gives, lacks gravity.
        frames[2, :, 0] = push[:, 3:] + self._gravity
        turn = motion[:, None, :3]
        frames[1, :, 1:] = np.cross(turn, frames[0, :, 1:])
        frames[2, :, 1:] = (np.cross(push[:, None, :3], frames[0, :, 1:])
                            + np.cross(turn, frames[1, :, 1:]))
        all_frames = self._frames.reshape(3, -1, 4, 3)
        all_frames[:, self._seen] = frames
        for k, segments, bent in self._bent:
            all_frames[:, k] = bent.frame(all_frames[:, segments])

    def _share(self, body: str, kind: float, vector: ArrayLike) -> FloatArray:
        """Return how a position (kind 1) or a direction (0) of a body is a sum of frames (4 b)."""
        share, k = np.zeros(4 * len(self._order)), 4 * self._order[body]
        share[k], share[k + 1:k + 4] = kind, vector
        return share

    def _nodes(self) -> tuple[FloatArray, FloatArray]:
        """Return the shares of frames (nodes, 4 b) in the nodes of q, and what is fixed of them.

        The file's bodies are sums of the nodes; where loops gape, nodes are where they fit best.
        """
        mechanism, model = self._mechanism, self._mechanism.model[0]
        count = (mechanism.n - len(mechanism.described.coordinates)) // 3
        rows, shares, fixed = [], [], []
        for body, frame in zip(mechanism.bodies.values(), model['solid_frame'], strict=False):
            axes = [body.line] if body.slender else np.eye(3)
            for number, vector in enumerate(frame[:1 + len(axes)]):
                terms = slice(*model['vector_terms'][vector:vector + 2])
                row, known = np.zeros(count), np.zeros(3)
                for node, weight in zip(model['term_node'][terms], model['term_weight'][terms],
                                        strict=True):
                    if node < mechanism.n:
                        row[node // 3] += weight
                    else:
                        known += weight * model['fixed'][node:node + 3]
                rows.append(row)
                fixed.append(known)
                shares.append(self._share(body.name, *((1.0, np.zeros(3)) if number == 0
                                                       else (0.0, axes[number - 1]))))
        inverse = np.linalg.pinv(np.array(rows))
        return inverse @ np.array(shares), -inverse @ np.array(fixed)

    def _vectors(self, coordinates: Sequence[Any]) -> FloatArray | tuple[()]:
        """Return the shares of vectors that coordinates of one kind consist of, see their readers.
        """
        vectors = []
        for one in coordinates:
            if one.joint:
                joint = self._mechanism.joints[one.joint]
                bodies, positions, frames = joint.bodies, joint.offsets, joint.frames
            if one.kind == 'angle':
                mine, other = one.part, 1 - one.part
                vectors.append([self._share(bodies[mine], 0.0, frames[mine][:, 0]),
                              self._share(bodies[mine], 0.0, frames[mine][:, 1]),
                              self._share(bodies[other], 0.0, frames[other][
                                  :, 2 if joint.crosses else 0])])
            elif one.kind == 'slider':
                vectors.append([self._share(bodies[1], 1.0, positions[1])
                              - self._share(bodies[0], 1.0, positions[0]),
                              self._share(bodies[0], 0.0, frames[0][:, 2])])
            elif one.kind == 'distance':
                first, second = (self._share(body, 1.0, position)
                                 for body, position in zip(one.bodies, one.offsets, strict=True))
                vectors.append([second - first])
            elif one.kind == 'position':
                vectors.append([self._share(one.bodies[0], 1.0, one.offsets[0])])
        return np.moveaxis(np.array(vectors), 0, 1) if vectors else ()

    def _angles(self, indices: IntArray, x: FloatArray, y: FloatArray,
                turned: FloatArray) -> FloatArray:
        values = angles(dotted(x, turned), dotted(y, turned))
        whole = 2.0 * np.pi
        values[0] += whole * np.round((self.last[indices] - values[0]) / whole)
        return values

    @staticmethod
    def _sliders(indices: IntArray, between: FloatArray, axis: FloatArray) -> FloatArray:
        return dotted(between, axis)

    @staticmethod
    def _distances(indices: IntArray, between: FloatArray) -> FloatArray:
        return lengths(between)

    def _positions(self, indices: IntArray, at: FloatArray) -> FloatArray:
        parts = [one.part for one in self._mechanism.described.coordinates.values()
                 if one.kind == 'position']
        return at[:, np.arange(len(parts)), parts]

    def _orientations(self, indices: IntArray) -> FloatArray:
        """Return axes of turns from references, times sines: half of z0 . y - y0 . z and so on."""
        all_sines = []
        for k, body in enumerate(self._turned):
            rows = 4 * self._order[body] + np.arange(1, 4)
            axes = self._frames[:, rows]
            if body not in self._references:        # the file's start says how far it is turned
                self._references[body] = _turned_back(
                    axes[0], self.last[indices[3 * k:3 * k + 3]])
            sines = _sines(self._references[body], axes)
            if sines[0] @ sines[0] > _LARGEST ** 2:
                self._references[body] = axes[0].copy()
                sines = _sines(self._references[body], axes)
            all_sines.append(sines)
        return np.concatenate(all_sines, axis=1)


def _sines(reference: FloatArray, axes: FloatArray) -> FloatArray:
    """Return the axis of a turn times its sine (3, 3), by axes as rows."""
    x, y, z = reference
    return 0.5 * np.stack([axes[:, 1] @ z - axes[:, 2] @ y, axes[:, 2] @ x - axes[:, 0] @ z,
                           axes[:, 0] @ y - axes[:, 1] @ x], axis=1)


def _turned_back(axes: FloatArray, sines: FloatArray) -> FloatArray:
    """Return the axes (3, 3) from which a turn by an axis times its sine leads to axes, rows."""
    cross = np.cross(np.eye(3), sines)              # cross @ a is sines x a
    cosine = np.sqrt(1.0 - sines @ sines)
    return (np.eye(3) + cross + cross @ cross / (1.0 + cosine)) @ axes
