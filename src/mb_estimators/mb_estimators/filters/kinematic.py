"""What filters of motion alone share: states, start, and a mechanism that is told of them."""

from numba import float64
import numpy as np

from mb_estimators.filter import DivergenceError
from mb_estimators.filters.independent import IndependentFilter
from mb_estimators.kernels.motion_correction import correct_motion
from mb_estimators.kernels.motion_prediction import predict_motion
from mb_estimators.kernels.motion_state import tell
from mb_estimators.records.kinematic import KINEMATIC
from mb_model.bound import bound


class KinematicFilter(IndependentFilter):
    """A filter of z, zd, zdd and biases, without masses and forces.

    A plugin adds its settings, among them initial_acceleration_variance, and its plant noise.
    """

    _orders = 3
    moves_prescribed = False

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        self._kinematics = np.zeros(1, KINEMATIC)
        self._told = mechanism.workspace()
        super().__init__(mechanism, sensors, dt, settings)

    def _bind(self):
        super()._bind()
        f, work = self._filter, self._work
        self._states_and_place = {'x': f['x'], 'P': f['P'], 'bias': f['bias'],
                                  'q': work['q'], 'z': work['z'], 'R': work['R']}
        self._bind_steps()
        self._tells = bound(tell, (self._models, self._works, self._told, self._filters))
        self._motion = self._motion_of(self._told[0])

    def _bind_steps(self):
        """Bind the kernels of prediction, by the time dt [s], and correction, by readings."""
        self._moves = bound(predict_motion, (self._filters, self._g), float64)
        self._corrects = bound(
            correct_motion, (self._models, self._works, self._channels, self._filters,
                             self._kinematics), float64[::1])

    def __getstate__(self):
        views = '_states_and_place', '_moves', '_corrects', '_tells'
        return {name: value for name, value in super().__getstate__().items()
                if name not in views}

    @property
    def state(self):
        """The states, and where the mechanism is; see ModelFilter.state."""
        return self._states_and_place

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) without accelerations; covariance of z, zd, zdd; see ModelFilter."""
        super().reset(z, zd, covariance)
        x, g = self._filter['x'], self._g
        x[:] = 0.0
        x[:g], x[g:2 * g] = self._work['z'][:g], self._work['zd'][:g]

    def _set_covariance(self, covariance):
        settings, g = self.settings, self._g
        if covariance is None:
            covariance = np.diag(np.repeat(
                [settings.initial_variance, settings.initial_variance,
                 settings.initial_acceleration_variance], g))
        super()._set_covariance(covariance)
        for i in range(3 * g, int(self._filter['motion'])):
            self._filter['P'][i, i] = settings.initial_acceleration_variance

    def _step(self, dt):
        return self._moves(dt)

    def _correct(self, readings):
        return self._corrects(readings)

    @property
    def estimate(self):
        """The present Estimate; raises DivergenceError if the mechanism has no such position."""
        if not self._tells():
            raise DivergenceError('the mechanism has no position where it is estimated')
        return super().estimate
