"""Filters that estimate the unknown force on each degree of freedom."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError
from mb_estimators.filter.layout import Block, Layout, motion_blocks
from mb_estimators.filter.total_covariance import total_covariance
from mb_estimators.filters.channels import bias_block, channel_variances
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.shared_settings import machine_noise
from mb_estimators.kernels.exact_prediction import predict_index3_exact
from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray


def variance_factors() -> Any:
    """Return the setting of filters whose accelerations, or their errors, walk at random."""
    return setting(
        (), above=0.0,
        help='Of each degree of freedom, in the order of `independent`: what its variance is of '
             'the one for all; lengths [m] and angles [rad] need not change alike. Empty: 1')


def acceleration_variances(mechanism: Mechanism, settings: Any, variance: float) -> FloatArray:
    """Return the variance of each degree of freedom (g); variance: the one for all.

    settings: with acceleration_variance_factors.  Raises FilterError.
    """
    factors = settings.acceleration_variance_factors
    if factors and len(factors) != mechanism.g:
        raise FilterError(
            f'acceleration_variance_factors: {len(factors)} values, expected {mechanism.g}: of '
            f'{", ".join(mechanism.independent)}')
    return variance * np.array(factors or mechanism.g * [1.0])


@dataclass(frozen=True)
class ForceSettings(Settings):
    """Of all filters with the states z, zd and errors of zdd."""

    acceleration_variance: float = machine_noise(
        2.291e-3, unit='rad^2/s^4', grows=2.0,
        help='Variance by which the errors of the independent accelerations may grow in a step dt')
    acceleration_variance_factors: tuple[float, ...] = variance_factors()


class ForceFilter(ModelFilter):
    """A filter with the states z, zd and errors of zdd; what zdd was wrong by becomes a force.

    The model keeps the force.  Source: Rodriguez et al. 2023, Sec. 7.3.
    """

    takes_mountings = True
    _predict_kernel = staticmethod(predict_index3_exact)

    def _layout(self) -> Layout:
        return Layout([*motion_blocks(self.mechanism, 3 * [self.settings.initial_variance]),
                       bias_block(self.sensors), *self._further_blocks()])

    def _further_blocks(self) -> tuple[Block, ...]:
        """Return the blocks of states behind the biases."""
        return ()

    def _prepare(self) -> None:
        super()._prepare()
        plant, sensors = self._white_noises()
        self._filter['acceleration_walk'][:self._g] = plant / self.dt
        self._filter['sensor_variance'][:len(sensors)] = sensors

    def _white_noises(self) -> tuple[FloatArray, FloatArray]:
        """Return the variances of white noise at first: of errors of zdd in a step dt, of channels.

        A force that walks at random, by ForceSettings (g); and the noise of sensors (k).
        """
        return (acceleration_variances(
            self.mechanism, self.settings, self.settings.acceleration_variance),
            channel_variances(self.sensors))

    @cached_property
    def _force(self):
        return self._filter['force'][:self._g]

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) without a force; see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._force[:] = 0.0

    def _step(self, dt: float) -> bool:
        self._forces_on_z += self._force
        return super()._step(dt)

    def _covariance(self) -> FloatArray:
        """Return the covariance of z, zd, zdd; zdd errs by its state's error and A dz + B dzd."""
        g, work = self._g, self._work
        return total_covariance(super()._covariance(), work['A'][:g, :g], work['B'][:g, :g])

    def _further_estimates(self) -> dict[str, Any]:
        return super()._further_estimates() | {
            'forces': self._force.copy(),
            'force_deviations': np.sqrt(self._force_covariance().diagonal())}

    def _force_covariance(self) -> FloatArray:
        """Return the covariance of the force (g, g): M_bar times the error of zdd."""
        g = self._g
        inertia, P = self._work['M_bar'][:g, :g], self._filter['P'][2 * g:3 * g, 2 * g:3 * g]
        return inertia @ P @ inertia
