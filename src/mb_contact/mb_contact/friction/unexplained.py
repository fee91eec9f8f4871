"""What the residuals of a fit of friction say about its law: that friction grows with the load."""

from dataclasses import replace

import numpy as np

from mb_contact.friction.fit import FrictionFit
from mb_contact.friction.law import LOAD_SHARES

_CERTAIN = 5.0      # deviations of a share
_MUCH = 0.2         # of the mean square that is left
_BLOCKS = 10        # of samples of each recording in a row, the errors of which are independent


def with_notes(fit: FrictionFit) -> FrictionFit:
    """Return a fit on a coordinate with notes on what its law does not explain.

    The part of the residual along |load| flat is fitted by itself, with an intercept along flat,
    and its deviation is that of the blocks of samples (jackknife).
    """
    s = fit.samples
    if LOAD_SHARES[0] in fit.law.linear or np.ptp(np.abs(s.piston_pressure)) == 0.0:
        return fit
    flat = np.tanh(4.0 * s.velocity / fit.parameters['transition_velocity'])
    columns = np.stack([flat, np.abs(s.piston_pressure) * flat], axis=1)
    columns /= s.force_deviation[:, None]
    left = fit.residual / s.force_deviation
    blocks = [part for number in np.unique(s.recording)
              for part in np.array_split(np.flatnonzero(s.recording == number), _BLOCKS)]
    normal = np.array([columns[block].T @ columns[block] for block in blocks])
    right = np.array([columns[block].T @ left[block] for block in blocks])
    solution = np.linalg.lstsq(normal.sum(0), right.sum(0), rcond=None)[0]
    others = np.array([np.linalg.lstsq(normal.sum(0) - one, right.sum(0) - other, rcond=None)[0][1]
                       for one, other in zip(normal, right, strict=True)])
    count = len(blocks)
    deviation = np.sqrt((count - 1.0) / count * np.sum((others - others.mean()) ** 2))
    explained = float(right.sum(0) @ solution) / float(left @ left)
    if not (solution[1] > _CERTAIN * deviation and explained > _MUCH):
        return fit
    return replace(fit, notes=(
        f'friction grows with the load that the drive carries, by about {solution[1]:.2g} of it; '
        f'this law leaves {np.sqrt(np.mean(fit.residual ** 2)):.2g} '
        f'{fit.law.units[fit.law.linear[0]]} unexplained, the kind load_friction has such a '
        'share',))
