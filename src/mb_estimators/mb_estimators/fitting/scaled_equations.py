"""Linear equations about the features of a fit, weighed by their errors."""

from dataclasses import dataclass, fields, replace

import numpy as np

from mb_model.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Equations:
    """Residual = slopes (f - f0), at w windows of time.

    residual (w, g): forces of the drives less those needed with features f0, each drive for itself
    where there are as many as degrees of freedom, else on these; slopes (w, g, f); force (w, g):
    of the drives; of_drives, of_motion (w, g, g): parts of the covariance of the residual, factor
    (w, g, g): its Cholesky factors; doubt (w, g), at least 1: how much larger errors count than
    these; t (w) [s], recording (w), block (w): number of the block of time.
    """

    residual: FloatArray
    slopes: FloatArray
    force: FloatArray
    of_drives: FloatArray
    of_motion: FloatArray
    factor: FloatArray
    doubt: FloatArray
    t: FloatArray
    recording: IntArray
    block: IntArray

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, chosen: BoolArray) -> 'Equations':
        """Return some of the windows, their blocks numbered anew."""
        part = {one.name: getattr(self, one.name)[chosen] for one in fields(self)}
        part['block'] = np.unique(part['block'], return_inverse=True)[1]
        return Equations(**part)

    def moved(self, change: FloatArray) -> 'Equations':
        """Return them at features that have changed (f)."""
        return replace(self, residual=self.residual - self.slopes @ change)

    def weighed(self, sizes: FloatArray) -> 'Equations':
        """Return them with other errors.

        sizes (2, g): factors of the errors of drives, and of all, on each row of an instant.
        """
        drives, whole = sizes[:, :, np.newaxis] * sizes[:, np.newaxis]
        return replace(self, factor=np.asarray(np.linalg.cholesky(
            whole * (drives * self.of_drives + self.of_motion)), np.float64))

    def doubts(self, limit: float) -> FloatArray:
        """Return doubt (w, g) that grows with residuals (Cauchy's weights), 1 with limit 0.

        limit: in deviations.
        """
        if not limit:
            return np.ones_like(self.residual)
        return np.sqrt(1.0 + (self.residual / (limit * self.deviations)) ** 2)

    def doubted(self, doubt: FloatArray) -> 'Equations':
        """Return them with another doubt (w, g)."""
        return replace(self, doubt=doubt)

    def scaled(self, values: FloatArray) -> FloatArray:
        """Return values (w, g, ...) in units of their deviations (w g, ...), as far as trusted."""
        whole = values.reshape(*values.shape[:2], -1) / self.doubt[:, :, np.newaxis]
        solved = np.linalg.solve(self.factor, whole)
        return np.asarray(solved.reshape(whole.shape[0] * whole.shape[1], *values.shape[2:]),
                          dtype=np.float64)

    @property
    def deviations(self) -> FloatArray:
        """Standard deviations of the residual (w, g)."""
        return np.sqrt(np.sum(self.factor ** 2, axis=2))

    @property
    def blocks(self) -> IntArray:
        """The number of the block of every scaled equation (w g)."""
        return np.repeat(self.block, self.residual.shape[1])
