"""What filters in dependent coordinates share: states q and qd, which satisfy the constraints."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mb_estimators.filter import DivergenceError, FilterError
from mb_estimators.filter.layout import Block, Layout
from mb_estimators.filters.blocks import bias_block
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.orientations import PLANAR_PAPER
from mb_estimators.filters.uncertainty import FactoredCovariance
from mb_estimators.kernels.dependent_prediction import (
    PREDICTED,
    TOO_NOISY,
    predict_dependent,
)
from mb_estimators.kernels.dependent_state import accelerate_torn
from mb_estimators.kernels.orientations import follow_bodies_by_factor
from mb_estimators.records.filter import DEPENDENT
from mb_model import Settings, setting
from mb_model.kernel_api import bound


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

    def __init__(self, mechanism, sensors, dt, settings, *, as_published, dependent_variance=0.0):
        """Make workspaces and record.  Raises SensorError.

        as_published: as in DependentSettings; dependent_variance: as there, 0 where constraints
        are no readings.
        """
        layout = Layout([*_coordinate_blocks(mechanism, settings.initial_variance),
                         bias_block(sensors)])
        super().__init__(mechanism, sensors, dt, settings, layout, record_type=DEPENDENT)
        if as_published and self._turns:
            raise FilterError(f'{mechanism.name}: {PLANAR_PAPER}')
        self._uncertainty = FactoredCovariance(mechanism, self._works, self._filters, layout)
        record = self._filter
        record['acceleration_psd'][:self._g] = settings.acceleration_psd
        record['dependent_variance'] = dependent_variance
        record['as_published'] = as_published
        record['tolerance'] = settings.constraint_tolerance

    @cached_property
    def _follows(self):
        charts = self._models['chart_coordinate'][0, :self._models['charts'][0]].copy()
        return bound(follow_bodies_by_factor, (self._models, self._works, self._filters, charts,
                                               self._orientations.changes))

    def _step(self, dt):
        status = predict_dependent(self._models, self._works, self._filters, dt)
        if status == TOO_NOISY:
            raise DivergenceError(
                'the plant noise moves the other coordinates by more than dependent_variance, '
                'which as_published is all of their noise')
        return status == PREDICTED

    def _accelerate(self):
        return accelerate_torn(self._models, self._works)

    def _walk_biases(self, dt):
        """Predictions of the factor contain that walk."""


def _coordinate_blocks(mechanism, variance):
    """Return the blocks of q and qd; variance: of each where none follows from the constraints."""
    units = [mechanism.unit(name) for name in mechanism.coordinates]
    variances = np.full(mechanism.n, variance)
    return [Block('coordinate', tuple(mechanism.coordinates), tuple(units), variances),
            Block('coordinate velocity',
                  tuple(f'{name} velocity' for name in mechanism.coordinates),
                  tuple(f'{unit}/s' for unit in units), variances)]
