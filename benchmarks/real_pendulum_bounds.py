"""What bounds the forces that are found on a real double pendulum: gains, and noise alone."""

from math import ceil, exp

import numpy as np
from scipy.interpolate import make_lsq_spline

from benchmarks.cases import shipped, shipped_settings
from benchmarks.figures import Figure
from benchmarks.real_data import Recorded, missing, recordings
from benchmarks.real_pendulum_fit import fit
from benchmarks.real_pendulum_run import NAME, errors_of, estimate, run_filter
from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors import sensors_of

JOINTS = ('shoulder', 'elbow')
NAMES = tuple(f'known_forces.{joint}.{what}' for joint in JOINTS for what in ('gain', 'offset'))
SETTINGS = {'parameters': NAMES, 'parameter_deviations': (0.1, 0.05, 0.1, 0.05),    # 1, N m
            'parameter_walks': (1e-3,), 'acceleration_psd': 20.0, 'initial_variance': 3.6e-3,
            'gate': 0.0}
END = 0.5                   # s, left out: motors at their limits, falls


def measure_real_gains():
    """Return the last estimates of every recording, beside their deviations.

    Gains and offsets of a real double pendulum's motors, found by a filter while it runs.

    augmented_ekf is given the encoders and what motors report, pulses and all, and estimates
    how much of it acts.  The unit of torque is that of the shoulder's motor, so its gain is 1;
    that of the elbow's was identified by `fit` over all recordings.
    """
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


KIND, LIMIT_SEEDS = 'pendubot', 2
KNOTS, DEGREE = 0.02, 5             # s, of the spline through recorded angles
READ = 1e-3                         # rad, noise of readings
MEMORY, FADING = 0.05, 0.1          # s, as kernels.pulses follows jumps of the known force


def measure_real_limits():
    """Return errors of both joints, and how often intervals hold.

    What no better model of the real double pendulum can gain: errors with a perfect one.

    Recordings of the pendubot are made anew: the recorded motion, its pulses, the torques that
    the shipped model needs for these, and the noise of drives that the filter expects.  So its
    model is perfect and its tuning right; what errors it has then come from the noise.  Beside
    them, the real recordings with numbers that were identified on the judged recording itself.
    """
    runs = recordings(None, 'double_pendulum', KIND)
    if not runs:
        return missing(None)
    mechanism, figures = load_mechanism(NAME), []
    own = [fit([run]) for run in runs]
    for name, estimated in (
            ('perfect model, noise as declared', [
                estimate(_made_anew(run, mechanism, np.random.default_rng(seed)), mechanism, {})
                for seed in range(LIMIT_SEEDS) for run in runs]),
            ('numbers of the judged recording', [
                estimate(run, numbers.mechanism, numbers.settings)
                for run, numbers in zip(runs, own, strict=True)])):
        zero, causal, smoothed = errors_of(estimated)
        figures += [Figure(f'{KIND}, {name}: joint {joint + 1}, {what}', error[joint], 'N m',
                           peer='zero', peer_value=zero[joint])
                    for joint in range(2) for what, error in (('causal', causal),
                                                              ('smoothed', smoothed))]
        held = [np.mean(np.concatenate([one.held(*pair(one)) for one in estimated])) for pair in (
            lambda e: (e.forces, e.deviations), lambda e: (e.smoothed, e.smoothed_deviations))]
        figures += [Figure(f'{KIND}, {name}: {what} 95 % intervals hold the torque',
                           100.0 * share, '%') for what, share in zip(('causal', 'smoothed'), held,
                                                                      strict=True)]
    return figures


def _made_anew(run, mechanism, rng):
    """Return a recording with the same motion and pulses, and torques with drawn noise."""
    own = shipped_settings(NAME)
    gains, shares, growths, losses, spread, lash = (np.array(own[key]) for key in (
        'force_gains', 'force_asymmetries', 'force_growths', 'force_losses', 'noise_deviations',
        'gear_lashes'))
    settings = run_filter(mechanism, {}).settings
    t = run['time'] - run['time'][0]
    inner = np.arange(0.0, t[-1], KNOTS)[1:-1]
    spline = make_lsq_spline(t, run.both('pos_meas'), np.r_[
        np.zeros(DEGREE + 1), inner, np.full(DEGREE + 1, t[-1])], DEGREE)
    z, zd, zdd = (spline(t, order) for order in range(3))
    pulses = run.both('tau_pert')
    needed = np.array([mechanism.inverse_dynamics(*row) for row in zip(z, zd, zdd, strict=True)])
    known, leading = np.zeros_like(z), np.zeros_like(z)
    noise, slow, jump, loaded = np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2)
    for k in range(len(t)):
        h, before = t[k] - t[max(k - 1, 0)], known[max(k - 1, 0)]
        slow += (before - slow) * (1.0 - exp(-h / MEMORY))
        jump = np.maximum(jump * exp(-h / FADING), abs(before - slow))
        power = abs(before * zd[k]).sum()
        variance = spread ** 2 * (1.0 + (zd[k] ** 2).sum() / own['noise_speed'] ** 2 + (
            power / own['noise_power']) ** 2 + (before / own['noise_force']) ** 2 + (
            jump / own['noise_jump']) ** 2)
        kept = exp(-h / own['noise_time'])
        noise = kept * noise + np.sqrt((1.0 - kept ** 2) * variance) * rng.standard_normal(2)
        acting = needed[k] - gains * pulses[k] - noise
        direction = np.tanh(zd[k] / 0.1)
        known[k] = acting / gains
        for _ in range(5):          # what acts of it follows from its sign and size
            known[k] = (acting + losses * abs(known[k]) * direction) / (
                gains * (1.0 + growths * zd[k] ** 2 + shares * np.sign(known[k])))
        loaded += (known[k] - loaded) * (1.0 - exp(-h / settings.lash_time))
        leading[k] = lash * np.tanh(loaded / settings.lash_force)
    read = z + leading + READ * rng.standard_normal(z.shape)
    return Recorded(run.name, run.columns | {
        f'{name}{joint + 1}': values[:, joint] for joint in range(2)
        for name, values in (('pos_meas', read), ('tau_meas', known + pulses))})
