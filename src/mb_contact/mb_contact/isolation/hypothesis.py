"""Results of the isolation of a contact: hypotheses, and the bodies that they name."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

DECIDED = 0.7       # probability from which on one hypothesis is named alone


class Touch(NamedTuple):
    """A force on a body at a point, as means over all places that explain the force from outside.

    body: name in the mechanism file; point (d) [m] and force (d) [N] in the frame of the mechanism,
    with their covariances (d, d); d: its dimension, 2 or 3.
    """

    body: str
    point: np.ndarray
    force: np.ndarray
    point_covariance: np.ndarray
    force_covariance: np.ndarray


class Hypothesis(NamedTuple):
    """One explanation of a force from outside.

    bodies: the touched one, or the two that clamp something; probability: among all
    hypotheses; touches: one for each of the bodies.
    """

    bodies: tuple[str, ...]
    probability: float
    touches: tuple[Touch, ...]

    @property
    def name(self) -> str:
        """The bodies' names, joined by a comma."""
        return ', '.join(self.bodies)


def likeliest(hypotheses: Iterable[tuple[str, float]], probability: float = DECIDED) -> list[str]:
    """Return the fewest hypotheses that together have a probability.

    hypotheses: (what, probability) of each, the likeliest first; more than one of them: ambiguous.
    All of them if they do not reach it.
    """
    named, total = [], 0.0
    for what, share in hypotheses:
        named.append(what)
        total += share
        if total >= probability:
            break
    return named
