"""Elements that make forces in space: what a kind of them consists of, and one of a mechanism."""

from dataclasses import dataclass

from mb_model.arrays import Kernel
from mb_model.jit import kernel

INDEX = 8            # vectors that one element may have
VALUES = 13          # numbers that one element may have


@kernel
def _no_slopes(model, index, values, q, qd, stiffness_share, damping_share, out):
    """Add nothing: neither stiffness nor damping."""


@kernel
def _no_weight_change(model, weights, index, values, q, qd, e):
    """Return e^T dQ for points that change, 0: it acts at none."""
    return 0.0


@kernel
def _no_energy(model, index, values, q):
    """Return the energy stored, 0."""
    return 0.0


@dataclass(frozen=True, eq=False)
class SpatialElementKind:
    """A kind of elements: its name and its kernels, all compiled and of the same arguments.

    index: its vectors, see space.vectors, then indices in q of its states (INDEX); values: its
    numbers (VALUES).
    """

    name: str
    add: Kernel                      # (model, index, values, q, qd, Q): add its forces to Q
    change: Kernel                   # (..., q, qd, dq, dqd, e): return e^T dQ
    value_change: Kernel             # (model, index, values, changes, q, qd, e): e^T dQ for changes
    power: Kernel                    # (model, index, values, q, qd) -> (driving, lost) [W]
    add_slopes: Kernel = _no_slopes  # shares of its stiffness and damping, positive semidefinite
    # (model, weights, index, values, q, qd, e): e^T dQ for changes of the weights of terms
    weight_change: Kernel = _no_weight_change
    energy: Kernel = _no_energy      # (model, index, values, q): of springs [J]


@dataclass(frozen=True)
class SpatialElement:
    """One force of a mechanism in space: kind, vectors, numbers, indices of its states in q."""

    kind: str                        # name of a SpatialElementKind
    index: tuple[int, ...]
    values: tuple[float, ...]
    states: tuple[int, ...] = ()
