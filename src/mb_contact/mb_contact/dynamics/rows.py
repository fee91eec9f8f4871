"""Linear equations for parameters from recorded motions and forces of drives."""

from dataclasses import dataclass, fields

import numpy as np

from mb_contact.arguments import ContactError


@dataclass(frozen=True)
class Rows:
    """Residual = slopes * change of the parameters, at w windows of time.

    residual (w, g): forces of the drives on the degrees of freedom less those needed; slopes (w, g,
    p); factor (w, g, g): Cholesky factors of their covariance, up to a common scale; block (w):
    number of the block of time.
    """

    residual: np.ndarray
    slopes: np.ndarray
    factor: np.ndarray
    block: np.ndarray

    @property
    def scaled(self):
        """The residual (w g) and slopes (w g, p) in units of their deviations."""
        whole = np.concatenate([self.residual[:, :, None], self.slopes], axis=2)
        whole = np.linalg.solve(self.factor, whole).reshape(-1, whole.shape[2])
        return whole[:, 0], whole[:, 1:]

    @property
    def blocks(self):
        """The number of the block of every scaled equation (w g)."""
        return np.repeat(self.block, self.residual.shape[1])


def rows_of(regressor, recordings, drives, settings):
    """Return the Rows of DynamicsSamples at the values of a Regressor; raises ContactError.

    drives: places in q of the coordinates that the forces act on (d).
    """
    parts, first = [], 0
    for samples in recordings:
        parts.append(_rows_of_one(regressor, samples, drives, settings, first))
        first = parts[-1].block[-1] + 1
    return Rows(*(np.concatenate([getattr(part, field.name) for part in parts])
                  for field in fields(Rows)))


def _rows_of_one(regressor, samples, drives, settings, first_block):
    settled = samples[samples.t >= settings.settling_time]
    if not len(settled):
        raise ContactError(f'a recording of {samples.t[-1] if len(samples) else 0.0:g} s: longer '
                           f'than {settings.settling_time:g} s is needed')
    motion, t = settled.motion, settled.t
    needed = regressor.along(motion.z, motion.zd, motion.zdd)
    R = needed.R[:, drives]
    residual = np.einsum('kdg,kd->kg', R, settled.torques) - needed.force
    covariance = settings.torque_deviation ** 2 * np.einsum('kdg,kdh->kgh', R, R)
    if motion.covariance is not None:
        covariance += np.einsum('kgi,kij,khj->kgh', needed.by_state, motion.covariance,
                                needed.by_state, optimize=True)
    starts = np.flatnonzero(np.diff(np.floor(t / settings.averaging_time), prepend=-1.0))
    counts = np.diff(np.r_[starts, len(t)])

    def mean(values):
        return np.add.reduceat(values, starts) / counts.reshape(-1, *[1] * (values.ndim - 1))

    factor = np.linalg.cholesky(mean(covariance))
    number = np.floor(t[starts] / settings.block_time).astype(int)
    return Rows(mean(residual), mean(needed.by_parameter), factor,
                first_block + np.unique(number, return_inverse=True)[1])
