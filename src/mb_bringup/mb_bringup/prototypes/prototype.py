"""What a prototype is: the machine that the readings come from, with its whole true state known."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class State:
    """The whole state at one instant: independent coordinates (g), dependent ones (n)."""

    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


class Prototype(Protocol):
    """A simulated machine that moves in equal intervals from its start."""

    @property
    def state(self) -> State:
        """The state at the end of the last interval."""

    @property
    def loop_residual(self) -> float:
        """How far the loops are open now [m]."""

    def advance(self):
        """Move on by one interval."""
