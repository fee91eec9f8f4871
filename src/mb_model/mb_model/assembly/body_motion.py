"""Where points, bodies and cross sections of a mechanism are, and how bodies in space move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, IntArray
from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.assembly.requirements import require_plane
from mb_model.mechanism_file.description import MechanismError
from mb_model.space.body import GROUND
from mb_model.space.rotation import shortest


@dataclass(frozen=True)
class BodyMotion:
    """The motion of a body's frame in global axes.

    Of a slender body, rotation is one that its line allows, and the angular velocity has
    no part along the line.
    """

    position: FloatArray                 # of the frame's origin (3) [m]
    rotation: FloatArray                 # matrix from the frame to global axes (3, 3)
    velocity: FloatArray                 # (3) [m/s]
    angular_velocity: FloatArray         # (3) [rad/s]
    acceleration: FloatArray             # (3) [m/s^2]
    angular_acceleration: FloatArray     # (3) [rad/s^2]

    def position_of(self, at: ArrayLike) -> FloatArray:
        """Return the position of a point (3) at an offset in the frame (3)."""
        return self.position + self.rotation @ np.asarray(at)

    def velocity_of(self, at: ArrayLike) -> FloatArray:
        """Return the velocity of a point at an offset in the frame (3)."""
        return self.velocity + np.cross(self.angular_velocity, self.rotation @ np.asarray(at))

    def acceleration_of(self, at: ArrayLike) -> FloatArray:
        """Return the acceleration of a point at an offset in the frame (3)."""
        arm, turn = self.rotation @ np.asarray(at), self.angular_velocity
        return (self.acceleration + np.cross(self.angular_acceleration, arm)
                + np.cross(turn, np.cross(turn, arm)))


AT_REST = BodyMotion(np.zeros(3), np.eye(3), *np.zeros((4, 3)))


def body_motion(mechanism: Any, body: str, q: ArrayLike, qd: ArrayLike | None = None,
                qdd: ArrayLike | None = None) -> BodyMotion:
    """Return the BodyMotion of a body at q, qd, qdd (n), at rest without them.

    In the plane z is across it.  Raises MechanismError for an unknown body.
    """
    if body == GROUND:
        return AT_REST
    if body not in mechanism.bodies:
        raise MechanismError(f'{mechanism.name}: {body!r}: unknown body, expected one of '
                             f'{", ".join(mechanism.bodies)}')
    if mechanism.dimension == 2:
        return _planar_motion(mechanism, body, q, qd, qdd)
    model = mechanism.model[0]
    frame = model['solid_frame'][list(mechanism.bodies).index(body)]
    (at, axes), (speed, rates), (push, rises) = (
        _frame(model, frame, _whole(mechanism, values, fixed))
        for values, fixed in ((q, True), (qd, False), (qdd, False)))
    turn, growth = (np.cross(axes, change, axis=0).sum(axis=1) / (2.0 if axes.shape[1] == 3 else 1)
                    for change in (rates, rises))
    if axes.shape[1] == 1:
        axes = shortest(mechanism.bodies[body].line, axes[:, 0])
    return BodyMotion(at, axes, speed, turn, push, growth)


def _planar_motion(mechanism: Any, body: str, q: ArrayLike, qd: ArrayLike | None,
                   qdd: ArrayLike | None) -> BodyMotion:
    """Return the BodyMotion of a body in the plane."""
    first, second = mechanism.body_indices(body)
    origins, lines = np.zeros((2, 3, 3))    # of its origin, and from it to its second point
    for k, values in enumerate((q, qd, qdd)):
        whole = _whole(mechanism, values, fixed=k == 0)
        origins[k, :2] = whole[first:first + 2]
        lines[k, :2] = whole[second:second + 2] - whole[first:first + 2]
    x, y, _ = lines[0] / np.linalg.norm(lines[0])
    rate, growth = np.cross(lines[0], lines[1:]) / (lines[0] @ lines[0])
    return BodyMotion(origins[0], np.array([[x, -y, 0.0], [y, x, 0.0], [0.0, 0.0, 1.0]]),
                      origins[1], rate, origins[2], growth)


def body_frame(mechanism: Any, body: str) -> tuple[int, ...]:
    """Return the vectors of a body's frame; raises MechanismError for a slender body."""
    frame = mechanism.model['solid_frame'][0, list(mechanism.bodies).index(body)]
    if frame[-1] < 0:
        raise MechanismError(f'{mechanism.name}: {body} is slender: what acts on it would turn it '
                             'about its line')
    return tuple(int(vector) for vector in frame)


def frame_weights(mechanism: Any, body: str) -> tuple[FloatArray, FloatArray]:
    """Return W (9, n) and w (9): the axes x, y, z of a body's frame, in a row, are W q + w.

    Raises MechanismError for a slender body.
    """
    model, n = mechanism.model[0], mechanism.n
    axes = body_frame(mechanism, body)[1:]
    weights = np.zeros((3, 3, n // 3 + 1, 3))
    for k, axis in enumerate(axes):
        weights[k] = np.eye(3)[:, None] * _weights(model, axis)[:n // 3 + 1, None]
    fixed = [_vector(model, k, _whole(mechanism, None, True)) for k in axes]
    return weights.reshape(9, -1)[:, :n], np.concatenate(fixed)


def frame_equations(mechanism: Any) -> tuple[FloatArray, FloatArray]:
    """Return W (k, nodes) and w (k, 3): origin and axes of all bodies' frames are W nodes + w.

    nodes (nodes, 3): the moving ones, as q begins with them; of a slender body: origin and line.
    """
    model = mechanism.model[0]
    vectors = [k for frame in model['solid_frame'][:len(mechanism.bodies)] for k in frame if k >= 0]
    fixed, added = _whole(mechanism, None, True), mechanism.described.coordinates
    nodes = sum(name not in added for name in mechanism.coordinates) // 3
    return (np.array([_weights(model, k)[:nodes] for k in vectors]),
            np.array([_vector(model, k, fixed) for k in vectors]))


def point_jacobian(mechanism: Any, q: ArrayLike, body: str,
                   offset: Sequence[float]) -> FloatArray:
    """Return J (6, n): velocity (3) and angular velocity (3) of a body's point are J qd."""
    frame, model, n = body_frame(mechanism, body), mechanism.model[0], mechanism.n
    weights = [_weights(model, k) for k in frame]
    _, axes = _frame(model, frame, _whole(mechanism, q, True))
    jacobian = np.zeros((6, len(weights[0]), 3))
    for factor, weight in zip((1.0, *offset), weights, strict=True):
        jacobian[:3] += factor * weight[:, None] * np.eye(3)[:, None]
    for axis, weight in zip(axes.T, weights[1:], strict=True):
        turn = np.cross(axis, np.eye(3)).T          # turn @ rate is axis x rate
        jacobian[3:] += 0.5 * weight[:, None] * turn[:, None]
    return jacobian.reshape(6, -1)[:, :n]


def _weights(model: Any, k: int) -> FloatArray:
    """Return the weight of each node in vector k, by its index over 3 in arrays.

    Fixed nodes, which do not move, are left out.
    """
    weights = np.zeros(int(model['n']) // 3 + 1)
    terms = slice(model['vector_terms'][k], model['vector_terms'][k + 1])
    for node, weight in zip(model['term_node'][terms], model['term_weight'][terms], strict=True):
        if node < model['n']:
            weights[node // 3] += weight
    return weights


def body_poses(mechanism: Any, q: ArrayLike) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return body -> (origins (k, 3) [m], rotation matrices (k, 3, 3)) at q (k, n).

    In space the ground's too; in the plane z is across it.  A slender body is turned about its line
    by any angle.
    """
    if mechanism.dimension == 2:
        return _planar_poses(mechanism, q)
    q, model, n = np.atleast_2d(q), mechanism.model[0], mechanism.n
    whole = np.tile(_whole(mechanism, None, True), (len(q), 1))
    whole[:, :n] = q
    poses = {GROUND: (np.zeros((len(q), 3)), np.tile(np.eye(3), (len(q), 1, 1)))}
    for (name, body), frame in zip(mechanism.bodies.items(), model['solid_frame'], strict=False):
        origin, *axes = (_vector(model, k, whole) for k in frame if k >= 0)
        poses[name] = origin, (np.stack(axes, axis=2) if len(axes) == 3 else np.array(
            [shortest(body.line, along) for along in axes[0]]))
    return poses


def point_positions(mechanism: CompiledMechanism, q: ArrayLike) -> FloatArray:
    """Return the positions (k, p, 2) [m] of the points, in the order of the file, at q (k, n).

    Raises MechanismError for a mechanism in space: there, bodies have points.
    """
    require_plane(mechanism, 'positions of points')
    q = np.atleast_2d(q)
    positions = np.empty((len(q), len(mechanism.points), 2))
    column = 0      # the moving points come first in q
    for k, point in enumerate(mechanism.points.values()):
        positions[:, k] = point.position if point.fixed else q[:, column:column + 2]
        column += 0 if point.fixed else 2
    return positions


def _planar_poses(mechanism: CompiledMechanism,
                  q: ArrayLike) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return body -> (origins (k, 3) [m], rotation matrices (k, 3, 3)) at q (k, n), in z = 0."""
    positions = dict(zip(mechanism.points, np.moveaxis(point_positions(mechanism, q), 1, 0),
                         strict=True))
    poses = {}
    for name, body in mechanism.described.bodies.items():
        first, second = list(body.points)[:2]
        cosine, sine = ((positions[second] - positions[first]) / body.length).T
        origin, turn = np.zeros((len(cosine), 3)), np.zeros((len(cosine), 3, 3))
        origin[:, :2] = positions[first]
        turn[:, 0, 0], turn[:, 0, 1] = cosine, -sine
        turn[:, 1, 0], turn[:, 1, 1], turn[:, 2, 2] = sine, cosine, 1.0
        poses[name] = origin, turn
    return poses


def section_poses(mechanism: Any, body: str, x: Sequence[float] | FloatArray, q: ArrayLike
                  ) -> tuple[FloatArray, FloatArray]:
    """Return positions (k, p, 3) [m] and rotations (k, p, 3, 3) of sections of a body at q (k, n).

    Without k at q (n).  x: where sections are along the undeformed beam [m].  They are across the
    bent axis, in space turned about it by the twist, see space.joints.beam_sections; in the plane z
    is across it, and positions are in z = 0.
    """
    states, described = np.atleast_2d(q), mechanism.bodies[body]
    modes = states[:, mechanism.indices(described.modes)].T
    poses = body_poses(mechanism, states)
    origin, axes = poses[body]
    if mechanism.dimension == 2:
        shape, chord = described.beam, axes[:, :, 0]
        normal = axes[:, :, 1] / np.linalg.norm(axes[:, :, 1], axis=1, keepdims=True)
        bent, twisted = np.stack([value[:, None] * normal for value in modes], axis=1), 0.0
    else:
        shape, springs = described.beam.shape, described.beam.springs
        chord = (poses[list(described.sections)[1]][0] - origin) / shape.length
        bent = np.zeros((len(states), shape.modes, 3))
        for spring, value in zip(springs, modes, strict=True):
            if spring.axis:
                bent[:, spring.number] += value[:, None] * axes[:, :, 'xyz'.index(spring.axis)]
        twist = modes[[not spring.axis for spring in springs]].T
        twisted = (twist @ np.array([described.beam.torsion.twist(at) for at in x]).T)[
            :, :, None] if twist.size else 0.0
    deflection, slope = (np.array([of(at) for at in x])[:, :, None] for of in (
        shape.deflection, shape.slope))
    along = chord[:, None] + (slope * bent[:, None]).sum(axis=2)
    third = np.cross(along, axes[:, None, :, 1] + twisted * axes[:, None, :, 2])
    turns = np.stack([along, np.cross(third, along), third], axis=3)
    turns /= np.linalg.norm(turns, axis=2, keepdims=True)
    positions = (origin[:, None] + np.asarray(x)[:, None] * chord[:, None]
                 + (deflection * bent[:, None]).sum(axis=2))
    return (positions, turns) if np.ndim(q) > 1 else (positions[0], turns[0])


def _whole(mechanism: Any, values: ArrayLike | None, fixed: bool) -> FloatArray:
    """Return an array over n_total of values (n), None: zeros, with the fixed nodes or zeros."""
    model, n = mechanism.model[0], mechanism.n
    whole = np.zeros(int(model['n_total']))
    if fixed:
        whole[n:] = model['fixed'][n:len(whole)]
    if values is not None:
        whole[:n] = values
    return whole


def _frame(model: Any, frame: Sequence[int] | IntArray, values: FloatArray
           ) -> tuple[FloatArray, FloatArray]:
    """Return (origin (3), axes as columns (3, 3), or (3, 1) of a slender body) at values."""
    vectors = [_vector(model, k, values) for k in frame if k >= 0]
    return vectors[0], np.column_stack(vectors[1:])


def _vector(model: Any, k: int, values: FloatArray) -> FloatArray:
    """Return a vector (3), or (k, 3) for values (k, n_total), as space.vectors.vector."""
    terms = slice(model['vector_terms'][k], model['vector_terms'][k + 1])
    nodes = model['term_node'][terms, None] + np.arange(3)
    return model['term_weight'][terms] @ values[..., nodes]
