"""Gains and offsets of a real double pendulum's motors, found by a filter while it runs.

augmented_ekf is given the encoders and what motors report, pulses and all, and estimates how much
of it acts.  The unit of torque is that of the shoulder's motor, so its gain is 1; that of the
elbow's was identified by regression over all recordings.
"""

from math import ceil

import numpy as np

from benchmarks.cases import shipped, shipped_settings
from benchmarks.figures import Figure
from benchmarks.real_data import missing, recordings
from benchmarks.real_pendulum_run import NAME
from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors import sensors_of

JOINTS = ('shoulder', 'elbow')
NAMES = tuple(f'known_forces.{joint}.{what}' for joint in JOINTS for what in ('gain', 'offset'))
SETTINGS = {'parameters': NAMES, 'parameter_deviations': (0.1, 0.05, 0.1, 0.05),    # 1, N m
            'parameter_walks': (1e-3,), 'acceleration_psd': 20.0, 'initial_variance': 3.6e-3,
            'gate': 0.0}
END = 0.5                   # s, left out: motors at their limits, falls


def measure():
    """Return the last estimates of every recording, beside their deviations."""
    runs = [run for kind in ('acrobot', 'pendubot')
            for run in recordings(None, 'double_pendulum', kind)]
    if not runs:
        return missing(None)
    identified = dict(zip(JOINTS, shipped_settings(NAME)['force_gains'], strict=True))
    figures, inside = [], []
    for run in runs:
        estimate = _last_estimate(run)
        deviations = np.sqrt(estimate.parameter_covariance.diagonal())
        for name, deviation in zip(NAMES, deviations, strict=True):
            _, joint, what = name.split('.')
            value = estimate.parameters[name]
            figures.append(Figure(f'{run.name}: {what} of the {joint}', value,
                                  'N m' if what == 'offset' else '', peer='its deviation',
                                  peer_value=deviation))
            if what == 'gain':
                inside.append(abs(value - identified[joint]) < 2.0 * deviation)
    return [*figures, Figure('identified gains within two deviations', 100.0 * np.mean(inside),
                             '%', peer='of', peer_value=len(inside))]


def _last_estimate(run):
    """Return the Estimate at the end of a recording."""
    machine, dt = load_mechanism(NAME), shipped(NAME)['dt']
    ekf = make_filter('augmented_ekf', machine, sensors_of(machine, shipped(NAME)['sensors']), dt,
                      **SETTINGS)
    time, angles, torques = run['time'], run.both('pos_meas'), run.both('tau_meas')
    ekf.reset(angles[0], np.zeros(2))
    for k in range(1, np.searchsorted(time, time[-1] - END)):
        count = ceil((time[k] - time[k - 1]) / dt)
        for _ in range(count):
            ekf.predict((time[k] - time[k - 1]) / count, torques[k])
        ekf.correct(angles[k])
    return ekf.estimate
