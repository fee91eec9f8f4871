"""Where the variables of an instant are in the vector of its node."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DependentNode:
    """Node of the graphs in dependent coordinates: q, qd, qdd, and forces if they are variables.

    Places of each; -1: none.  size: of the vector.
    """

    q: int
    qd: int
    qdd: int
    forces: int
    size: int

    @classmethod
    def of(cls, mechanism, forces=False):
        """Return the node of a mechanism."""
        n, g = mechanism.n, mechanism.g
        return cls(0, n, 2 * n, 3 * n if forces else -1, 3 * n + (g if forces else 0))


@dataclass(frozen=True)
class IndependentNode:
    """Node of the graphs in independent coordinates: z, zd, zdd and with them q, qd, qdd."""

    z: int
    zd: int
    zdd: int
    q: int
    qd: int
    qdd: int
    size: int

    @classmethod
    def of(cls, mechanism):
        """Return the node of a mechanism."""
        n, g = mechanism.n, mechanism.g
        return cls(0, g, 2 * g, 3 * g, 3 * g + n, 3 * g + 2 * n, 3 * (g + n))


@dataclass(frozen=True)
class MotionNode:
    """Node of the graphs that estimate: z, zd, unknown forces on z, biases of sensors.

    Accelerations follow from the dynamics.
    """

    z: int
    zd: int
    forces: int
    biases: int
    size: int

    @classmethod
    def of(cls, mechanism, biases, forces=True):
        """Return the node of a mechanism and a number of biases."""
        g = mechanism.g
        motion = (3 if forces else 2) * g
        return cls(0, g, 2 * g if forces else -1, motion, motion + biases)
