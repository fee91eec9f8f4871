"""What is believed of a positive definite matrix: a distance to another that no impossible one has.
"""

import numpy as np

from mb_model.arrays import FloatArray


class Divergence:
    """-log of a Wishart density of a matrix J around J0: w (tr(J0^-1 J) - log det J) - constant.

    It is convex, least at J0, infinite at the edge of what is positive definite, and grows but
    linearly with J, so that wrong beliefs give way.  Source: the divergence of Lee, Wensing and
    Park 2020 for pseudo-inertias.
    """

    def __init__(self, believed: FloatArray, deviation: float) -> None:
        """Set up for J0 (d, d); deviation: standard one of a common factor of J, a share."""
        self._inverse = np.linalg.inv(believed)
        self._weight = 1.0 / (len(believed) * deviation ** 2)
        self._least = self._weight * (len(believed) - np.linalg.slogdet(believed)[1])

    def at(self, J: FloatArray, slopes: FloatArray,
           barrier: float = 1.0) -> tuple[float, FloatArray, FloatArray]:
        """Return cost, gradient (p) and root of the Hessian (d d, p), whose square it is, at J.

        slopes (p, d, d): dJ by unknowns; second derivatives of J are left out.  An impossible J
        costs infinitely.  barrier: factor of log det J.
        """
        p = len(slopes)
        try:
            factor = np.linalg.cholesky(J)
        except np.linalg.LinAlgError:
            return np.inf, np.zeros(p), np.zeros((J.size, p))
        by_J = self._inverse - barrier * np.linalg.inv(J)
        logarithm = 2.0 * np.sum(np.log(np.diagonal(factor)))
        cost = self._weight * (np.sum(self._inverse * J) - barrier * logarithm) - self._least
        half = np.linalg.solve(factor, slopes)
        turned = np.swapaxes(np.linalg.solve(factor, np.swapaxes(half, 1, 2)), 1, 2)
        return (float(cost), self._weight * np.tensordot(slopes, by_J, 2),
                np.sqrt(barrier * self._weight) * turned.reshape(p, -1).T)


def room(J: FloatArray, change: FloatArray) -> float:
    """Return the share of a change (d, d) of a positive definite J that reaches the edge, or inf.
    """
    factor = np.linalg.cholesky(J)
    half = np.linalg.solve(factor, change)
    least = np.linalg.eigvalsh(np.linalg.solve(factor, half.T))[0]
    return float(-1.0 / least) if least < 0.0 else np.inf
