"""hydraulic_ekf: mechanism and oil as one system, with parameters of both among the states."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import DivergenceError, HydraulicEstimate
from mb_estimators.filter.layout import Block, Layout, motion_blocks
from mb_estimators.filters.channels import bias_block
from mb_estimators.filters.hydraulic_filter import HydraulicFilter, OilSettings, oil_blocks
from mb_estimators.filters.oil_parameters import OilParameters, OilParameterSettings
from mb_estimators.filters.parameters import EstimatesParameters, Parameters, ParameterSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.kernels.coupled_equations import report_coupled, restart_oil
from mb_estimators.kernels.coupled_steps import correct_coupled, predict_coupled
from mb_estimators.kernels.orientations import follow_with_states
from mb_estimators.records.oil import COUPLED, PASCAL
from mb_estimators.records.parameter import AUGMENTED
from mb_model import setting
from mb_model.arrays import FloatArray
from mb_model.jit import sizes_of
from mb_model.kernel_api import bound


@dataclass(frozen=True)
class HydraulicEkfSettings(OilParameterSettings, OilSettings, ParameterSettings,
                           ModelFilterSettings):
    """Equations of motion and oil together; cylinders whose friction is not known exactly."""

    parameters: tuple[str, ...] = setting(
        (), help='Numbers of the mechanism file that are estimated, too, such as masses: paths '
                 'such as bodies.arm.mass, or names of its parameters')
    initial_variance: float = setting(
        1e-4, unit='m^2', above=0.0, help='Initial variance of positions, in m^2, and velocities')
    initial_acceleration_variance: float = setting(
        1e-2, unit='m^2/s^4', above=0.0,
        help='Variance of the accelerations at the start, where forces are taken to be in balance: '
             'so pressures and masses there are uncertain together')
    acceleration_psd: float = setting(
        1e-6, unit='m^2/s^3', above=0.0,
        help='Power spectral density of the noise of the independent accelerations')
    pressure_psd: float = setting(
        1e9, unit='Pa^2/s', above=0.0,
        help='Power spectral density of what the rates of pressures are wrong by, with the right '
             'parameters')
    force_deviation: float = setting(
        1e4, unit='Pa', above=0.0,
        help='Standard deviation of what the force of a moving cylinder is wrong by, as a pressure '
             'on its piston')
    force_time: float = setting(
        0.1, unit='s', above=0.0, help='Time constant by which that comes and goes')
    still_force_walk: float = setting(
        5e5, unit='Pa/sqrt(s)', above=0.0,
        help='The same while a cylinder stands, where friction holds it: the standard deviation '
             'that a second adds')


class HydraulicEkf(EstimatesParameters, HydraulicFilter):
    """The EKF of mechanism and oil that Rodriguez et al. 2023, Sec. 7.3, names by its ref. [21].

    States: z, zd, pressures, spools, an error of the force of every cylinder, logarithms of
    factors of supplies, valves, oil and friction, parameters of the mechanism, biases.  In that
    reference they are the errors of these, which is the same filter (Sec. 7.4).
    Parameters must leave positions as they are: masses, inertias, forces, gravity.
    """

    Settings = HydraulicEkfSettings

    def _layout(self) -> Layout:
        mechanism, settings = self.mechanism, self.settings
        self._parameters = p = Parameters(
            mechanism, settings, AUGMENTED, sizes_of(mechanism.model), optional=True)
        p.require_constant_positions(mechanism)
        self._oil_parameters = oil = OilParameters(mechanism, settings)
        circuit, scale = self._circuit, settings.still_force_walk / PASCAL
        names = circuit.cylinders
        return Layout([
            *motion_blocks(mechanism, 2 * [settings.initial_variance]),
            *oil_blocks(circuit, settings),
            Block('force_error', tuple(f'force error of {name}' for name in names),
                  ('MPa',) * len(names), np.full(len(names), scale ** 2)),
            oil.block, p.block, bias_block(self.sensors)])

    def _supplies(self):
        return self._oil_parameters.supplies(self.layout['oil_parameter'].start)

    def _prepare(self) -> None:
        super()._prepare()
        oil = self._oil_parameters
        self._nominals, self._circuits = self._circuits, self._circuits.copy()      # own ones
        self._coupleds = COUPLED.of(self._sizes | {'oil_parameters': len(oil.names)})
        self._own_records |= {'coupled': self._coupleds, 'circuit': self._circuits}
        self._write(self.settings)

    def _write(self, settings: Any):
        """Write settings, and where states are, to the records."""
        layout, oil, c = self.layout, self._oil_parameters, self._coupleds[0]
        psd, e = self._hydraulic['psd'], self._parameters.estimated[0]
        psd[layout['velocity']] = settings.acceleration_psd
        psd[layout['oil_parameter']] = oil.walks ** 2
        psd[layout['parameter']] = e['walk'][:len(self._parameters.names)]
        e['first'] = layout['parameter'].start
        c['force'], c['first'] = layout['force_error'].start, layout['oil_parameter'].start
        c['unit'][:] = PASCAL * self._circuit.area[::2]
        c['decay'] = 1.0 / settings.force_time
        c['moving_psd'] = 2.0 / settings.force_time * (settings.force_deviation / PASCAL) ** 2
        c['still_psd'] = (settings.still_force_walk / PASCAL) ** 2
        c['count'] = len(oil.names)
        c['kind'][:c['count']], c['index'][:c['count']] = oil.kinds, oil.indices

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) with oil and parameters of the file; covariance: of z, zd."""
        self._parameters.restart(self._models, self._works)
        super().reset(z, zd, covariance)
        restart_oil(self._circuits, self._nominals, self._fluids, self._filters, self._hydraulics,
                    self._coupleds)
        self._report()
        self._balance()

    def _balance(self):
        """Condition the covariance on accelerations of zero, but for their variance."""
        states = self.layout.size
        P, H = self._filter['P'][:states, :states], self._coupleds[0]['zdd_x'][:self._g, :states]
        variance = self.settings.initial_acceleration_variance * np.eye(self._g)
        crossed = H @ P
        lost = crossed.T @ np.linalg.solve(crossed @ H.T + variance, crossed)
        P -= (lost + lost.T) / 2.0

    @cached_property
    def _follows(self):
        return bound(follow_with_states, (self._models, self._works, self._filters,
                                          self._orientations.indices, self._orientations.changes))

    def _follow(self) -> None:
        super()._follow()
        if self._orientations.moved:
            self._hydraulic['solved'] = 0       # derivatives are by other coordinates now

    def _step(self, dt: float) -> bool:
        p = self._parameters
        return predict_coupled(
            self._models, self._works, self._circuits, self._fluids, self._filters,
            self._hydraulics, self._coupleds, p.records, p.estimated, dt)

    def _correct(self, readings: FloatArray) -> int:
        p = self._parameters
        return correct_coupled(
            self._models, self._works, self._circuits, self._nominals, self._fluids,
            self._channels, self._filters, self._hydraulics, self._coupleds, p.records,
            p.estimated, readings)

    def _report(self) -> None:
        """Bring what is reported to where the states are."""
        p = self._parameters
        if not report_coupled(
                self._models, self._works, self._circuits, self._fluids, self._filters,
                self._hydraulics, self._coupleds, p.records, p.estimated):
            raise DivergenceError('the mechanism has no position with the estimated lengths')

    def _further_estimates(self) -> dict[str, Any]:
        return super()._further_estimates() | self._forces() | self._estimated_parameters() | {
            'hydraulics': self._oil()}

    def _forces(self):
        """Return the errors of the cylinders' forces as forces on z, and their deviations."""
        layout, f, c = self.layout, self._filter, self._coupleds[0]
        w = layout['force_error']
        along = (self._work['R'][self._circuit.cylinder_coordinates, :self._g].T
                 * c['unit'][:w.stop - w.start])
        covariance = along @ f['P'][w, w] @ along.T
        return {'forces': along @ f['x'][w], 'force_deviations': np.sqrt(covariance.diagonal())}

    def _estimated_parameters(self):
        """Return the parameters of oil and mechanism, in SI units, and their covariance."""
        layout, P = self.layout, self._filter['P']
        span = slice(layout['oil_parameter'].start, layout['parameter'].stop)
        oil = self._oil_parameters.values(self._filter['x'][layout['oil_parameter']])
        named = self._parameters.rates()
        rate = np.concatenate([oil, named])
        if not len(rate):
            return {}
        values = dict(zip(self._oil_parameters.names, oil.tolist(), strict=True))
        return {'parameters': values | self._parameters.values(),
                'parameter_covariance': P[span, span] * np.outer(rate, rate)}

    def _oil(self):
        """Return the HydraulicEstimate; accelerations are uncertain as the states are."""
        layout, f, g = self.layout, self._filter, self._g
        states = layout['bias'].start
        v, u = layout['pressure'], layout['spool']
        by_state = np.zeros((3 * g + u.stop - v.start, states))
        np.fill_diagonal(by_state[:2 * g], 1.0)
        by_state[2 * g:3 * g] = self._coupleds[0]['zdd_x'][:g, :states]
        by_state[3 * g:, v.start:u.stop] = np.eye(u.stop - v.start)
        units = np.concatenate([np.ones(3 * g), np.full(v.stop - v.start, PASCAL),
                                np.ones(u.stop - u.start)])
        by_state *= units[:, None]
        covariance = by_state @ f['P'][:states, :states] @ by_state.T
        w = layout['force_error']
        error = self._coupleds[0]['unit'][:w.stop - w.start] * f['x'][w]
        return HydraulicEstimate(
            PASCAL * f['x'][v], f['x'][u].copy(),
            self._fluids[0]['force'][:len(error)] + error, (covariance + covariance.T) / 2.0)
