"""Filters in dependent coordinates, whose states satisfy the constraints: sckf, diekf_pm."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mb_estimators.filter import DivergenceError, FilterError
from mb_estimators.filter.layout import Block, Layout
from mb_estimators.filters.channels import bias_block
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.orientations import PLANAR_PAPER
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.uncertainty import FactoredCovariance
from mb_estimators.kernels.dependent_correction import correct_diekf_pm, correct_sckf
from mb_estimators.kernels.dependent_prediction import (
    PREDICTED,
    TOO_NOISY,
    predict_dependent,
)
from mb_estimators.kernels.dependent_state import accelerate_torn
from mb_estimators.kernels.orientations import follow_bodies_by_factor
from mb_estimators.records.filter import DEPENDENT
from mb_model import Mechanism, Settings, setting
from mb_model.kernel_api import bound

_DECAY = 1.0              # of diekf_pm: in every iteration the variance is divided by e


@dataclass(frozen=True)
class ConstraintSettings(Settings):
    """Of all filters in dependent coordinates."""

    constraint_tolerance: float = setting(
        1e-3, unit='m^2', above=0.0,
        help='Norm that the constraints and their rates may have')


@dataclass(frozen=True)
class DependentSettings(Settings):
    """Of filters to which constraints are readings."""

    dependent_variance: float = setting(
        1.0, unit='m^2', above=0.0,
        help='Variance by which positions and velocities of the coordinates that are no degrees '
             'of freedom may change in a step, beside moving with these: much more than is '
             'needed, so that the constraints are free to move them')
    as_published: bool = setting(
        False,
        help='Whether to be the filter of the paper to the letter. true: a prediction is not '
             'closed, however far its Euler step leaves the constraints; the noise of constraints '
             'shrinks by its decay alone; all coordinates and velocities start with '
             'initial_variance, and the ones that are no degrees of freedom have the plant noise '
             'dependent_variance, no more, so that this must be larger than acceleration_psd times '
             'the step times the square of how fast they move with the degrees of freedom, or the '
             'filter cannot predict; readings with which the constraints are not met are '
             'impossible. false: predictions beyond constraint_tolerance are closed; sckf adds '
             'what constraints are still off by to their noise; the start has the covariance '
             'that the constraints allow')


class DependentFilter(ModelFilter):
    """A filter with the states q, qd and biases; a plugin adds its settings and its correction."""

    _record_type = DEPENDENT

    def _layout(self) -> Layout:
        return Layout([*_coordinate_blocks(self.mechanism, self.settings.initial_variance),
                       bias_block(self.sensors)])

    def _prepare(self) -> None:
        super()._prepare()
        settings, record = self.settings, self._filter
        if settings.as_published and self._turns:
            raise FilterError(f'{self.mechanism.name}: {PLANAR_PAPER}')
        self._uncertainty = FactoredCovariance(self.mechanism, self._works, self._filters,
                                               self.layout)
        record['acceleration_psd'][:self._g] = settings.acceleration_psd
        record['as_published'] = settings.as_published
        record['tolerance'] = settings.constraint_tolerance
        if isinstance(settings, DependentSettings):
            record['dependent_variance'] = settings.dependent_variance

    @cached_property
    def _follows(self):
        charts = self._models['chart_coordinate'][0, :self._models['charts'][0]].copy()
        return bound(follow_bodies_by_factor, (self._models, self._works, self._filters, charts,
                                               self._orientations.changes))

    def _step(self, dt: float) -> bool:
        status = predict_dependent(self._models, self._works, self._filters, dt)
        if status == TOO_NOISY:
            raise DivergenceError(
                'the plant noise moves the other coordinates by more than dependent_variance, '
                'which as_published is all of their noise')
        return status == PREDICTED

    def _accelerate(self) -> bool:
        return accelerate_torn(self._models, self._works)

    def _walk_biases(self, dt: float) -> None:
        """Predictions of the factor contain that walk."""


@dataclass(frozen=True)
class SckfSettings(DependentSettings, ConstraintSettings, WhiteNoiseSettings,
                   ModelFilterSettings):
    """Smoothly constrained filter: after the readings, constraints are taken for noisy ones."""

    weakening: float = setting(
        0.1, above=0.0,
        help='First noise of the constraints, as a share of what the covariance says of them')
    weakening_decay: float = setting(
        10.0, above=0.0, help='The noise of the constraints falls by e^-decay in every pass')


class Sckf(DependentFilter):
    """The smoothly constrained Kalman filter of Rodriguez et al. 2023, Sec. 6.1 (SCKF).

    By default it differs from the paper where that makes it wrong: see `as_published`.
    """

    Settings = SckfSettings
    steps_explicitly = True
    _correct_kernel = staticmethod(correct_sckf)

    def _prepare(self) -> None:
        super()._prepare()
        self._filter['weakening'] = self.settings.weakening
        self._filter['decay'] = self.settings.weakening_decay


@dataclass(frozen=True)
class DiekfPmSettings(DependentSettings, ConstraintSettings, WhiteNoiseSettings,
                      ModelFilterSettings):
    """Iterated filter that takes readings and constraints in together."""

    constraint_variance: float = setting(
        1e-3, unit='m^4', above=0.0,
        help='Variance of the constraints in the first iteration; in every further one it is '
             'divided by e')


class DiekfPm(DependentFilter):
    """The iterated EKF with perfect measurements of Rodriguez et al. 2023, Sec. 6.2 (DIEKFpm).

    By default it differs from the paper where that makes it wrong: see `as_published`.
    """

    Settings = DiekfPmSettings
    steps_explicitly = True
    _correct_kernel = staticmethod(correct_diekf_pm)

    def _prepare(self) -> None:
        super()._prepare()
        self._filter['weakening'] = self.settings.constraint_variance
        self._filter['decay'] = _DECAY


def _coordinate_blocks(mechanism: Mechanism, variance: float):
    """Return the blocks of q and qd; variance: of each where none follows from the constraints."""
    units = [mechanism.unit(name) for name in mechanism.coordinates]
    variances = np.full(mechanism.n, variance)
    return [Block('coordinate', tuple(mechanism.coordinates), tuple(units), variances),
            Block('coordinate velocity',
                  tuple(f'{name} velocity' for name in mechanism.coordinates),
                  tuple(f'{unit}/s' for unit in units), variances)]
