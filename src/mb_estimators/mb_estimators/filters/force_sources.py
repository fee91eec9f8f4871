"""Sources of forces: points and directions where unknown forces are likely to act."""

from collections.abc import Sequence
import re
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from mb_estimators.filter import FilterError
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_FORCE = re.compile(r'forces\.[^.]+\.(force|moment)(\.[xyz012])?')
_RANK = 1e-9        # a source whose own share of what it does is less counts as a sum of others


class ForceSources(NamedTuple):
    """Forces of sources that together explain forces on the degrees of freedom best.

    values, covariance: of the sources (p, p) [N or N m], infinite variances where they cannot be
    distinguished; residual: what they leave of the forces (g); probability of a residual at
    least as large if the sources are all there is, 1 where they can explain any forces.
    """

    values: FloatArray
    covariance: FloatArray
    residual: FloatArray
    probability: float


def check_sources(mechanism: Mechanism, key: str, names: Sequence[str]) -> None:
    """Raise FilterError, naming a setting, for what is no force; MechanismError for what is none.

    A source is a degree of freedom, or the path of a number of a force in the mechanism file.
    """
    for name in names:
        if name not in mechanism.independent and not _FORCE.fullmatch(name):
            raise FilterError(
                f'{key}: {name}: expected a number of a force, such as forces.push.force.x, or one '
                f'of {", ".join(mechanism.independent)}')
    if len(set(names)) < len(names):
        raise FilterError(f'{key}: {", ".join(names)}: must be different ones')
    mechanism.parameter_records([name for name in names if name not in mechanism.independent])


def explain_forces(mechanism: Mechanism, z: ArrayLike, zd: ArrayLike, forces: ArrayLike,
                   covariance: ArrayLike, names: Sequence[str],
                   near: ArrayLike | None = None) -> ForceSources:
    """Return the forces of sources that explain forces (g), whose covariance is (g, g), at z, zd.

    The generalized least squares of forces = T values, T (g, p) being what a unit of each source
    does on the degrees of freedom: the projection of Rodriguez et al. 2023, Sec. 7.3, weighted by
    the covariance.  near: coordinates q nearby.  Raises FilterError, MechanismError.
    """
    check_sources(mechanism, 'sources', names)
    forces = np.asarray(forces, dtype=float)
    whitening = np.linalg.inv(np.linalg.cholesky(np.asarray(covariance, dtype=float)))
    effects = source_effects(mechanism, z, zd, names, near)
    white = whitening @ effects
    sizes = np.linalg.norm(white, axis=0)
    sizes[sizes == 0.0] = 1.0
    left, singular, right = np.linalg.svd(white / sizes, full_matrices=False)
    there = singular > _RANK
    inverse = right[there].T / singular[there]
    values = inverse @ (left[:, there].T @ (whitening @ forces)) / sizes
    of_values = inverse @ inverse.T / np.outer(sizes, sizes)
    open_ = np.abs(np.eye(len(names)) - right[there].T @ right[there]).max(axis=0) > _RANK
    of_values[open_] = of_values[:, open_] = 0.0
    of_values[open_, open_] = np.inf
    residual = forces - effects @ values
    freedom = len(forces) - int(there.sum())
    misfit = float(np.sum((whitening @ residual) ** 2))
    return ForceSources(values, of_values, residual,
                        float(chi2.sf(misfit, freedom)) if freedom else 1.0)


def source_effects(mechanism: Mechanism, z: ArrayLike, zd: ArrayLike, names: Sequence[str],
                   near: ArrayLike | None = None) -> FloatArray:
    """Return what a unit of each source does on the degrees of freedom (g, p) at z, zd.

    M_bar dzdd/dforce, exact; of a number of a force with a direction, along that.
    """
    paths = [name for name in names if name not in mechanism.independent]
    effects = np.zeros((mechanism.g, len(names)))
    if paths:
        by_force = mechanism.parameter_jacobian(z, zd, paths, near=near)
        effects[:, [names.index(path) for path in paths]] = np.linalg.solve(
            mobility(mechanism, z, zd, near), by_force)
    for k, name in enumerate(names):
        if name in mechanism.independent:
            effects[mechanism.independent.index(name), k] = 1.0
    return effects


def mobility(mechanism: Mechanism, z: ArrayLike, zd: ArrayLike,
                    near: ArrayLike | None = None) -> FloatArray:
    """Return how accelerations change with forces on the degrees of freedom (g, g): M_bar^-1."""
    indices = mechanism.model['independent'][0, :mechanism.g]
    return mechanism.force_jacobian(z, zd, near=near)[:, indices]
