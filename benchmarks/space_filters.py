"""Every filter on six machines in space: position error, consistency, time of predict and correct.

The machines move by their weights and springs, shaken by white noise of their accelerations that
the filters know; encoders are read at every step.  Filters of forces or accelerations that walk are
shown beside, though the noise is another one than theirs.  The error is of the worst degree of
freedom, against the encoder's sigma; consistency: in how many instants the normalized error squared
of z and zd is within its interval of 95 %.  Times are of the processor: a step of some
milliseconds is longer than the slice that a busy machine gives it.
"""

from time import process_time

import numpy as np
from scipy.stats import chi2

from benchmarks.cases import of_papers
from benchmarks.figures import Figure
from mb_estimators import DivergenceError, available_filters, make_filter
from mb_model import load_mechanism, make_stepper, motion_difference
from mb_sensors import sensors_of
from mb_sensors.kernel_api import measure as measure_channels

STEP, COUNT, PIECES = 1e-3, 100, 4       # s
MACHINES = ('six_axis_arm', 'stewart', 'delta', 'quadruped_leg', 'quarter_car', 'excavator')
SEEDS, FEW_SEEDS, SLOW = 20, 2, 5e-3     # runs; of filters that take longer than that in a step [s]
PSD, START = 0.05, 0.01                  # of accelerations; deviation of z and zd at the start
TARGETS = {('error_ekf', 'stewart'): 60.0, ('error_ekf', 'excavator'): 80.0}       # us
KNOWS_NOISE = ('augmented_ekf', 'cekf', 'cekf_penalty', 'chaos_ekf', 'dekf', 'dekf_exponential',
               'diekf_pm', 'error_ekf', 'error_ekf_ej', 'sckf', 'srukf', 'ssukf', 'ukf')


def measure():
    """Return three figures for each filter on each machine, or that it diverged."""
    figures = []
    for machine in MACHINES:
        mechanism = load_mechanism(machine)
        encoders = sensors_of(mechanism, 'encoders')
        runs = [shaken(mechanism, encoders, seed) for seed in range(SEEDS)]
        for name in available_filters(mechanism):
            figures += of_filter(name, mechanism, encoders, runs)
            print(*(f'{figure.name}: {figure.value:.3g} {figure.unit}' for figure in figures[-3:]),
                  sep='; ', flush=True)
    return figures


def shaken(mechanism, encoders, seed):
    """Return readings (k, channels), q, qd (k, n) of a motion, and errors of its start (2g)."""
    random, stepper = np.random.default_rng(seed), make_stepper(mechanism)
    channels = np.concatenate([sensor.records for sensor in encoders])
    sigma = np.array([sensor.settings.sigma for sensor in encoders])        # one channel each
    h, motion, work = STEP / PIECES, [], stepper.work[0]
    for _ in range(COUNT):
        for _ in range(PIECES):
            stepper.zd[:] += np.sqrt(PSD * h) * random.normal(size=mechanism.g)
            stepper.refresh()
            stepper.step(h)
        ideal = np.empty(len(channels))
        measure_channels(channels, work['q'], work['qd'], work['qdd'], ideal)
        motion.append((ideal + sigma * random.normal(size=len(channels)), stepper.q.copy(),
                       stepper.qd.copy()))
    readings, q, qd = (np.array(values) for values in zip(*motion, strict=True))
    return readings, q, qd, START * random.normal(size=2 * mechanism.g)


def of_filter(name, mechanism, encoders, runs):
    """Return error, consistency and time of a filter."""
    settings = of_papers(name) | ({'acceleration_psd': PSD} if name in KNOWS_NOISE else {})
    if name in ('augmented_ekf', 'chaos_ekf'):
        settings['parameters'] = ('gravity.z',)
    filter_ = make_filter(name, mechanism, encoders, STEP, initial_variance=START ** 2, gate=0.0,
                          **settings)
    g, errors, within, times = mechanism.g, [], [], []
    low, high = chi2.ppf([0.025, 0.975], 2 * g)
    for seed, (readings, q, qd, error) in enumerate(runs):
        if seed >= FEW_SEEDS and np.median(times) > SLOW:
            break
        try:
            filter_.reset(mechanism.z0 - error[:g], mechanism.zd0 - error[g:])
            for k in range(COUNT):
                start = process_time()
                filter_.predict(STEP)
                filter_.correct(readings[k])
                times.append(process_time() - start)
                estimate = filter_.estimate
                off = motion_difference(mechanism, (q[k], qd[k]), (estimate.q, estimate.qd))
                covariance = estimate.covariance[:2 * g, :2 * g]
                within.append(low < off @ np.linalg.solve(covariance, off) < high)
                errors.append(off[:g] if k >= COUNT // 2 else np.zeros(g))
        except DivergenceError:
            return [Figure(f'{name}, {mechanism.name}, runs that diverge', seed + 1, '', 0)]
    sigma = max(sensor.settings.sigma for sensor in encoders)
    rmse = np.sqrt(2.0 * np.mean(np.square(errors), axis=0)).max()
    known = name in KNOWS_NOISE
    return [Figure(f'{name}, {mechanism.name}, position RMSE over sigma', rmse / sigma, ''),
            Figure(f'{name}, {mechanism.name}, NEES within 95 %', 100.0 * np.mean(within), '%',
                   (90.0, 98.0) if known else None),
            Figure(f'{name}, {mechanism.name}, predict and correct', 1e6 * np.median(times), 'us',
                   TARGETS.get((name, mechanism.name)))]
