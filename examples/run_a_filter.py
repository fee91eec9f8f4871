"""Run a filter step by step: predict, correct, read the estimate and how certain it is."""

import matplotlib.pyplot as plt
import numpy as np

from mb_estimators import make_filter
from mb_model import load_mechanism, simulate

machine = load_mechanism('four_bar')
truth = simulate(machine, duration=4.0, dt=0.001)

# The filter's model is wrong: 10 % less gravity, and a start that is 0.2 rad off.
model = machine.replace(gravity=[0.0, -8.8], start={'theta': np.pi / 3 + 0.2})
observer = make_filter('error_ekf_fe', model, ['crank_encoder'], dt=0.005)
print(observer)

random = np.random.default_rng(1)
rows, nis = [], []
for k in range(0, len(truth.t), 5):                     # an encoder of 1 degree noise, at 200 Hz
    if k > 0:
        observer.predict(0.005)
    reading = truth.z[k, 0] + np.radians(1.0) * random.normal()
    nis.append(observer.correct([reading]).nis)
    estimate = observer.estimate
    rows.append([truth.t[k], truth.zd[k, 0], estimate.zd[0], estimate.covariance[1, 1] ** 0.5])
print(estimate)
print(f'mean NIS {np.mean(nis[200:]):.2f}, 1 where the filter is as certain as it may be')

t, true_speed, speed, deviation = np.transpose(rows)
figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
axes.fill_between(t, speed - 2 * deviation, speed + 2 * deviation, alpha=0.3, label='95 %')
axes.plot(t, speed, label='estimate')
axes.plot(t, true_speed, 'k--', label='truth')
axes.set(xlabel='time [s]', ylabel='speed of the crank [rad/s]', ylim=(-7.5, 1.5))
axes.legend(loc='lower left')
figure.savefig('run_a_filter.png', dpi=100)
