"""Results of the contact detector."""

from typing import NamedTuple

import numpy as np

from mb_model.arrays import IntArray


class Force(NamedTuple):
    """The force from outside on each degree of freedom (g) [N or N m], by one method.

    covariance (g, g), or (0, 0) if the state has none; threshold (g): beyond it the force counts as
    a contact; exceeds: whether it does.
    """

    method: str
    force: np.ndarray
    covariance: np.ndarray
    threshold: np.ndarray
    exceeds: bool


class Contact(NamedTuple):
    """Whether something touches, as judged at one state.

    since: stamp of the state at which it was detected [ns], 0 without a contact; method: that
    detected it, '' without; forces: a Force of each method with an estimate at this state, by
    METHODS; reason: why not all methods have one, in words.
    """

    detected: bool
    since: int
    method: str
    forces: tuple[Force, ...]
    reason: str


class ContactTrack(NamedTuple):
    """Contacts at many states (k), with the fields of Contact.

    force {method: (k, g)} and covariance {method: (k, g, g)} of the methods that run, NaN where
    a state gave none.
    """

    stamps: np.ndarray
    detected: np.ndarray
    since: np.ndarray
    method: list[str]
    force: dict[str, np.ndarray]
    covariance: dict[str, np.ndarray]
    reason: list[str]

    @property
    def beginnings(self) -> IntArray:
        """Rows at which a contact was detected."""
        before = np.concatenate([[0], self.since[:-1]])
        return np.flatnonzero(self.detected & (self.since != before))
