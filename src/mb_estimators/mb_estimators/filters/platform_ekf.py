"""platform_ekf: pose, velocity and acceleration of a robot by encoders and one IMU."""

from dataclasses import dataclass

from numba import float64

from mb_estimators.filters.kinematic import KinematicFilter
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.filters.sigma_points import SymmetricSettings, new_sigmas, symmetric_points
from mb_estimators.kernels.motion_correction import correct_motion
from mb_estimators.kernels.motion_points import correct_motion_by_points
from mb_estimators.kernels.motion_prediction import predict_motion
from mb_model import setting
from mb_model.kernel_api import bound


@dataclass(frozen=True)
class PlatformEkfSettings(ModelFilterSettings):
    """Kinematics only, for accelerations that a contact may change from one reading to the next."""

    jerk_psd: float = setting(
        1e4, unit='m^2/s^5', above=0.0,
        help='Power spectral density of the jerk of degrees of freedom that are lengths: the mean '
             'square by which their accelerations change in a time, over that time. A contact that '
             'changes them by 3 m/s^2 in a millisecond: 1e4')
    angular_jerk_psd: float = setting(
        1e4, unit='rad^2/s^5', above=0.0,
        help='The same of angles, whose accelerations no sensor reads: also how '
             'little these are smoothed')
    initial_acceleration_variance: float = setting(
        100.0, unit='rad^2/s^4', above=0.0,
        help='Variance of the accelerations at the start, where they are taken for zero')
    correction: str = setting(
        'iterated', choices=('iterated', 'sigma_points'),
        help='Linearised, and anew where a correction moves the mechanism; or by sigma points of '
             'all states (unscented)')
    gate: float = setting(
        0.0, at_least=0.0,
        help='Readings farther from the prediction than so many standard deviations are left out; '
             '0 leaves none out, for readings of a collision are far away, too')


class PlatformEkf(KinematicFilter):
    """The extended Kalman filter of Mohammad et al. 2025, Sec. III-B.

    States: z, zd, zdd, biases.  Encoders are read as they are, not as a pose made of them, so that
    any of them may be missing, wrong or biased, and their noise is as the data sheet says.
    """

    Settings = PlatformEkfSettings
    takes_mountings = True

    def _prepare(self) -> None:
        super()._prepare()
        settings, mechanism = self.settings, self.mechanism
        self._filter['acceleration_walk'][:self._g] = [
            settings.angular_jerk_psd if mechanism.unit(name) == 'rad' else settings.jerk_psd
            for name in mechanism.independent]
        self._sigmas = new_sigmas(self._sizes, *symmetric_points(
            self.layout.size, SymmetricSettings()))
        self._bind_steps()

    def _bind_steps(self) -> None:
        self._moves = bound(predict_motion, (self._filters, self._g), float64)
        corrected = self._models, self._works, self._channels, self._filters
        self._corrects = bound(
            correct_motion_by_points, (*corrected, self._sigmas), float64[::1]
        ) if self.settings.correction == 'sigma_points' else bound(
            correct_motion, (*corrected, self._kinematics), float64[::1])
