"""Oil of a machine, its sensors and recordings as FrozenSystems along paths of an observer."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mb_estimators.filters.hydraulic_kinematic_ekf import (
    HydraulicKinematicEkf,
    HydraulicKinematicEkfSettings,
)
from mb_estimators.fitting.by_readings.noises import Noises, noises_of
from mb_estimators.fitting.by_readings.oil_path import OilTracer
from mb_estimators.fitting.by_readings.problem import Nominal, ReadingProblem
from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
from mb_estimators.fitting.oil_numbers import OilNumbers, oil_values
from mb_estimators.recording.recording import Recording
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_sensors import Sensor

_PRESSURES = 1e14       # variance of what they are at the start [Pa^2]
_JERK_PSD = 1e4         # so large that motion is free [m^2/s^5]
_JERK, _OIL = 'jerk_psd', ('pressure_psd', 'spool_psd')


class OilProblem(ReadingProblem):
    """What readings say of numbers of the oil; masses and friction play no part."""

    filter_name = 'hydraulic_kinematic_ekf'
    resumes = True      # far from its solution, pressures that are trusted lead astray

    @staticmethod
    def noises(mechanism: Mechanism, sensors: Sequence[Sensor], settings: ReadingSettings,
               words: Sequence[str]) -> Noises:
        """Return the Noises at first, see ReadingProblem; the ones of jerk and spools stay.

        Motion is no random walk: with a jerk that is right for most of the time, jumps, as where
        valves open and pistons stick, would count as noise of spools, and pull what valves are
        found to do.  So motion is free, known by its readings and by the pressures alone.
        """
        first = HydraulicKinematicEkfSettings()
        psds = {_JERK: mechanism.g * [_JERK_PSD]} | {
            name: [getattr(first, name)] for name in _OIL}
        noises = noises_of(psds, sensors, words)
        for name in (_JERK, _OIL[1]):
            noises = noises.fixed(name, float(np.log(psds[name][0])))
        return noises

    @property
    def densities(self) -> int:
        """How many noises are of motion and oil."""
        return self.mechanism.g + len(_OIL)

    @cached_property
    def file(self) -> dict[str, float]:
        """See ReadingProblem."""
        every = oil_values(self.mechanism)
        return {name: every[name] for name in self.names}

    def _filter(self, mechanism: Mechanism, sensors: Sequence[Sensor], nominal: Nominal) -> Any:
        """Return the observer, on a smooth path: noise on it would count as what numbers change."""
        of_oil = nominal.noises[mechanism.g:self.densities].tolist()
        return HydraulicKinematicEkf(mechanism, sensors, self.dt, HydraulicKinematicEkfSettings(
            gate=0.0, initial_variance=self.initial_variance,
            initial_pressure_variance=_PRESSURES,
            **dict(zip(_OIL, of_oil, strict=True))))

    def _start_covariance(self, believed: FloatArray,
                          width: FloatArray | None) -> FloatArray | None:
        if width is None:
            return None
        g = self.mechanism.g
        covariance = believed[:3 * g, :3 * g].copy()
        covariance[:2 * g, :2 * g] = width
        return covariance

    def _tracer(self, filter_: Any, recording: Recording, nominal: Nominal) -> OilTracer:
        return OilTracer(filter_, len(recording.stamps), self.parameters(nominal.numbers))

    def believed_deviations(self, parameters: Any) -> FloatArray:
        """Return what is believed before of the logarithms of numbers (p), deviations."""
        return self.shares

    def parameters(self, numbers: Mapping[str, float]) -> OilNumbers:
        """Return the OilNumbers of the machine at numbers."""
        return OilNumbers(self.mechanism, numbers)
