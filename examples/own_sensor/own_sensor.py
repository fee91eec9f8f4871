"""Use a kind of sensor that the file beside this one adds, as any other kind."""

import matplotlib.pyplot as plt
import numpy as np

from mb_estimators import Experiment
from mb_model import load_mechanism

machine = load_mechanism('four_bar').replace(sensors={
    'sonar': {'kind': 'height', 'body': 'coupler', 'at': [4.0, 0.0], 'sigma': 0.01, 'rate': 50.0}})
experiment = Experiment(machine, ['sonar'], {'gravity': -0.5, 'z0': 0.05}, duration=4.0, dt=0.001)
result = experiment.run('error_ekf_fe', seed=1)
print(f'crank angle by one sonar: error {result.position_rmse[0]:.4f} rad, '
      f'without it {result.model.position_rmse[0]:.4f} rad')

figure, panels = plt.subplots(2, 1, figsize=(7, 4), layout='constrained', sharex=True)
panels[0].plot(result.t, result.readings[:, 0], '.', markersize=3)
panels[0].set(ylabel='sonar [m]')
for name, track in (('model alone', result.model), ('estimate', result.observer)):
    panels[1].plot(result.t, (track.z - result.truth.z)[:, 0], label=name)
deviation = np.sqrt(result.covariance[:, 0, 0])
panels[1].fill_between(result.t, -2 * deviation, 2 * deviation, alpha=0.3, label='95 %')
panels[1].set(xlabel='time [s]', ylabel='error of the\ncrank angle [rad]', ylim=(-0.3, 0.3))
panels[1].legend(ncols=3, loc='lower left')
figure.savefig('own_sensor.png', dpi=100)
