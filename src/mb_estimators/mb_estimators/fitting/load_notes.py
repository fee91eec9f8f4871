"""What residuals say of friction on a coordinate: that it grows with the load of the drive."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mb_estimators.fitting.equations import Recordings
from mb_estimators.fitting.friction_law import coordinate_numbers
from mb_estimators.fitting.samples import UnexplainedForces
from mb_estimators.fitting.scaled_equations import Equations
from mb_estimators.fitting.unknowns import Unknowns
from mb_model.arrays import FloatArray

_WITHOUT = 'friction', 'directional_friction'
_CERTAIN = 5.0      # deviations of a share
_MUCH = 0.2         # of the mean square that is left


def load_notes(unknowns: Unknowns, recordings: Recordings, equations: Equations) -> Iterator[str]:
    """Yield sentences about fitted frictions that have no share of the load, and should have one.

    equations: weighed, at fitted values.  What is left along |load| flat is fitted by itself, with
    an intercept along flat; its deviation comes from the blocks of time (jackknife).
    """
    mechanism = unknowns.mechanism
    for name, force in mechanism.described.forces.items():
        is_free = any(path.startswith(f'forces.{name}.coulomb') for path in unknowns.scalars.paths)
        if not (is_free and force.kind in _WITHOUT and force.coordinate):
            continue
        share, certain = _share(recordings, equations, force,
                                mechanism.indices([force.coordinate])[0])
        if certain:
            yield (f'forces.{name}: friction grows with the load that the drive carries, by about '
                   f'{share:.2g} of it; the kind load_friction has such a share')


def _share(recordings: Recordings, equations: Equations, force: Any,
           coordinate: int) -> tuple[float, bool]:
    """Return the share of the load that is left, and whether it is certain and explains much."""
    def columns_of(forces: UnexplainedForces, turned: FloatArray) -> FloatArray:
        R = forces.needed.R[:, coordinate]
        flat = np.tanh(4.0 * np.einsum('kg,kg->k', R, forces.motion.zd)
                       / coordinate_numbers(force)[1])
        load = np.abs(np.einsum('kg,kg->k', R, forces.needed.force)) / np.sum(R ** 2, axis=1)
        return np.asarray(np.einsum('kij,kj->ki', turned, R)[:, :, np.newaxis]
                          * np.stack([flat, load * flat], axis=1)[:, np.newaxis, :], np.float64)
    columns = equations.scaled(recordings.means(columns_of))
    left, blocks = equations.scaled(equations.residual), equations.blocks
    normal, right = (np.stack([np.add.reduceat(one, np.flatnonzero(np.diff(blocks, prepend=-1)))
                               for one in parts.T], axis=-1) for parts in (
        (columns[:, :, np.newaxis] * columns[:, np.newaxis, :]).reshape(len(columns), -1),
        columns * left[:, np.newaxis]))
    normal = normal.reshape(-1, 2, 2)
    solution = np.linalg.lstsq(normal.sum(0), right.sum(0), rcond=None)[0]
    others = np.array([np.linalg.lstsq(normal.sum(0) - one, right.sum(0) - other, rcond=None)[0][1]
                       for one, other in zip(normal, right, strict=True)])
    count = len(others)
    deviation = np.sqrt((count - 1.0) / count * np.sum((others - others.mean()) ** 2))
    explained = float(right.sum(0) @ solution) / max(float(left @ left), 1e-300)
    return float(solution[1]), bool(solution[1] > _CERTAIN * deviation and explained > _MUCH)
