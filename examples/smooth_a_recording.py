"""Smooth a recording: estimates by all readings, later ones too."""

import matplotlib.pyplot as plt
import numpy as np

from mb_estimators import Experiment, make_filter, smooth

experiment = Experiment('four_bar', ['crank_encoder'], {'gravity': -1.0, 'z0': np.pi / 16},
                        duration=3.0, dt=0.001)
recording = experiment.recording(seed=1)        # from a bag: mb_estimators.read_recording

observer = make_filter('error_ekf_fe', experiment.mechanism, experiment.sensors, dt=0.001)
smoothed = smooth(observer, recording, dt=0.001)

print('error (root mean square)    filter  smoother')
for title, name in (('position [rad]', 'position_rmse'), ('velocity [rad/s]', 'velocity_rmse'),
                    ('acceleration [rad/s^2]', 'acceleration_rmse')):
    filtered, later = (getattr(track, name)[0] for track in (smoothed.filtered, smoothed.motion))
    print(f'{title:24} {filtered:9.4f} {later:9.4f}')

figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
truth = recording.truth.zdd[:, 0]
axes.plot(recording.t, smoothed.filtered.zdd[:, 0] - truth, label='filter', linewidth=0.8)
axes.plot(recording.t, smoothed.motion.zdd[:, 0] - truth, label='smoother')
axes.set(xlabel='time [s]', ylabel='error of the acceleration [rad/s$^2$]', ylim=(-2, 2))
axes.legend()
figure.savefig('smooth_a_recording.png', dpi=100)
