"""Friction of hydraulic cylinders among the unknowns of a fit."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_estimators.fitting.friction_law import CYLINDER, cylinder_slopes, cylinder_terms, smeared
from mb_estimators.fitting.path_part import PathPart
from mb_estimators.fitting.samples import CylinderPressures, is_transition
from mb_model import Mechanism
from mb_model.arrays import FloatArray

BEGINNING = 'hydraulics.cylinders.'
_TRANSITION = 'transition_velocity'
_LEAST = 1e-3           # of a transition velocity in the file


def friction_paths(cylinders: Sequence[str]) -> list[str]:
    """Return the paths of the numbers of friction of cylinders."""
    return [f'{BEGINNING}{name}.friction.{key}' for name in cylinders
            for key in (*CYLINDER, _TRANSITION)]


class CylinderPart(PathPart):
    """Unknown numbers of the friction of cylinders; of static friction its excess over Coulomb's.

    Features are the numbers, none of which is negative.
    """

    def __init__(self, mechanism: Mechanism, paths: Sequence[str]) -> None:
        """Begin at the numbers of the mechanism."""
        super().__init__(mechanism, paths)
        hydraulics = mechanism.described.hydraulics
        self.cylinders = tuple(hydraulics.cylinders) if hydraulics and paths else ()
        self._numbers = np.array([[getattr(hydraulics.cylinders[name].friction, key)
                                   for key in (*CYLINDER, _TRANSITION)]
                                  for name in self.cylinders]).reshape(-1, len(CYLINDER) + 1)
        whole = friction_paths(self.cylinders)
        self._at = [whole.index(path) for path in paths]
        self.believed = self._numbers.ravel()[self._at]
        self.start = np.linalg.solve(self.map, self.believed)
        strict = [is_transition(path) for path in self.paths]
        self.lower = np.zeros(len(paths))
        self.lower[strict] = _LEAST * self.believed[strict]

    @property
    def has_transitions(self) -> bool:
        """Whether any of them is a transition velocity, on which forces do not depend linearly."""
        return any(map(is_transition, self.paths))

    def prior(self, x: FloatArray, barrier: float = 1.0,
              ) -> tuple[float, FloatArray, FloatArray]:
        """Return cost, gradient, root of the Hessian of what is believed of bodies: nothing."""
        return 0.0, np.zeros(len(x)), np.zeros((0, len(x)))

    def room(self, x: FloatArray, step: FloatArray) -> float:
        """Return that no step reaches anything impossible."""
        return np.inf

    def rubbing(self, features: FloatArray, v: FloatArray, pressures: CylinderPressures,
                ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return friction (k, c) at features, its slopes by v (k, c), by the features (k, c, p).

        v (k, c): rates of the cylinders [m/s].
        """
        whole = self._numbers.ravel().copy()
        whole[self._at] = features
        forces, damping = np.zeros_like(v), np.zeros_like(v)
        by = np.zeros((*v.shape, whole.size))
        for c, (*numbers, transition) in enumerate(whole.reshape(self._numbers.shape)):
            oil = pressures.difference[:, c], pressures.rod[:, c]

            def every(rate: FloatArray, oil: Any = oil, vt: float = transition) -> FloatArray:
                return np.stack([cylinder_terms(rate, *oil, vt),
                                 *cylinder_slopes(rate, *oil, vt)], axis=1)
            terms, by_v, by_transition = np.moveaxis(
                smeared(every, v[:, c], pressures.rate_deviation[:, c]), 1, 0)
            forces[:, c], damping[:, c] = terms @ numbers, by_v @ numbers
            first = c * self._numbers.shape[1]
            by[:, c, first:first + len(CYLINDER)] = terms
            by[:, c, first + len(CYLINDER)] = by_transition @ numbers
        return forces, damping, by[:, :, self._at]
