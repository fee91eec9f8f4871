"""adekf: discrete EKF with unknown forces at chosen points among its states."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.augmented_ekf import Augmented
from mb_estimators.filters.dekf_exponential import ExponentialSettings, ExponentialSteps
from mb_estimators.filters.force_sources import check_sources, mobility, source_effects
from mb_estimators.filters.machine_noise import growth
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.parts import ExactTransition
from mb_estimators.filters.shared_settings import (
    ModelFilterSettings,
    WhiteNoiseSettings,
    machine_noise,
)
from mb_estimators.kernels.parameters import write_accelerations
from mb_estimators.records.parameter import AUGMENTED
from mb_model import Mechanism, setting
from mb_model.jit import sizes_of
from mb_sensors import Sensor

_ACCELERATION = 0.7       # rad/s^2 or m/s^2, of the four-bar linkage


@dataclass(frozen=True)
class AdekfSettings(ExponentialSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Discrete EKF that estimates forces at chosen points and directions, as random walks."""

    acceleration_psd: float = machine_noise(
        1e-3, unit='rad^2/s^3', grows=1.0,
        help='Power spectral density of the noise of the independent accelerations: what the '
             'estimated forces do not explain')
    unknown_forces: tuple[str, ...] = setting(
        (),
        help='Forces that are estimated: numbers of forces in the mechanism file, such as '
             'forces.push.force.x or forces.push.moment of a load, or degrees of freedom; none: '
             'all degrees of freedom')
    force_deviations: tuple[float, ...] = setting(
        (), unit='N', above=0.0, one_for_all=True,
        help='Initial standard deviation of each of them [N or N m], or one for all; none: as much '
             'as accelerates the start position by 0.7 rad/s^2 or m/s^2, fast machines by more')
    force_walks: tuple[float, ...] = setting(
        (), unit='N/sqrt(s)', at_least=0.0, one_for_all=True,
        help='How much each of them walks, or one for all: the standard deviation that a second '
             'adds; none: as of force_deviations')


class Adekf(ExponentialSteps, ExactTransition, Augmented):
    """The augmented discrete EKF (ADEKF) of Rodriguez et al. 2023, Sec. 5.

    States: z and zd, matrix-R formulation, biases of sensors, and forces that walk randomly.  With
    `exponential: order_0` it steps by forward Euler.  A force acts where the mechanism file says,
    in the direction there, at a point of a body, along a line between two points or on a
    coordinate; a contact is such a force, too (Pyrhonen et al. 2023a, Sec. 6).
    """

    Settings = AdekfSettings

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor], dt: float,
                 settings: AdekfSettings) -> None:
        """Set up at the mechanism's start.  Raises FilterError, SensorError, MechanismError."""
        super().__init__(mechanism, sensors, dt, settings)
        self.follows_any_acceleration = bool(
            np.linalg.matrix_rank(self._generalized()) == self._g)

    def _wanted(self) -> Parameters:
        settings = self.settings
        return force_parameters(self.mechanism, settings.unknown_forces, settings.force_deviations,
                                settings.force_walks)

    def _further_estimates(self) -> dict[str, Any]:
        by_unit = self._generalized()
        span = self.layout['parameter']
        covariance = by_unit @ self._filter['P'][span, span] @ by_unit.T
        return super()._further_estimates() | {
            'forces': by_unit @ self._parameters.records['value'],
            'force_deviations': np.sqrt(covariance.diagonal())}

    def _generalized(self):
        """Return what a unit of each unknown force does on the degrees of freedom (g, p)."""
        write_accelerations(self._models, self._works, self._parameters.records,
                            self._parameters.estimated, self._exponentials)
        g, p = self._g, len(self._parameters.names)
        return self._work['M_bar'][:g, :g] @ self._exponentials[0]['zdd_s'][:g, :p]


def force_parameters(mechanism: Mechanism, names: tuple[str, ...], deviations: tuple[float, ...],
                     walks: tuple[float, ...]) -> Parameters:
    """Return Parameters of unknown forces, in N or N m; no names: all degrees of freedom.

    Raises FilterError.
    """
    check_sources(mechanism, 'unknown_forces', names)
    paths = tuple(f'known_forces.{name}.offset' if name in mechanism.independent else name
                  for name in names or mechanism.independent)
    for key, values in (('force_deviations', deviations), ('force_walks', walks)):
        if len(values) not in (0, 1, len(paths)):
            raise FilterError(f'{key}: {len(values)} values, expected 1 or one for each of the '
                              f'{len(paths)} unknown forces')
    if not (deviations and walks):
        usual = _usual(mechanism, names or mechanism.independent)
        deviations, walks = deviations or usual, walks or usual
    parameters = Parameters(mechanism, ParameterSettings(
        parameters=paths, parameter_deviations=deviations, parameter_walks=walks), AUGMENTED,
        sizes_of(mechanism.model), known_forces=True)
    parameters.estimated[0]['unit'] = 1.0
    return parameters


def _usual(mechanism: Mechanism, names: Sequence[str]):
    """Return forces (p) that each accelerate the start position as much as _ACCELERATION."""
    z, zd = mechanism.z0, mechanism.zd0
    by_force = mobility(mechanism, z, zd) @ source_effects(mechanism, z, zd, names)
    largest = np.abs(by_force).max(axis=0)
    for name, acceleration in zip(names, largest, strict=True):
        if not acceleration > 0.0:
            raise FilterError(f'unknown_forces: {name}: moves nothing at the start, so that '
                              'force_deviations and force_walks are to be given')
    return tuple((_ACCELERATION * growth(mechanism, 2.0) ** 0.5 / largest).tolist())
