"""filterpy's EKF and UKF around our model of a mechanism with an encoder on its first angle.

The model steps by the same compiled trapezoidal rule as in our filters, and plant noise, f_x of the
EKF (constant acceleration, as error_ekf's) and sigma points of the UKF are our defaults.
"""

from filterpy.kalman import ExtendedKalmanFilter, MerweScaledSigmaPoints, UnscentedKalmanFilter
import numpy as np

from mb_estimators import ErrorEkf, Ukf
from mb_estimators.kernel_api import put_at
from mb_model.jit import entry
from mb_model.kernel_api import trapezoidal_step

_step = trapezoidal_step


@entry
def _step_from(models, works, x, h, after):
    """Step from x = (z, zd) over h [s], write z, zd after it; return whether the model can."""
    model, work = models[0], works[0]
    if not (put_at(model, work, work.q, x) and _step(model, work, h)):
        return False
    for k in range(model.g):
        after[k], after[model.g + k] = work.z[k], work.zd[k]
    return True


class _Peer:
    """What both have in common: the model, the reading of its first angle, how they are called."""

    def __init__(self, mechanism, sensors, dt, settings):
        self._mechanism, self._works = mechanism, mechanism.workspace()
        self._works['q'][0, :mechanism.n] = mechanism.q0
        self._dt = dt
        self._filter = self._new_filter(settings)
        self._filter.x = np.concatenate([mechanism.z0, mechanism.zd0])
        self._filter.P = settings.initial_variance * np.eye(2)
        self._filter.R = np.array([[sensors[0].settings.variance]])
        self._filter.Q = settings.acceleration_psd * np.array(
            [[dt ** 3 / 3.0, dt ** 2 / 2.0], [dt ** 2 / 2.0, dt]])

    @property
    def x(self):
        """The estimate: angle and velocity."""
        return self._filter.x

    def _after_step(self, x, dt):
        after = np.empty(2)
        if not _step_from(self._mechanism.model, self._works, x, dt, after):
            raise ArithmeticError('the model cannot step')
        return after

    def predict(self, dt):
        """Predict over the dt [s] of the filter."""
        self._filter.predict()


class FilterpyEkf(_Peer):
    """filterpy's extended Kalman filter."""

    H = np.array([[1.0, 0.0]])

    def __init__(self, mechanism, sensors, dt):
        super().__init__(mechanism, sensors, dt, ErrorEkf.Settings())

    def _new_filter(self, settings):
        filter_ = ExtendedKalmanFilter(dim_x=2, dim_z=1)
        filter_.F = np.array([[1.0, self._dt], [0.0, 1.0]])
        filter_.predict_x = self._predict_x      # as filterpy has it for nonlinear models
        return filter_

    def _predict_x(self, u):
        self._filter.x = self._after_step(self._filter.x, self._dt)

    def correct(self, readings):
        """Take in a reading (1)."""
        self._filter.update(readings, lambda x: self.H, lambda x: x[:1])


class FilterpyUkf(_Peer):
    """filterpy's unscented Kalman filter."""

    def __init__(self, mechanism, sensors, dt):
        super().__init__(mechanism, sensors, dt, Ukf.Settings())

    def _new_filter(self, settings):
        points = MerweScaledSigmaPoints(2, settings.alpha, settings.beta, settings.kappa)
        return UnscentedKalmanFilter(
            dim_x=2, dim_z=1, dt=self._dt, hx=lambda x: x[:1], fx=self._after_step, points=points)

    def correct(self, readings):
        """Take in a reading (1)."""
        self._filter.update(readings)
