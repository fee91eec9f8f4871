"""Least squares within bounds, by Levenberg and Marquardt's iteration."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray

_DAMPING = 1e-3         # at the start, of the largest number in the matrix
_LEAST_DAMPING = 1e-14
_MOST_DAMPING = 1e10
_STEP = 0.7             # of a value, the most in an iteration
_STILL = 1e-12          # of a value: a step so small ends it
_SLOW = 1e-3            # share of the rest that _PATIENCE iterations must take away, or it ends
_PATIENCE = 10
_ALONE = 2 ** 18        # multiplications of a matrix product that no threads share


@dataclass(frozen=True)
class LeastSquares:
    """What is to be least: the squares of `evaluate`, over values between lower and upper (p).

    evaluate(values): residuals (m) and their derivatives (m, p).
    """

    evaluate: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
    lower: FloatArray
    upper: FloatArray

    def minimise(self, values: FloatArray, closed: float, iterations: int
                 ) -> tuple[FloatArray, float]:
        """Return values (p) near some with the least squares, and the largest residual there.

        It ends where no residual is above `closed`, or where it no longer gets less.  Values at a
        bound that would leave it are held.  Source: Kanzow, Yamashita and Fukushima 2004
        (Levenberg-Marquardt methods with strong local convergence properties for solving nonlinear
        equations with convex constraints), the projected method.
        """
        values = np.clip(values, self.lower, self.upper)
        residuals, slopes = self.evaluate(values)
        damping, history = _DAMPING, [float(residuals @ residuals)]
        for _ in range(iterations):
            if not np.abs(residuals).max(initial=0.0) > closed or damping > _MOST_DAMPING:
                break
            step = self._step(values, residuals, slopes, damping)
            tried = np.clip(values + step, self.lower, self.upper)
            if not np.abs(tried - values).max(initial=0.0) > _STILL:
                break
            there, slopes_there = self.evaluate(tried)
            if there @ there < residuals @ residuals:
                values, residuals, slopes = tried, there, slopes_there
                damping = max(0.2 * damping, _LEAST_DAMPING)
                history.append(float(residuals @ residuals))
                if len(history) > _PATIENCE and (
                        history[-1] > (1.0 - _SLOW) * history[-1 - _PATIENCE]):
                    break
            else:
                damping *= 5.0
        return values, float(np.abs(residuals).max(initial=0.0))

    def _step(self, values: FloatArray, residuals: FloatArray, slopes: FloatArray, damping: float
              ) -> FloatArray:
        """Return the step (p) of the values that are not held at a bound."""
        squares = _squares(np.column_stack([slopes, residuals]))
        gradient = squares[:-1, -1]
        free = ~(((values <= self.lower) & (gradient > 0.0))
                 | ((values >= self.upper) & (gradient < 0.0)))
        step = np.zeros(len(values))
        if free.any():
            normal = squares[:-1, :-1][np.ix_(free, free)]
            normal.flat[::len(normal) + 1] += damping * max(float(normal.diagonal().max()), 1e-300)
            step[free] = -np.linalg.solve(normal, gradient[free])
        longest = float(np.abs(step).max(initial=0.0))
        return step * min(1.0, _STEP / longest) if longest else step


def _squares(matrix: FloatArray) -> FloatArray:
    """Return A^T A (p, p) of a matrix (m, p), as the sum of parts.

    Each is so small that no threads share it, which would wait for each other.
    """
    rows, columns = matrix.shape
    most = max(int(_ALONE / columns ** 2), 1)
    parts = np.zeros((-(-rows // most), most, columns))
    parts.reshape(-1, columns)[:rows] = matrix
    return np.matmul(parts.transpose(0, 2, 1), parts).sum(axis=0)
