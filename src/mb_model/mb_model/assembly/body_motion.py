"""Where the bodies of a mechanism in space are, and how they move."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.mechanism_file.description import MechanismError
from mb_model.space.body import GROUND
from mb_model.space.rotation import shortest


@dataclass(frozen=True)
class BodyMotion:
    """The motion of a body's frame in global axes.

    Of a slender body, rotation is one of those that its line allows, and the angular velocity has
    no part along the line.
    """

    position: FloatArray                 # of the frame's origin (3) [m]
    rotation: FloatArray                 # matrix from the frame to global axes (3, 3)
    velocity: FloatArray                 # (3) [m/s]
    angular_velocity: FloatArray         # (3) [rad/s]
    acceleration: FloatArray             # (3) [m/s^2]
    angular_acceleration: FloatArray     # (3) [rad/s^2]

    def place(self, at: ArrayLike) -> FloatArray:
        """Return where a place of the frame (3) is."""
        return self.position + self.rotation @ np.asarray(at)

    def acceleration_of(self, at: ArrayLike) -> FloatArray:
        """Return the acceleration of a place of the frame (3)."""
        arm, turn = self.rotation @ np.asarray(at), self.angular_velocity
        return (self.acceleration + np.cross(self.angular_acceleration, arm)
                + np.cross(turn, np.cross(turn, arm)))


AT_REST = BodyMotion(np.zeros(3), np.eye(3), *np.zeros((4, 3)))


def body_motion(mechanism, body: str, q: ArrayLike, qd: ArrayLike | None = None,
                qdd: ArrayLike | None = None) -> BodyMotion:
    """Return the BodyMotion of a body at q, qd, qdd (n), at rest without them.

    Raises MechanismError for a planar mechanism or an unknown body.
    """
    if mechanism.dimension != 3:
        raise MechanismError(f'{mechanism.name}: body_motion is for mechanisms in space')
    if body == GROUND:
        return AT_REST
    if body not in mechanism.bodies:
        raise MechanismError(f'{mechanism.name}: {body!r}: unknown body, expected one of '
                             f'{", ".join(mechanism.bodies)}')
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


def _whole(mechanism, values, fixed):
    """Return an array over n_total of values (n), None: zeros, with the fixed nodes or zeros."""
    model, n = mechanism.model[0], mechanism.n
    whole = np.zeros(int(model['n_total']))
    if fixed:
        whole[n:] = model['fixed'][n:len(whole)]
    if values is not None:
        whole[:n] = values
    return whole


def _frame(model, frame, values):
    """Return (origin (3), axes as columns (3, 3), or (3, 1) of a slender body) at values."""
    vectors = [_vector(model, k, values) for k in frame if k >= 0]
    return vectors[0], np.column_stack(vectors[1:])


def _vector(model, k, values):
    """Return a vector (3), as space.vectors.vector."""
    terms = slice(model['vector_terms'][k], model['vector_terms'][k + 1])
    nodes = model['term_node'][terms, None] + np.arange(3)
    return model['term_weight'][terms] @ values[nodes]
