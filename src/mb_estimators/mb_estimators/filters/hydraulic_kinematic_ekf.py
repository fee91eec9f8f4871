"""hydraulic_kinematic_ekf: motion and oil of a hydraulic machine, without its masses and forces."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numpy.typing import ArrayLike

from mb_estimators.filter import DivergenceError, FilterError, HydraulicEstimate
from mb_estimators.filter.layout import Layout, motion_blocks
from mb_estimators.filters.channels import bias_block
from mb_estimators.filters.hydraulic_filter import HydraulicFilter, OilSettings, oil_blocks
from mb_estimators.filters.parts import Corrected
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.filters.whole_accelerations import WholeAccelerations
from mb_estimators.kernels.hydraulic_kinematics import (
    correct_hydraulic,
    predict_hydraulic,
    settle_and_report,
)
from mb_model import setting
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class HydraulicKinematicEkfSettings(OilSettings, ModelFilterSettings):
    """Kinematics and oil: cylinders move as they like, and the oil has to follow."""

    initial_variance: float = setting(
        1e-4, unit='m^2', above=0.0, help='Initial variance of positions, in m^2, and velocities')
    initial_acceleration_variance: float = setting(
        1.0, unit='m^2/s^4', above=0.0,
        help='Variance of the accelerations at the start, where they are taken for zero')
    jerk_psd: float = setting(
        3.0, unit='m^2/s^5', above=0.0,
        help='Power spectral density of the jerk, by which the accelerations walk randomly: the '
             'mean square of their change in a time, over that time')


class HydraulicKinematicEkf(WholeAccelerations, Corrected, HydraulicFilter):
    """The kinematic observer of Pyrhonen et al. 2023b, Secs. 2.3 and 3.1.

    States: z, zd, zdd, pressures, spools, biases.  The inputs of `predict` are the commands of the
    valves (u), zero if there are none.  Every cylinder has to lie along a degree of freedom.
    """

    Settings = HydraulicKinematicEkfSettings

    def _layout(self) -> Layout:
        settings = self.settings
        variances = [*2 * [settings.initial_variance], settings.initial_acceleration_variance]
        return Layout([*motion_blocks(self.mechanism, variances),
                       *oil_blocks(self._circuit, settings), bias_block(self.sensors)])

    def _prepare(self) -> None:
        super()._prepare()
        y = self._hydraulic
        y['cylinder_of'][:self._g] = self._cylinders()
        y['psd'][self.layout['acceleration']] = self.settings.jerk_psd

    def _cylinders(self):
        """Return the number of each degree of freedom's cylinder (g), -1 for none."""
        circuit = self._circuit
        cylinders = dict(zip(circuit.cylinder_coordinates, circuit.cylinders, strict=True))
        names = self.mechanism.coordinates
        for coordinate, cylinder in cylinders.items():
            if names[coordinate] not in self.mechanism.independent:
                raise FilterError(
                    f'{self.mechanism.name}: hydraulic_kinematic_ekf: the coordinate of cylinder '
                    f'{cylinder}, {names[coordinate]}, must be independent; independent are '
                    f'{", ".join(self.mechanism.independent)}')
        if len(cylinders) < len(circuit.cylinders):
            raise FilterError(f'{self.mechanism.name}: hydraulic_kinematic_ekf: two cylinders '
                              'have the same coordinate')
        order = list(cylinders)
        return [order.index(coordinate) if coordinate in order else -1
                for coordinate in map(names.index, self.mechanism.independent)]

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) without accelerations, with the oil of the mechanism's start.

        covariance: of z, zd, zdd.  See ModelFilter.reset.
        """
        super().reset(z, zd, covariance)
        self._report()

    @cached_property
    def _oil(self):
        y, size = self._hydraulic, self.layout['bias'].start
        v, u, c = (len(names) for names in (
            self._circuit.volumes, self._circuit.valves, self._circuit.cylinders))
        return y['pressures'][:v], y['spools'][:u], y['forces'][:c], y['covariance'][:size, :size]

    def _move(self, dt: float) -> bool:
        return predict_hydraulic(self._models, self._works, self._circuits, self._fluids,
                                 self._filters, self._hydraulics, dt)

    def _take_in(self, readings: FloatArray) -> int:
        return correct_hydraulic(self._models, self._works, self._circuits, self._fluids,
                                 self._channels, self._filters, self._hydraulics, readings)

    def _follow(self) -> None:
        super()._follow()
        if self._orientations.moved:
            self._hydraulic['solved'] = 0       # what is reported

    def _report(self) -> None:
        """Bring what is reported to where the states are."""
        if not settle_and_report(self._models, self._works, self._circuits, self._fluids,
                                 self._filters, self._hydraulics):
            raise DivergenceError('the mechanism has no position with the estimated lengths')

    def _further_estimates(self) -> dict[str, Any]:
        oil = HydraulicEstimate(*[view.copy() for view in self._oil])
        return super()._further_estimates() | {'hydraulics': oil}
