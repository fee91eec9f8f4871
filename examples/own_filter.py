"""Write a filter of your own: four methods, and it stands beside all others."""

import matplotlib.pyplot as plt
import numpy as np

from mb_estimators import Estimate, Experiment, Innovation, observe
from mb_model import make_stepper


class FixedGain:
    """A Luenberger observer: the model moves on, each reading pulls it by fixed gains."""

    def __init__(self, mechanism, variance, gains=(0.1, 1.0)):
        """Set up; variance: of a reading; gains: for the angle, for its rate [1/s]."""
        self.mechanism, self._variance, self._gains = mechanism, variance, gains
        self._stepper = make_stepper(mechanism)
        self.reset(mechanism.z0, mechanism.zd0)

    def reset(self, z, zd, covariance=None):
        """Start from an angle and its rate."""
        self._stepper.reset(z, zd)

    def predict(self, dt, inputs=None):
        """Step the multibody model."""
        self._stepper.step(dt)

    def correct(self, readings):
        """Pull angle and rate towards a reading; NaN: there is none."""
        residual = np.nan_to_num(np.asarray(readings) - self._stepper.z)
        self.reset(self._stepper.z + self._gains[0] * residual,
                   self._stepper.zd + self._gains[1] * residual)
        return Innovation(np.arange(1), residual, np.array([[self._variance]]),
                          float(residual[0] ** 2 / self._variance), np.empty(0, int))

    @property
    def estimate(self):
        """The motion now; it does not know how certain that is."""
        s = self._stepper
        return Estimate(s.z, s.zd, s.zdd, s.q, s.qd, s.qdd, np.full((2, 2), np.nan))


experiment = Experiment('four_bar', ['crank_encoder'], {'gravity': -1.0, 'z0': 0.2}, 4.0, 0.001)
variance = experiment.sensors[0].settings.variance
ours = observe(FixedGain(experiment.mechanism, variance), experiment.stamps,
               experiment.readings(seed=1), experiment.dt)
kalman = experiment.run('error_ekf_fe', seed=1)

figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
for name, zd in ('fixed gains', ours.zd), ('error_ekf_fe', kalman.observer.zd):
    error = zd[:, 0] - experiment.truth.zd[:, 0]
    print(f'{name:12} error of the speed {np.sqrt(np.mean(error ** 2)):.4f} rad/s')
    axes.plot(experiment.t, error, label=name, linewidth=1.0)
axes.set(xlabel='time [s]', ylabel='error of the speed [rad/s]')
axes.legend()
figure.savefig('own_filter.png', dpi=100)
