"""Moments of filters side by side: means of orientations, and covariances in one tangent space."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from mb_estimators.filter import DivergenceError
from mb_estimators.filters.orientations import Orientations, counted_from, turns_at
from mb_estimators.kernels.start import move_to_mean
from mb_model import FreeOrientations, Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import rotation, rotation_vector

_MOST = 100              # iterations of a mean orientation; where they are close, 3 are enough
_CONVERGED = 1e-12       # rad


class Moments(NamedTuple):
    """Mean and covariance of a mixture.

    x: z, zd and biases (l), where z of an orientation is 0 and zd its angular velocity in the
    body's frame; turns (b, 3, 3): these orientations; covariance (l, l), as filters have it whose
    references are at the mean.
    """

    x: FloatArray
    turns: FloatArray
    covariance: FloatArray


class Component(Protocol):
    """One filter of a mixture: Moments of its own, references at its bodies."""

    @property
    def vector(self) -> FloatArray:
        """Its z, zd and biases (l)."""

    @property
    def state_covariance(self) -> FloatArray:
        """Their covariance (l, l)."""

    def turns(self) -> FloatArray:
        """Return the rotation matrices (b, 3, 3) of its free orientations."""


class Mixture:
    """The mean of filters of a mechanism, and their covariance around it.

    An orientation's mean is the one from which the weighted rotation vectors add up to zero
    (Karcher's mean), which is iterated.  Errors of a filter, as its bodies see them, are carried
    over to the frames of the mean: rotation vectors by the inverse of the right Jacobian of SO(3),
    angular velocities, each in its own body's frame, as they are.  Then what the means differ by is
    added.  Source: Sola, Deray and Atchuthan 2018, "A micro Lie theory for state estimation in
    robotics", Sec. II and Eq. (144).
    """

    def __init__(self, mechanism: Mechanism, orientations: Orientations) -> None:
        """Set up; orientations: of the mechanism."""
        self._free, self._orientations = FreeOrientations(mechanism), orientations
        self.indices, self._g = self._free.indices, mechanism.g

    def of(self, chances: FloatArray, filters: Sequence[Component]) -> Moments:
        """Return the Moments of filters that are that likely.  Raises DivergenceError."""
        points = np.array([one.vector for one in filters])
        covariances = np.array([one.state_covariance for one in filters])
        centre = np.empty((0, 3, 3))
        if len(self.indices):
            centre, apart = mean_turns(chances, np.array([one.turns() for one in filters]))
            for k, point in enumerate(points):
                carried = self._seen(point)
                for chart, vector in zip(self.indices, apart[k], strict=True):
                    carried[chart] = inverse_right_jacobian(vector) @ carried[chart]
                covariances[k] = carried @ covariances[k] @ carried.T
                point[self.indices] = apart[k]
        mean, covariance = moments(chances, points, covariances)
        if len(self.indices):
            mean[self.indices] = 0.0
            back = np.linalg.inv(self._seen(mean))
            covariance = back @ covariance @ back.T
        return Moments(mean, centre, 0.5 * (covariance + covariance.T))

    def turns_at(self, q: FloatArray) -> FloatArray:
        """Return the rotation matrices (b, 3, 3) of the bodies at q (n)."""
        return turns_at(self._free, q)

    def _seen(self, x: FloatArray):
        """Return the matrix (l, l) from errors at references to errors as bodies see them."""
        g, matrix = self._g, np.eye(len(x))
        matrix[:2 * g, :2 * g] = self._orientations.to_bodies(2 * g, x[g:2 * g], np.zeros(g))
        return matrix

    def counted(self, mean: Moments, turns: FloatArray) -> FloatArray:
        """Return z, zd and biases (l) of a mean, counted from orientations (b, 3, 3).

        Raises DivergenceError where it is a quarter turn away from one.
        """
        x = counted_from(mean.x, self._g, self.indices, mean.turns, turns)
        if x is None:
            raise DivergenceError('a hypothesis is a quarter turn from the mean of all')
        return x


class AtMean:
    """Of a ModelFilter of z, zd and biases that can be put at a mean."""

    mechanism: Mechanism
    _models: Any
    _works: Any
    _filters: Any
    _orientations: Orientations
    _turns: bool
    _follow: Any

    @cached_property
    def mixture(self) -> Mixture:
        """What makes means of filters of this mechanism."""
        return Mixture(self.mechanism, self._orientations)

    def turns(self) -> FloatArray:
        """Return the rotation matrices (b, 3, 3) of its free orientations."""
        return self.mixture.turns_at(self._works['q'][0, :self.mechanism.n])

    def move_to(self, mean: Moments) -> bool:
        """Go on from a mean and its covariance; return whether that is possible.

        Raises DivergenceError where that is a quarter turn away.
        """
        x = mean.x
        if len(mean.turns):
            x = self.mixture.counted(mean, self.turns())
        if not move_to_mean(self._models, self._works, self._filters, x):
            return False
        if self._turns:
            self._follow()
        self._filters['P'][0, :len(x), :len(x)] = mean.covariance
        return True


def mean_turns(chances: FloatArray, turns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean (b, 3, 3) of orientations (h, b, 3, 3), and the vectors (h, b, 3) to them.

    Raises DivergenceError where they are too far apart to have one.
    """
    centre = turns[int(np.argmax(chances))]
    for _ in range(_MOST):
        apart = np.array([[rotation_vector(here.T @ there)
                           for here, there in zip(centre, each, strict=True)] for each in turns])
        step = np.tensordot(chances, apart, 1)
        if np.abs(step).max() < _CONVERGED:
            return centre, apart
        centre = np.array([here @ rotation(turn) for here, turn in zip(centre, step, strict=True)])
    raise DivergenceError('orientations of hypotheses are too far apart to have a mean')


def inverse_right_jacobian(vector: FloatArray) -> FloatArray:
    """Return J (3, 3) by which the rotation vector v of exp(v) exp(e) changes with e, at e = 0.

    Source: Sola, Deray and Atchuthan 2018, Eq. (144).
    """
    angle = float(np.linalg.norm(vector))
    cross = np.cross(np.eye(3), vector)                     # cross @ a is v x a
    share = 1.0 / 12.0
    if angle > 1e-4:
        share = (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / angle ** 2
    return np.eye(3) + 0.5 * cross + share * cross @ cross


def moments(chances: FloatArray, means: FloatArray,
            covariances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean (l) and covariance (l, l) of a mixture of Gaussians, which differ in means."""
    mean = chances @ means
    apart = means - mean
    total = np.einsum('h,hij->ij', chances, covariances + apart[:, :, None] * apart[:, None, :])
    return mean, 0.5 * (total + total.T)
