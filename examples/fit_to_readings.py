"""Fit a machine to readings: which mass, which gravity and which noises explain them?"""

import matplotlib.pyplot as plt

from mb_estimators import Experiment, Recording, fit_readings
from mb_model import load_mechanism

NUMBERS = {'gravity.y': 0.2, 'bodies.coupler.mass': 0.5}      # what is believed: shares

# The machine's coupler has 10 kg; the file says 8 kg, and gravity is wrong as well.
machine = load_mechanism('four_bar').replace(bodies={'coupler': {'mass': 10.0}})
experiment = Experiment(machine, ['crank_encoder', 'coupler_gyro'], {}, duration=3.0, dt=0.005)
believed = load_mechanism('four_bar').replace(gravity=[0.0, -9.0])

figure, panels = plt.subplots(1, 2, figsize=(7, 3.5), layout='constrained')
print('readings of           gravity [m/s^2]      coupler [kg]      encoder [rad]')
for k, duration in enumerate((1.0, 2.0, 3.0)):
    whole = experiment.recording(seed=1)
    rows = whole.t < duration
    fitted = fit_readings(believed, experiment.sensors,
                          [Recording(whole.stamps[rows], whole.readings[rows])], dt=0.005,
                          numbers=NUMBERS)
    print(f'{duration:.0f} s' + 14 * ' ' + ''.join(
        f'{one.value:10.3f} +/- {one.deviation:5.3f}' for one in fitted.numbers)
        + f'{fitted.values["crank_encoder.sigma"]:15.4f}')
    for axes, one in zip(panels, fitted.numbers, strict=True):
        axes.errorbar(duration, one.value, 2 * one.deviation, fmt='o', capsize=4, color=f'C{k}')
for axes, name, true, wrong in zip(panels, NUMBERS, (-9.81, 10.0), (-9.0, 8.0), strict=True):
    axes.axhline(true, color='k', linestyle='--', label='truth')
    axes.axhline(wrong, color='C3', linestyle=':', label='in the file')
    axes.set(title=name, xlabel='length of the recording [s]')
axes.legend()
figure.savefig('fit_to_readings.png', dpi=100)
