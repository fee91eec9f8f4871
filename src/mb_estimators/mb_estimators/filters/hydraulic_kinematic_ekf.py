"""hydraulic_kinematic_ekf: motion and oil of a hydraulic machine, without its masses and forces."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mb_estimators.filter import DivergenceError, FilterError, HydraulicEstimate
from mb_estimators.filter.layout import Block, Layout
from mb_estimators.filter.motion_blocks import motion_blocks
from mb_estimators.filters.blocks import bias_block
from mb_estimators.filters.channels import channel_records
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.orientations import TOTAL_ACCELERATIONS
from mb_estimators.filters.pressure_channels import direct_channels, oil_records
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.kernels.hydraulic_correction import correct_hydraulic
from mb_estimators.kernels.hydraulic_prediction import predict_hydraulic
from mb_estimators.kernels.hydraulic_state import settle_and_report
from mb_estimators.records.hydraulic import HYDRAULIC, PASCAL
from mb_model import setting


@dataclass(frozen=True)
class HydraulicKinematicEkfSettings(ModelFilterSettings):
    """Kinematics and oil: cylinders move as they like, and the oil has to follow."""

    initial_variance: float = setting(
        1e-4, unit='m^2', above=0.0, help='Initial variance of positions, in m^2, and velocities')
    initial_acceleration_variance: float = setting(
        1.0, unit='m^2/s^4', above=0.0,
        help='Variance of the accelerations at the start, where they are taken for zero')
    initial_pressure_variance: float = setting(
        1e12, unit='Pa^2', above=0.0,
        help='Variance of the pressures at the start, where they are as in the mechanism file')
    initial_spool_variance: float = setting(
        1e-4, above=0.0, help='Variance of the spool positions, -1 to 1, at the start')
    jerk_psd: float = setting(
        3.0, unit='m^2/s^5', above=0.0,
        help='Power spectral density of the jerk, by which the accelerations walk randomly: the '
             'mean square of their change in a time, over that time')
    pressure_psd: float = setting(
        1e10, unit='Pa^2/s', above=0.0,
        help='Power spectral density of what the rates of pressures are wrong by')
    spool_psd: float = setting(
        1e-5, unit='1/s', above=0.0,
        help='Power spectral density of what the rates of spools are wrong by')


class HydraulicKinematicEkf(ModelFilter):
    """The kinematic observer of Pyrhonen et al. 2023b, Secs. 2.3 and 3.1.

    States: z, zd, zdd, pressures, spools, biases.  The inputs of `predict` are the commands of the
    valves (u), zero if there are none.  Every cylinder has to lie along a degree of freedom.
    """

    Settings = HydraulicKinematicEkfSettings
    needs_hydraulics = True
    refuses_orientations = TOTAL_ACCELERATIONS
    moves_prescribed = False

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        self._circuit = circuit = mechanism.circuit
        layout = _layout(mechanism, sensors, settings)
        super().__init__(mechanism, sensors, dt, settings, layout,
                         channels=channel_records(sensors, oil_records))
        self._circuits, self._fluids = circuit.record, circuit.new_fluid()
        self._hydraulics = HYDRAULIC.of(self._sizes)
        y = self._hydraulic
        y['cylinder_of'][:self._g] = self._cylinders()
        y['psd'][layout['acceleration']] = settings.jerk_psd
        y['psd'][layout['pressure']] = settings.pressure_psd / PASCAL ** 2
        y['psd'][layout['spool']] = settings.spool_psd
        direct_channels(y, mechanism, sensors)
        self.reset(mechanism.z0, mechanism.zd0)

    def _cylinders(self):
        """Return the place of each degree of freedom's cylinder (g), -1 for none."""
        places = dict(zip(self._circuit.cylinder_coordinates, self._circuit.cylinders, strict=True))
        names = self.mechanism.coordinates
        for place, cylinder in places.items():
            if names[place] not in self.mechanism.independent:
                raise FilterError(
                    f'{self.mechanism.name}: hydraulic_kinematic_ekf: the coordinate of cylinder '
                    f'{cylinder}, {names[place]}, must be independent; independent are '
                    f'{", ".join(self.mechanism.independent)}')
        if len(places) < len(self._circuit.cylinders):
            raise FilterError(f'{self.mechanism.name}: hydraulic_kinematic_ekf: two cylinders '
                              'have the same coordinate')
        order = list(places)
        return [order.index(place) if place in order else -1
                for place in map(names.index, self.mechanism.independent)]

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) without accelerations, with the oil of the mechanism's start.

        covariance: of z, zd, zdd.  See ModelFilter.reset.
        """
        super().reset(z, zd, covariance)
        x, layout = self._filter['x'], self.layout
        x[:] = 0.0
        x[layout['position']], x[layout['velocity']] = self._motion[0], self._motion[1]
        x[layout['pressure']] = self._circuit.p0 / PASCAL
        x[layout['spool']] = self._circuit.U0
        self._hydraulic['solved'] = 0
        self._report()

    @cached_property
    def _hydraulic(self):
        return self._hydraulics[0]

    @cached_property
    def _commands(self):
        return self._fluids[0]['U_in'][:len(self._circuit.valves)]

    @cached_property
    def _solved(self):
        return self._hydraulics['solved']

    @cached_property
    def _oil(self):
        y, size = self._hydraulic, self.layout['bias'].start
        v, u, c = (len(names) for names in (
            self._circuit.volumes, self._circuit.valves, self._circuit.cylinders))
        return y['pressures'][:v], y['spools'][:u], y['forces'][:c], y['covariance'][:size, :size]

    def _hold(self, inputs):
        """Let the valves be commanded (u) from now on; None: closed."""
        if inputs is None:
            self._commands.fill(0.0)
        else:
            self._commands[:] = inputs

    @property
    def state(self):
        """See ModelFilter.state; also the oil."""
        return super().state | {'fluid': self._fluids, 'hydraulic': self._hydraulics}

    def _step(self, dt):
        return predict_hydraulic(self._models, self._works, self._circuits, self._fluids,
                                 self._filters, self._hydraulics, dt)

    def _correct(self, readings):
        return correct_hydraulic(self._models, self._works, self._circuits, self._fluids,
                                 self._channels, self._filters, self._hydraulics, readings)

    def _report(self):
        """Bring what is reported to where the states are."""
        if not settle_and_report(self._models, self._works, self._circuits, self._fluids,
                                 self._filters, self._hydraulics):
            raise DivergenceError('the mechanism has no position with the estimated lengths')

    @property
    def estimate(self):
        """The present Estimate; raises DivergenceError if the mechanism has no such position."""
        if not self._solved[0]:
            self._report()
        return super().estimate

    def _further_estimates(self):
        oil = HydraulicEstimate(*[view.copy() for view in self._oil])
        return super()._further_estimates() | {'hydraulics': oil}


def _layout(mechanism, sensors, settings):
    """Return the layout z, zd, zdd, pressures [MPa], spools, biases.  Raises SensorError."""
    circuit = mechanism.circuit
    variances = [*2 * [settings.initial_variance], settings.initial_acceleration_variance]
    pressures, spools = (tuple(names) for names in (circuit.volumes, circuit.valves))
    return Layout([
        *motion_blocks(mechanism, variances),
        Block('pressure', tuple(f'pressure of {name}' for name in pressures),
              ('MPa',) * len(pressures),
              np.full(len(pressures), settings.initial_pressure_variance / PASCAL ** 2)),
        Block('spool', tuple(f'spool of {name}' for name in spools), ('',) * len(spools),
              np.full(len(spools), settings.initial_spool_variance)),
        bias_block(sensors)])
