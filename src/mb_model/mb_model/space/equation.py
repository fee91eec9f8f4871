"""Equations of mechanisms in space: what a kind of them consists of, and one of a mechanism."""

from collections.abc import Sequence
from dataclasses import dataclass

from mb_model.arrays import FloatArray, Kernel
from mb_model.jit import kernel

VECTORS = 4          # that one equation may have
SCALARS = 2          # added coordinates that one equation may have
VALUES = 6           # numbers that one equation may have
NONE = -1            # in place of the index of a vector or a scalar that there is not


@kernel
def _no_third(model, k, q, v, w, out):
    """Add nothing: equations of second degree."""


@kernel
def _no_trilinear(model, k, q, u, v, w):
    """Return 0: equations of second degree."""
    return 0.0


@kernel
def _no_change(model, weights, k, v, w):
    """Return 0: vectors are directions, which do not change."""
    return 0.0


@kernel
def _no_coordinate(model, k, q, old):
    """Return the value of the coordinate as it is: the equation defines none."""
    return old


def _by_slope(phi: FloatArray, value: Sequence[float], slope: float) -> tuple[FloatArray, float]:
    """Return the violation of its equations in metres and the size of the derivatives of phi."""
    return phi / slope, slope


@dataclass(frozen=True, eq=False)
class SpatialEquationKind:
    """A kind of equations, of one row each: its name and its kernels.

    Kernels take the model and the number k of an equation there: space_vector[k] are its vectors
    (VECTORS), space_scalar[k] its added coordinates (SCALARS), space_value[k] its numbers (VALUES),
    space_row[k] its row.  q, v, w have n_total entries.  Rows of matrices are zero before.
    """

    name: str
    evaluate: Kernel                         # (model, k, q, phi, phi_q, row): write that row
    second: Kernel                           # (model, k, q, v, weight, out, row): add it times v
    curvature: Kernel                        # (model, k, q, weight, out): add weight phi_qq
    bilinear: Kernel                         # (model, k, q, v, w): return v^T phi_qq w
    third: Kernel = _no_third                # (model, k, q, v, w, out): (phi_qq v)_q w, symmetric
    trilinear: Kernel = _no_trilinear        # (model, k, q, u, v, w): third derivative along them
    # (model, weights, k, v, w): its change with changes of the weights of terms; equations with
    # such vectors are of second degree in them, so that of phi is half of it along q and q
    bilinear_change: Kernel = _no_change
    coordinate: Kernel = _no_coordinate       # (model, k, q, old): the coordinate that it defines
    in_metres = staticmethod(_by_slope)      # (phi (1), value, slope): not compiled


@dataclass(frozen=True)
class SpatialEquation:
    """One equation of a mechanism in space: kind, vectors, added coordinates, numbers, meaning."""

    kind: str                                # name of a SpatialEquationKind
    vectors: tuple[int, ...]
    scalars: tuple[int, ...]
    value: tuple[float, ...]
    slope: float                             # size of its derivatives
    meaning: str
    rows: int = 1

    @property
    def needed(self) -> bool:
        """Whether others are left out as redundant first: all but equations of joints."""
        return not self.meaning.startswith('joints.')
