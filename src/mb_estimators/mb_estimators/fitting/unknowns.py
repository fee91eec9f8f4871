"""All unknowns of a fit: bodies, single numbers, gains and offsets, one after another."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.linalg import block_diag

from mb_estimators.fitting.body_part import BodyPart, raw_numbers, written_out
from mb_estimators.fitting.cylinder_part import CylinderPart
from mb_estimators.fitting.drive_part import DrivePart
from mb_estimators.fitting.fit_settings import FitSettings
from mb_estimators.fitting.free_numbers import FreeNumbers
from mb_estimators.fitting.reading_part import ReadingPart
from mb_estimators.fitting.scalar_part import ScalarPart
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.file_api import merged


class Unknowns:
    """Unknowns x (p) of a fit, and the features (f) of x in which forces are linear.

    mechanism: with the mass properties of free bodies written out; bodies: BodyParts; scalars;
    cylinders; drives; readings.  of_drives, of_readings: slices of the features.
    """

    def __init__(self, mechanism: Mechanism, free: FreeNumbers, drives: Sequence[str],
                 settings: FitSettings) -> None:
        """Set up for FreeNumbers of a mechanism, at its values."""
        self._made_of = free, tuple(drives), settings
        deviation = settings.prior_deviation
        self.mechanism = mechanism.replace(bodies={
            body: written_out(raw_numbers(mechanism, body)) for body in free.bodies}
        ) if free.bodies else mechanism
        self.bodies = [BodyPart(self.mechanism, body, kind, deviation)
                       for body, kind in free.bodies.items()]
        self.scalars = ScalarPart(self.mechanism, free.scalars, deviation)
        self.drives = DrivePart(drives, free.drives, settings.loss_velocity)
        self.readings = ReadingPart(mechanism, drives, free.readings, settings)
        self.cylinders = CylinderPart(self.mechanism, free.cylinders)
        self.parts = [*self.bodies, self.scalars, self.cylinders, self.drives,
                      self.readings]
        self.names = tuple(name for part in self.parts for name in part.names)
        self.start, self.lower = (np.concatenate([getattr(part, name) for part in self.parts])
                                  for name in ('start', 'lower'))
        ends = np.cumsum([len(part.names) for part in self.parts])
        self._slices = [slice(end - len(part.names), end)
                        for end, part in zip(ends, self.parts, strict=True)]
        last = sum(len(part.feature_paths) for part in self.parts)
        self.of_readings = slice(last - len(free.readings), last)
        self.of_drives = slice(self.of_readings.start - len(free.drives), self.of_readings.start)

    def of(self, mechanism: Mechanism) -> 'Unknowns':
        """Return the same unknowns of another machine of the same file, at its values."""
        return Unknowns(mechanism, *self._made_of)

    def __len__(self) -> int:
        return len(self.names)

    def features(self, x: FloatArray) -> FloatArray:
        """Return the features (f) at unknowns x."""
        return np.concatenate([part.features(x[own]) for part, own in self._each()])

    def slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of the features by the unknowns (f, p)."""
        return block_diag(*(part.slopes(x[own]) for part, own in self._each()))

    def prior(self, x: FloatArray, barrier: float = 1.0,
              ) -> tuple[float, FloatArray, FloatArray]:
        """Return cost, infinite where nothing is so, gradient, root of the Hessian of beliefs.

        barrier: factor of what keeps bodies from the edge of what is possible.
        """
        every = [part.prior(x[own], barrier) for part, own in self._each()]
        return (sum(cost for cost, _, _ in every), np.concatenate([one for _, one, _ in every]),
                block_diag(*(one for _, _, one in every)))

    def room(self, x: FloatArray, step: FloatArray) -> float:
        """Return the share of a step at which, nearly, something becomes impossible."""
        return min(part.room(x[own], step[own]) for part, own in self._each())

    def raw_values(self, x: FloatArray) -> dict[str, float]:
        """Return the numbers of file and drives at unknowns x, by path."""
        return {path: value for part, own in self._each()
                for path, value in part.raw_values(x[own]).items()}

    def raw_slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of raw_values by the unknowns."""
        return block_diag(*(part.raw_slopes(x[own]) for part, own in self._each()))

    def overrides(self, x: FloatArray) -> dict[str, Any]:
        """Return the numbers at unknowns x as overrides of the mechanism's file."""
        overrides: Mapping[str, Any] = {}
        for part, own in self._each():
            overrides = merged(overrides, part.overrides(x[own]))
        return dict(overrides)

    def _each(self) -> Any:
        return zip(self.parts, self._slices, strict=True)
