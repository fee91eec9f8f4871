"""Compare filters: the same machine, the same wrong model, the same readings."""

import matplotlib.pyplot as plt
import numpy as np

from mb_estimators import Experiment

FILTERS = 'error_ekf', 'error_ekf_fe', 'ukf', 'kinematic_kf'

# The model falls too slowly and starts wrong; truth and model move here, once for all filters.
experiment = Experiment('four_bar', ['crank_encoder'], {'gravity': -1.0, 'z0': np.pi / 16},
                        duration=3.0, dt=0.001)
figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')


def plot(name, track):
    """Plot the error of the crank angle, its root mean square over 0.2 s."""
    squares = (track.z - experiment.truth.z)[:, 0] ** 2
    axes.semilogy(experiment.t, np.sqrt(np.convolve(squares, np.ones(200) / 200, 'same')),
                  label=name)


print('filter           position [rad]  velocity [rad/s]   NIS')
for name in FILTERS:
    result = experiment.run(name, seed=1)
    plot(name, result.observer)
    print(f'{name:15}  {result.position_rmse_after_2s[0]:14.5f}  {result.velocity_rmse[0]:16.4f}'
          f'  {result.nis[np.isfinite(result.readings[:, 0])].mean():5.2f}')
print(f'no filter        {result.model.position_rmse_after_2s[0]:14.5f}'
      f'  {result.model.velocity_rmse[0]:16.4f}')
plot('model alone', result.model)
axes.set(xlabel='time [s]', ylabel='error of the crank angle [rad]', ylim=(1e-3, 20))
axes.legend(ncols=2)
figure.savefig('compare.png', dpi=100)
