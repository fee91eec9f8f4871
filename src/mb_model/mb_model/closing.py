"""How far a mechanism is from closing, and where it comes nearest to it: for error messages."""

import numpy as np
from scipy.sparse import diags_array, eye_array
from scipy.sparse.linalg import spsolve

from mb_model.jacobian import constraint_jacobian
from mb_model.kernels.constraints import CONSTANT_DISTANCE

_ITERATIONS = 200


def closing_error(model, work, equations):
    """Return (distance, meaning): the largest violation at work.q [m], and of which constraint."""
    violations, _ = _violations(model, work, equations)
    worst = int(np.argmax(np.abs(violations)))
    owners = [equation for equation in equations for _ in range(equation.rows)]
    return float(abs(violations[worst])), owners[worst].meaning


def nearest_to_closing(model, work, equations):
    """Move work.q, its degrees of freedom kept, to the least violation; return closing_error there.

    Levenberg-Marquardt on the violations in metres; lengths too absurd for it give no finite one.
    """
    with np.errstate(over='ignore', invalid='ignore'):
        _minimise(model, work, equations)
        return closing_error(model, work, equations)


def _minimise(model, work, equations):
    """Move the dependent coordinates of work.q to the least sum of squared violations."""
    n, g = int(model['n'][0]), int(model['g'][0])
    dependent = model['dependent'][0, :n - g]
    damping = 1e-3
    violations, jacobian = _violations(model, work, equations)
    for _ in range(_ITERATIONS):
        columns = jacobian[:, dependent]
        gradient = columns.T @ violations
        normal = columns.T @ columns
        before = work['q'][0, dependent].copy()
        step = -_solve(normal, damping, gradient)
        work['q'][0, dependent] = before + step
        tried, tried_jacobian = _violations(model, work, equations)
        if tried @ tried < violations @ violations:
            violations, jacobian, damping = tried, tried_jacobian, damping / 5.0
        else:
            work['q'][0, dependent], damping = before, damping * 4.0
        if np.abs(step).max() < 1e-12 * model['scale'][0, 0] or damping > 1e12:
            break


def _solve(normal, damping, right):
    """Return x of (normal + damping I) x = right."""
    size = len(right)
    if isinstance(normal, np.ndarray):
        return np.linalg.solve(normal + damping * np.eye(size), right)
    return spsolve((normal + damping * eye_array(size)).tocsc(), right)


def _violations(model, work, equations):
    """Return constraints in metres (m) and their Jacobian (m, n): lengths, not their squares."""
    phi, phi_q = constraint_jacobian(model, work)
    slopes, row = np.empty(len(phi)), 0
    for equation in equations:
        rows = slice(row, row + equation.rows)
        if equation.kind == CONSTANT_DISTANCE:
            length = equation.value[0]
            distance = np.sqrt(max(phi[row] + length * length, 1e-24 * length * length))
            phi[row], slopes[row] = distance - length, 2.0 * distance
        else:
            phi[rows] /= equation.slope
            slopes[rows] = equation.slope
        row += equation.rows
    if isinstance(phi_q, np.ndarray):
        return phi, phi_q / slopes[:, None]
    return phi, diags_array(1.0 / slopes).tocsr() @ phi_q
