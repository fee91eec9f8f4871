"""How far a mechanism is from closing, and where it comes nearest to it: for error messages."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, IntArray, RecordArray
from mb_model.constraints.equation import Equation, EquationKind
from mb_model.kernels import entry_points
from mb_model.registry import constraints, spatial
from mb_model.space.equation import SpatialEquation, SpatialEquationKind

ITERATIONS = 200          # the most, by default
_LEAST_DAMPING = 1e-13    # of the largest number in the matrix: keeps it regular
_TINY = 1e-300


def closing_error(model: RecordArray, work: RecordArray,
                  equations: Sequence[Equation | SpatialEquation]) -> tuple[float, str]:
    """Return (distance, meaning): the largest violation at work.q [m], and of which constraint."""
    open_, _ = violations(model, work, equations)
    worst = int(np.argmax(np.abs(open_)))
    owners = [equation for equation in equations for _ in range(equation.rows)]
    return float(abs(open_[worst])), owners[worst].meaning


def nearest_to_closing(model: RecordArray, work: RecordArray,
                       equations: Sequence[Equation | SpatialEquation], free: IntArray,
                       iterations: int = ITERATIONS) -> tuple[float, str]:
    """Move the coordinates `free` of work.q to the least violation; return closing_error there.

    Levenberg-Marquardt on the violations in metres; lengths too absurd for it give no finite one.
    """
    with np.errstate(over='ignore', invalid='ignore'):
        _minimise(model, work, equations, free, iterations)
        return closing_error(model, work, equations)


def _minimise(model: RecordArray, work: RecordArray,
              equations: Sequence[Equation | SpatialEquation], free: IntArray, iterations: int
              ) -> None:
    """Move the coordinates `free` of work.q to the least sum of squared violations."""
    damping = 1e-3
    open_, jacobian = violations(model, work, equations)
    for _ in range(iterations):
        columns = jacobian[:, free]
        before = work['q'][0, free].copy()
        normal = columns.T @ columns
        step = -_solve(normal, damping, columns.T @ open_)
        work['q'][0, free] = before + step
        tried, tried_jacobian = violations(model, work, equations)
        if tried @ tried < open_ @ open_:
            open_, jacobian = tried, tried_jacobian
            damping = max(0.2 * damping, _LEAST_DAMPING)
        else:
            work['q'][0, free], damping = before, damping * 4.0
        if (np.abs(step) < 1e-12 * model['scale'][0, free]).all() or damping > 1e12:
            break


def _solve(normal: Any, damping: float, right: FloatArray) -> FloatArray:
    """Return x of (normal + damping I) x = right; damping as a share of the largest number."""
    damping, size = damping * max(abs(normal).max(), _TINY), len(right)
    if isinstance(normal, np.ndarray):
        return np.linalg.solve(normal + damping * np.eye(size), right)
    # Imported here, as below: scipy takes a tenth of a second, and few mechanisms are sparse.
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import spsolve
    return spsolve((normal + damping * eye_array(size)).tocsc(), right)


def scaled_jacobian(model: RecordArray, work: RecordArray,
                    equations: Sequence[Equation | SpatialEquation]) -> FloatArray:
    """Return the constraints' Jacobian (m, n) at work.q in sizes of the mechanism and radians."""
    _, jacobian = violations(model, work, equations)
    if not isinstance(jacobian, np.ndarray):
        jacobian = jacobian.toarray()
    return jacobian * model['scale'][0, :int(model['n'][0])]


def violations(model: RecordArray, work: RecordArray,
               equations: Sequence[Equation | SpatialEquation]) -> tuple[FloatArray, Any]:
    """Return constraints in metres (m) and their Jacobian (m, n): lengths, not their squares."""
    phi, phi_q = constraint_jacobian(model, work)
    slopes, row = np.empty(len(phi)), 0
    for equation in equations:
        rows = slice(row, row + equation.rows)
        phi[rows], slopes[rows] = _kind_of(equation.kind).in_metres(
            phi[rows], equation.value, equation.slope)
        row += equation.rows
    if isinstance(phi_q, np.ndarray):
        return phi, phi_q / slopes[:, None]
    from scipy.sparse import diags_array
    return phi, diags_array(1.0 / slopes).tocsr() @ phi_q


def constraint_jacobian(model: RecordArray, work: RecordArray) -> tuple[FloatArray, Any]:
    """Return phi (m) and phi_q (m, n) at work.q; phi_q is a csr_array if the storage is sparse."""
    entry_points.evaluate_constraints(model, work)
    n, m = int(model['n'][0]), int(model['m'][0])
    phi, phi_q = work['phi'][0, :m].copy(), work['phi_q'][0, :m]
    if 'row_coordinate' not in model.dtype.names:
        return phi, phi_q[:, :n].copy()
    from scipy.sparse import csr_array
    width = model['row_width'][0, :m]
    used = np.arange(phi_q.shape[1]) < width[:, None]
    columns = model['row_coordinate'][0, :m][used]
    return phi, csr_array((phi_q[used], columns, np.r_[0, np.cumsum(width)]), (m, n))


def _kind_of(name: str) -> EquationKind | SpatialEquationKind:
    """Return the kind of equations, in the plane or in space, of a name."""
    return constraints.EQUATIONS[name] if name in constraints.EQUATIONS else spatial.EQUATIONS[name]
