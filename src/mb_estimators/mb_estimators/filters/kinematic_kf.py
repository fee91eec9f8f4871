"""kinematic_kf: positions, velocities and accelerations without dynamics, then the forces."""

from dataclasses import dataclass
from math import inf
from typing import Any

from numba import float64
import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError
from mb_estimators.filters.estimated_force import (
    acceleration_variances,
    variance_factors,
)
from mb_estimators.filters.kinematic import KinematicFilter
from mb_estimators.filters.shared_settings import ModelFilterSettings, machine_noise
from mb_estimators.kernels.kinematic_correction import DISTURBANCE, correct_kinematic
from mb_estimators.kernels.kinematic_prediction import STAGES, predict_kinematic
from mb_model import setting
from mb_model.kernel_api import bound

_SCHEMES = {        # shares of the step, weights of the slopes there
    'taylor': ((0.0,), (1.0,)),
    'rk2': ((0.0, 0.5), (0.0, 1.0)),
    'rk4': ((0.0, 0.5, 0.5, 1.0), (1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0))}


@dataclass(frozen=True)
class KinematicKfSettings(ModelFilterSettings):
    """Kinematic filter: no masses, no forces; these come in a second stage, by inverse dynamics."""

    acceleration_model: str = setting(
        'random_walk', choices=('random_walk', 'jerk', 'difference', 'derivative', 'input'),
        help='What is known of the independent accelerations in a step. random_walk: they stay, '
             'but for noise; jerk: so do their differences from step to step; difference: they '
             'become the difference of the velocities by the step, which noise moves; derivative: '
             'the same, but for noise of their own; input: they are what the accelerometers last '
             'read, if these determine them')
    acceleration_variance: float = machine_noise(
        1.0, unit='rad^2/s^4', grows=2.0,
        help='Variance by which the independent accelerations may change in a step dt beside: '
             'their random walk, or what they differ by from those read a step before')
    derivative_variance: float = machine_noise(
        1.0, unit='rad^2/s^4', grows=2.0,
        help='Variance by which they may differ from the differences of velocities, with '
             'derivative')
    acceleration_variance_factors: tuple[float, ...] = variance_factors()
    discretisation: str = setting(
        'taylor', choices=tuple(_SCHEMES),
        help='How measured accelerations move a step. taylor: they are taken at its start; rk2, '
             'rk4: also at instants within, where the same readings mean other accelerations')
    jerk_variance: float = machine_noise(
        1e3, unit='rad^2/s^6', grows=3.0,
        help='Variance by which the jerk may grow in a step dt, where it is a state')
    initial_acceleration_variance: float = machine_noise(
        100.0, unit='rad^2/s^4', grows=2.0,
        help='Variance of the accelerations, and of the jerk, at the start, where they are '
             'taken for zero; accelerometers have to determine them better than that to be inputs')
    force_stage: str = setting(
        'observer', choices=('observer', 'ekf'),
        help='How forces follow what inverse dynamics need. observer: at a bandwidth; ekf: as much '
             'as the motion is certain, beside a random walk')
    force_psd: float = setting(
        1e3, unit='N^2/s', above=0.0,
        help='Variance by which an unknown force walks in a second (N^2 m^2/s of a moment), '
             'with ekf')
    force_bandwidth: float = setting(
        100.0, unit='rad/s', above=0.0,
        help='Bandwidth at which the estimated forces follow the forces that inverse dynamics need')


class KinematicKf(KinematicFilter):
    """The kinematic Kalman filter of Rodriguez et al. 2023, Sec. 8, and its two-stage extension.

    States: z, zd, zdd, and the jerk if it is modelled, of orientations in the bodies' frames.  The
    models of the acceleration are as in the review [39]: a random walk; the numerical derivative,
    zdd_k = (zd_k - zd_k-1) / h, of a velocity that noise or measured accelerations (Eq. 86) drive;
    this with noise of its own; beside them the jerk.  The text has no equations of them.
    Accelerometers correct the state too, as all sensors do.  There should be a sensor of positions
    for each degree of freedom, or accelerometers, which feel how a body lies: nothing else ties the
    position down.
    """

    Settings = KinematicKfSettings
    takes_mountings = takes_scales = True
    needs_masses = False

    def _further_orders(self):
        jerk = self.settings.acceleration_model == 'jerk'
        return jerk * [self.settings.initial_acceleration_variance]

    def _prepare(self) -> None:
        super()._prepare()
        settings = self.settings
        if self._scales and settings.acceleration_model == 'input':
            raise FilterError(f'acceleration_model: input takes accelerometers as they read, but '
                              f'scale_sigma or misalignment_sigma of {next(iter(self._scales))} '
                              'makes a state of its sensitivity; expected random_walk or jerk')
        self._keeps_accelerations = settings.acceleration_model != 'input'
        walk = {'jerk': settings.jerk_variance, 'derivative': settings.derivative_variance,
                'difference': 0.0}.get(settings.acceleration_model, settings.acceleration_variance)
        self._filter['acceleration_walk'][:self._g] = acceleration_variances(
            self.mechanism, settings, walk) / self.dt
        self._disturbances = DISTURBANCE.of(self._sizes)
        self._disturbances['bandwidth'] = settings.force_bandwidth
        self._disturbances['filters'] = settings.force_stage == 'ekf'
        self._disturbances['walk'] = settings.force_psd
        self._stages = STAGES.of(self._sizes)
        shares, weights = _SCHEMES[settings.discretisation]
        self._stages['count'] = len(shares)
        self._stages['share'][0, :len(shares)] = shares
        self._stages['weight'][0, :len(shares)] = weights
        if settings.acceleration_model in ('difference', 'derivative'):
            self._stages['difference'][0, :self._g] = acceleration_variances(
                self.mechanism, settings, settings.acceleration_variance) / self.dt
        self._inputs_below = (0.0 if self._keeps_accelerations
                              else settings.initial_acceleration_variance)
        self._bind_steps()

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) without accelerations; covariance of z, zd, zdd; see ModelFilter."""
        super().reset(z, zd, covariance)
        self._filter['readings'] = np.nan
        self._disturbances['elapsed'] = inf
        self.correct(np.full(self._channels.shape, np.nan))     # the forces

    @property
    def state(self):
        """See KinematicFilter.state; also the forces, and the readings that drive the model."""
        return super().state | {'disturbance': self._disturbances,
                                'readings': self._filter['readings']}

    def _bind_steps(self) -> None:
        self._moves = bound(
            predict_kinematic, (self._models, self._works, self._channels, self._filters,
                                self._disturbances, self._stages, self._inputs_below), float64)
        self._corrects = bound(
            correct_kinematic, (self._models, self._works, self._reported, self._channels,
                                self._filters, self._kinematics, self._disturbances), float64[::1])

    def _further_estimates(self) -> dict[str, Any]:
        if self.mechanism.described.unweighed:
            return super()._further_estimates()
        disturbance = self._disturbances[0]
        return super()._further_estimates() | {
            'forces': disturbance['force'][:self._g].copy(),
            'force_deviations': np.sqrt(disturbance['covariance'].diagonal()[:self._g])}
