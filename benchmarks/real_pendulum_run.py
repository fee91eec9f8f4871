"""A recording of the real double pendulum, estimated: forces, detections, and the hidden elbow."""

from dataclasses import dataclass
from math import ceil

import numpy as np

from benchmarks.cases import shipped, shipped_settings
from mb_estimators import NORMAL_95, DivergenceError, make_filter
from mb_sensors import sensors_of

NAME = 'geared_double_pendulum'
LAGS = (0.0, 0.02, 0.05)                # s
SURE = 0.935                            # probability from which a pulse is detected
LOST = 0.08                             # rad, standard deviation from which the elbow is lost
TAIL = 4.0                              # widths that a pulse is drawn to either side


@dataclass(frozen=True)
class Estimated:
    """Forces (k, 2) [N m] of a recording, causal, smoothed and with lags, and deviations."""

    time: np.ndarray
    truth: np.ndarray
    forces: np.ndarray
    deviations: np.ndarray
    smoothed: np.ndarray
    smoothed_deviations: np.ndarray
    lagged: np.ndarray                  # (lags, k, 2), moved back to when it was
    probability: np.ndarray

    def error(self, forces):
        """Return the mean square error of forces, of both joints (2)."""
        return ((forces - self.truth) ** 2).mean(axis=0)

    def held(self, forces, deviations):
        """Return which 95 % intervals hold the truth (k, 2)."""
        return abs(forces - self.truth) <= NORMAL_95 * deviations


def errors_of(estimated):
    """Return root mean square errors (2) of nothing, of causal and of smoothed forces, over all."""
    return [np.sqrt(np.mean([one.error(forces(one)) for one in estimated], axis=0)) for forces in (
        lambda e: 0.0 * e.forces, lambda e: e.forces, lambda e: e.smoothed)]


def run_filter(mechanism, settings, **changed):
    """Return a filter of the recordings with settings, some of them changed."""
    return make_filter('pulse_ekf', mechanism, sensors_of(mechanism, shipped(NAME)['sensors']),
                       shipped(NAME)['dt'], **(shipped_settings(NAME) | settings | changed))


def estimate(run, mechanism, settings, known='meas'):
    """Return the Estimated of a recording; known: how torques are known, see known_torque."""
    observer = run_filter(mechanism, settings)
    time, angles, torque = run['time'], run.both('pos_meas'), known_torque(run, known)
    size = (len(time), 2)
    forces, deviations, probability = np.zeros(size), np.zeros(size), np.zeros(size)
    smoothed, squares = np.zeros(size), np.zeros(size)
    lagged = np.zeros((len(LAGS), *size))
    observer.reset(angles[0], np.zeros(2))
    for k in range(len(time)):
        _step(observer, time, angles, torque, k)
        now = observer.estimate
        forces[k], deviations[k] = now.forces, now.force_deviations
        probability[k] = observer.pulse_probability
        for row, lag in enumerate(LAGS):
            lagged[row, k] = observer.force_before(lag)[0]
        for pulse in observer.ended_pulses:
            _draw(pulse, time, k, smoothed, squares)
    for row, lag in enumerate(LAGS):
        for joint in range(2):
            lagged[row, :, joint] = np.interp(time, time - lag, lagged[row, :, joint])
    misfit, least = observer.settings.pulse_misfit, observer.settings.force_resolution
    spread = np.maximum(squares - smoothed ** 2, 0.0) + (misfit * smoothed) ** 2 + least ** 2
    return Estimated(time, run.both('tau_pert'), forces, deviations, smoothed, np.sqrt(spread),
                     lagged, probability)


def _draw(pulse, time, k, mean, square):
    """Add a pulse that has ended at k, as likely as it was, to the smoothed force."""
    centre = time[k] - pulse.ago
    places = slice(np.searchsorted(time, centre - TAIL * pulse.width),
                   np.searchsorted(time, centre + TAIL * pulse.width))
    shape = np.exp(-0.5 * ((time[places] - centre) / pulse.width) ** 2)
    mean[places, pulse.coordinate] += pulse.probability * pulse.amplitude * shape
    square[places, pulse.coordinate] += (
        pulse.probability * (pulse.amplitude ** 2 + pulse.deviation ** 2) * shape ** 2)


def known_torque(run, known):
    """Return the known torque of every step (k, 2) [N m].

    'meas': what motors report, less the pulses that they apply; 'con': what they were commanded
    two samples before, with the lag of their bus.
    """
    if known == 'meas':
        return run.both('tau_meas') - run.both('tau_pert')
    commanded = run.both('tau_con')
    return np.concatenate([commanded[:1], commanded[:1], commanded[:-2]])


def hidden_elbow(run, mechanism, settings):
    """Return time, error of the elbow's angle and its deviation [rad], without its encoder.

    Both torques are known as motors report them, the pulses too.  The elbow's encoder is read once,
    where the recording begins: it judges from then on, and has a zero of its own, which its reading
    at rest and the motion tell.
    """
    observer = run_filter(mechanism, settings, pulse_rate=1e-12)
    time, angles, torque = run['time'], run.both('pos_meas'), run.both('tau_meas')
    observer.reset(angles[0], np.zeros(2), np.diag([3.6e-3, 3.6e-3, 1e-6, 1e-6, 1.0, 1.0]))
    error, deviation = np.zeros(len(time)), np.zeros(len(time))
    read = np.isin(np.arange(observer.layout.size), [1, observer.layout['bias'].start + 1])
    for k in range(len(time)):
        try:
            _predict(observer, time, torque, k)
            observer.correct(angles[k] if k == 0 else [angles[k, 0], np.nan])
        except DivergenceError:
            deviation[k:] = np.inf
            break
        now, covariance = observer.estimate, observer.state_covariance
        error[k] = now.z[1] + now.biases['elbow_encoder'] - angles[k, 1]
        deviation[k] = np.sqrt(read @ covariance @ read)
    return time, error, deviation


def _step(observer, time, angles, torque, k):
    """Predict to the instant k and correct; begin anew where the filter diverges."""
    try:
        _predict(observer, time, torque, k)
        observer.correct(angles[k])
    except DivergenceError:
        observer.reset(angles[k], (angles[k] - angles[k - 1]) / (time[k] - time[k - 1]))


def _predict(observer, time, torque, k):
    """Predict to the instant k, in steps that are not longer than those of the filter."""
    if k > 0:
        count = ceil((time[k] - time[k - 1]) / observer.dt)
        for _ in range(count):
            observer.predict((time[k] - time[k - 1]) / count, torque[k])
