"""What filters of motion alone share: states, start, and a mechanism that follows them."""

from abc import ABC, abstractmethod
from functools import cached_property

from numpy.typing import ArrayLike

from mb_estimators.filter import DivergenceError, Estimate
from mb_estimators.filter.layout import Layout, motion_blocks
from mb_estimators.filters.channels import bias_block, write_scales
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.orientations import motion_views
from mb_estimators.filters.whole_accelerations import WholeAccelerations
from mb_estimators.kernels.motion_correction import KINEMATIC
from mb_estimators.kernels.motion_observation import report_motion
from mb_model.arrays import FloatArray
from mb_model.kernel_api import bound


class KinematicFilter(WholeAccelerations, ModelFilter, ABC):
    """A filter of z, zd, zdd and biases, without masses and forces.

    A plugin adds its settings, among them initial_acceleration_variance, its plant noise, and
    binds its kernels.
    """

    moves_prescribed = False

    def _layout(self) -> Layout:
        settings = self.settings
        variances = [*2 * [settings.initial_variance], settings.initial_acceleration_variance]
        return Layout([*motion_blocks(self.mechanism, [*variances, *self._further_orders()]),
                       bias_block(self.sensors)])

    def _further_orders(self):
        """Return the variances at the start of derivatives beyond accelerations."""
        return []

    def _prepare(self) -> None:
        super()._prepare()
        self._kinematics = KINEMATIC.of(self._sizes)
        write_scales(self._filter, self._kinematics[0], self.sensors, len(self._biases))
        self._reported = self.mechanism.workspace()
        if self.mechanism.described.unweighed:
            # Any inertia of the rates of z: forces that follow are no part of the estimate.
            z = self.mechanism.indices(self.mechanism.independent)
            for work in (self._works, self._reported):
                work['M'][0][z, z] = 1.0

    @abstractmethod
    def _bind_steps(self) -> None:
        """Bind the kernels of prediction, by the time dt [s], and correction, by readings."""

    def __getstate__(self):
        return {name: value for name, value in super().__getstate__().items()
                if name not in ('_moves', '_corrects')}

    def __setstate__(self, state):
        vars(self).update(state)
        self._bind_steps()

    @cached_property
    def _reports(self):
        return bound(report_motion, (self._models, self._works, self._reported, self._filters))

    @cached_property
    def _motion(self):
        return motion_views(self.mechanism, self._reported[0])

    @cached_property
    def _states_and_position(self):
        f, work = self._filter, self._work
        return {'x': f['x'], 'P': f['P'], 'bias': f['bias'],
                'q': work['q'], 'z': work['z'], 'R': work['R']}

    @property
    def state(self):
        """The states, and where the mechanism is; see ModelFilter.state."""
        return self._states_and_position

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) without accelerations; covariance of z, zd, zdd; see ModelFilter."""
        super().reset(z, zd, covariance)
        x, g = self._filter['x'], self._g
        x[:] = 0.0
        x[:g], x[g:2 * g] = self._work['z'][:g], self._work['zd'][:g]

    def act(self, inputs: ArrayLike | None) -> None:
        """Nothing: known forces say nothing of accelerations that are states."""

    def _move(self, dt: float) -> bool:
        return self._moves(dt)

    def _take_in(self, readings: FloatArray) -> int:
        return self._corrects(readings)

    @property
    def estimate(self) -> Estimate:
        """The present Estimate; raises DivergenceError if the mechanism has no such position."""
        if not self._reports():
            raise DivergenceError('the mechanism has no position where it is estimated')
        return super().estimate
