"""Identify parameters: which mass and which gravity explain the readings?"""

import matplotlib.pyplot as plt

from mb_estimators import Experiment, identify
from mb_model import load_mechanism

NAMES = 'gravity.y', 'bodies.coupler.mass'

# The machine's coupler has 10 kg; the file says 8 kg, and gravity is wrong as well.
machine = load_mechanism('four_bar').replace(bodies={'coupler': {'mass': 10.0}})
experiment = Experiment(machine, ['crank_encoder', 'coupler_gyro'], {}, duration=3.0, dt=0.005)
believed = load_mechanism('four_bar').replace(gravity=[0.0, -9.0])

figure, panels = plt.subplots(1, 2, figsize=(7, 3.5), layout='constrained')
print('readings of           gravity [m/s^2]      coupler [kg]')
for k, duration in enumerate((1.0, 2.0, 3.0)):
    recording = experiment.recording(seed=1)
    rows = recording.t < duration
    found = identify(believed, experiment.sensors,
                     type(recording)(recording.stamps[rows], recording.readings[rows]), dt=0.005,
                     parameters=NAMES, parameter_deviations=(0.2, 0.5))
    print(f'{duration:.0f} s' + 14 * ' ' + ''.join(
        f'{found.values[name]:10.3f} +/- {found.deviations[name]:5.3f}' for name in NAMES))
    for axes, name in zip(panels, NAMES, strict=True):
        axes.errorbar(duration, found.values[name], 2 * found.deviations[name], fmt='o', capsize=4,
                      color=f'C{k}')
for axes, name, true, wrong in zip(panels, NAMES, (-9.81, 10.0), (-9.0, 8.0), strict=True):
    axes.axhline(true, color='k', linestyle='--', label='truth')
    axes.axhline(wrong, color='C3', linestyle=':', label='in the file')
    axes.set(title=name, xlabel='length of the recording [s]')
axes.legend()
figure.savefig('identify.png', dpi=100)
