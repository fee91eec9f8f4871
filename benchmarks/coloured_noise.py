"""Coloured noise: whiteness of innovations and errors with and without a shaping filter.

Like Fig. 5 of Rodriguez et al. 2023: error_ekf_fe and shaping_error_ekf_fe with four sets of
sensors, gravity 1 m/s^2 and cranks pi/16 wrong, 200 Hz, 10 s, the first 2 s left out.  The paper
shows two of these cases: four-bar linkage with accelerometers, five-bar linkage with gyroscopes on
the couplers.  Settings as published, also without a reading at t = 0, as the paper predicts before
it corrects; and, of either filter, the plant noise with which its innovations are most likely on
other seeds; and, of the shaping filter, with W beginning where the true motion has it, with all of
the noise identified so, as in the paper, and with the plant noise that the paper prints.
Beside it an encoder whose noise is coloured.  Writes coloured_noise.png: spectra.
"""

from itertools import product
from math import exp, sqrt
from types import SimpleNamespace

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.signal import lfilter

from benchmarks.cases import SEEDS, STEP, missing_forces, over_cases, wrong_gravity
from benchmarks.figures import Figure
from benchmarks.pictures import plt, save
from mb_estimators import (
    DivergenceError,
    autocorrelation,
    corrected,
    identify_shaping,
    judged,
    log_likelihood,
    make_filter,
    monte_carlo,
    observe,
    spectrum,
)

SETTLED = 400                           # steps
TUNING_SEEDS = range(100, 104)
PLAIN, SHAPING = FILTERS = ('error_ekf_fe', 'shaping_error_ekf_fe')
# As the paper's text has it: window, initial variance, and the plant noise of error_ekf_fe on the
# four-bar linkage.  The others are the toolbox's; the text prints PRINTED for the shaping filter.
SHAPED = {'window': 500, 'initial_noise_variance': 1e-3}
PUBLISHED = {
    ('four_bar', PLAIN): {'acceleration_variance': 2.291e-3},
    ('four_bar', SHAPING): {'acceleration_variance': 2.3428e-6} | SHAPED,
    ('five_bar', PLAIN): {'acceleration_variance': 0.10996},
    ('five_bar', SHAPING): {'acceleration_variance': 7.1105e-4, 'acceleration_variance_factors': (
        1.0, 2.1196e-4 / 7.1105e-4)} | SHAPED}
PRINTED = {'acceleration_variance': 2.3428e-3} | SHAPED     # rad^2/s^4
EXPONENTS = (-5.0, 2.0)                 # of ten: where the likeliest variance is looked for
UNREAD, LASTING = 'published, no reading at t = 0', 'published, W begins as identified'
TUNINGS = {PLAIN: ('published', UNREAD, 'likeliest'),
           SHAPING: ('published', UNREAD, LASTING, 'as printed', 'likeliest', 'identified')}
SENSORS = {'four_bar': ('crank_encoder', 'crank_gyro', 'coupler_gyro', 'crank_accelerometers'),
           'five_bar': ('crank_encoders', 'crank_gyros', 'coupler_gyros', 'crank_accelerometers')}
COLOUR_TIME, COLOURED_SHARE = 0.2, 0.95             # s; of the encoder's noise
LINES = {'published': '-', 'likeliest': ':'}
COLOURS = {PLAIN: '#c44e52', SHAPING: '#1b6ca8'}
FIGURES = {'first': ('correlation of successive innovations', ''),
           'position': ('position RMSE after 2 s', 'rad'),
           'acceleration': ('acceleration RMSE', 'rad/s^2'),
           'force': ('RMSE of the unknown force after 2 s', 'N m')}


def measure():
    """Return correlation and errors of every case; draw the spectra of the innovations."""
    cases = [(mechanism, sensors, name, tuning) for mechanism in SENSORS
             for sensors, name in product(SENSORS[mechanism], FILTERS) for tuning in TUNINGS[name]
             if tuning != 'as printed' or mechanism == 'four_bar']
    runs = over_cases(plant_case, cases)
    readings = list(over_cases(sensor_case, [(seed,) for seed in SEEDS]).values())
    draw(runs)
    figures = []
    for case, run in runs.items():
        where = ', '.join(case)
        figures.append(Figure(f'{where}: variance of the accelerations', run['variance'],
                              'rad^2/s^4'))
        figures += [Figure(f'{where}: {text}', run[name], unit)
                    for name, (text, unit) in FIGURES.items()]
    for name, values in zip(('taken for white', 'shaped'), np.mean(readings, axis=0), strict=True):
        figures += [Figure(f'four_bar, encoder with coloured noise, {name}: {text}', value, unit)
                    for text, value, unit in zip(
                        ('position RMSE after 2 s', 'correlation of successive innovations'),
                        values, ('rad', ''), strict=True)]
    return figures


def plant_case(mechanism, sensors, name, tuning):
    """Return the means over all seeds of what a filter makes of wrong gravity."""
    experiment = wrong_gravity(sensors, mechanism)
    settings, missing = tuned(experiment, name, tuning), missing_forces(experiment)
    rows = [run_figures(experiment, make_filter(
        name, experiment.mechanism, experiment.sensors, STEP, **settings), seed, missing,
        tuning != UNREAD) for seed in SEEDS]
    return means(rows) | {'variance': settings['acceleration_variance']}


def tuned(experiment, name, tuning):
    """Return the settings of a filter by a tuning."""
    if tuning == 'likeliest':
        return {'acceleration_variance': likeliest(experiment, name)}
    if tuning == 'as printed':
        return PRINTED
    published = PUBLISHED[experiment.prototype.name, name]
    if tuning not in ('identified', LASTING):
        return published
    identified = identify_shaping(experiment.mechanism, experiment.true_track,
                                  experiment.t).settings
    if tuning == 'identified':
        return identified | {'window': 0}
    return published | {'correlation_time': identified['correlation_time']}


def means(rows):
    """Return the means of what run_figures gives for all seeds."""
    return {figure: np.mean([row[figure] for row in rows], axis=0) for figure in rows[0]}


def run_figures(experiment, filter_, seed, missing, first):
    """Return correlation and spectrum of the normalised innovations after 2 s, and errors.

    filter_: at its start; missing (k, g): the true unknown forces; first: whether the readings at
    t = 0 are read.
    """
    readings = experiment.readings(seed)
    if not first:
        readings[0] = np.nan
    normalised, estimates = np.full(readings.shape, np.nan), []
    for k, fit in enumerate(corrected(filter_, experiment.stamps, readings, STEP)):
        normalised[k, fit.channels] = fit.residual / np.sqrt(fit.covariance.diagonal())
        estimates.append(filter_.estimate)
    channels = normalised[SETTLED:].T
    errors = {quantity: np.array([getattr(estimate, quantity) for estimate in estimates]) - true
              for quantity, true in (('z', experiment.truth.z), ('zdd', experiment.truth.zdd),
                                     ('forces', missing))}
    return {'first': np.mean([first_correlation(values) for values in channels]),
            'spectrum': np.mean([spectrum(values, 1.0 / STEP)[1] for values in channels], axis=0),
            'position': root_mean_square(errors['z'][SETTLED:]),
            'acceleration': root_mean_square(errors['zdd']),
            'force': root_mean_square(errors['forces'][SETTLED:])}


def root_mean_square(errors):
    """Return the root mean square of errors (k, g), mean over degrees of freedom."""
    return np.sqrt(np.mean(errors ** 2, axis=0)).mean()


def likeliest(experiment, name):
    """Return the acceleration_variance that makes innovations after 2 s likeliest [rad^2/s^4]."""
    def loss(exponent):
        try:
            runs = monte_carlo(experiment, name, TUNING_SEEDS, figures=settled_likelihood,
                               processes=1, acceleration_variance=10.0 ** exponent)
        except DivergenceError:
            return np.inf
        return np.inf if runs['diverged'].any() else -np.mean(runs['likelihood'])
    coarse = np.arange(EXPONENTS[0], EXPONENTS[1] + 0.1)
    best = min(coarse, key=loss)
    return 10.0 ** minimize_scalar(loss, bounds=(best - 1.0, best + 1.0), method='bounded',
                                   options={'xatol': 0.02}).x


def settled_likelihood(result):
    """Return the log-likelihood of the readings of a Result after 2 s, per reading."""
    return {'likelihood': log_likelihood(result.readings[SETTLED:], SimpleNamespace(
        innovation=result.innovation[SETTLED:],
        innovation_covariance=result.innovation_covariance[SETTLED:]))}


def first_correlation(values):
    """Return the correlation of every innovation with the next; those left out are skipped."""
    return autocorrelation(values[np.isfinite(values)], 1)[0]


def sensor_case(seed):
    """Return error and correlation, noise of the encoder taken for white and shaped (2, 2)."""
    experiment = wrong_gravity('crank_encoder')
    readings = coloured_readings(experiment, seed)
    rows = []
    for coloured in ([], ['crank_encoder']):
        filter_ = make_filter(
            SHAPING, experiment.mechanism, experiment.sensors, STEP,
            acceleration_variance=1e-4, window=0, coloured_sensors=coloured,
            sensor_correlation_time=COLOUR_TIME, coloured_share=COLOURED_SHARE)
        observed = observe(filter_, experiment.stamps, readings, STEP)
        track = judged(experiment.t, observed, experiment.true_track)
        rows.append([track.position_rmse_after_2s[0],
                     first_correlation(observed.innovation[SETTLED:, 0])])
    return rows


def coloured_readings(experiment, seed):
    """Return readings of the crank (k, 1) with a Gauss-Markov and a white part of the noise."""
    sigma, weight = experiment.sensors[0].settings.sigma, exp(-STEP / COLOUR_TIME)
    random, count = np.random.default_rng(seed), len(experiment.t)
    white = random.normal(scale=sigma, size=(2, count))
    start = [weight * random.normal(scale=sigma)]           # as after a long time
    shaped, _ = lfilter([sqrt(1.0 - weight ** 2)], [1.0, -weight], white[0], zi=start)
    noise = sqrt(COLOURED_SHARE) * shaped + sqrt(1.0 - COLOURED_SHARE) * white[1]
    return experiment.truth.z + noise[:, np.newaxis]


def draw(runs):
    """Write results/coloured_noise.png: spectra of white innovations are flat, at 1."""
    figure, axes = plt.subplots(2, 4, figsize=(13, 6), sharex=True, layout='constrained')
    for row, (mechanism, sets) in zip(axes, SENSORS.items(), strict=True):
        for axis, sensors in zip(row, sets, strict=True):
            for name, tuning in product(FILTERS, LINES):
                density = runs[mechanism, sensors, name, tuning]['spectrum'] / (2.0 * STEP)
                frequencies = np.arange(1, len(density) + 1) / (2.0 * STEP * len(density))
                axis.loglog(frequencies, density, color=COLOURS[name], label=f'{name}, {tuning}',
                            lw=1.2, ls=LINES[tuning])
            axis.axhline(1.0, color='0.6', lw=0.8)
            axis.set_title(f'{mechanism}, {sensors}', fontsize=9, loc='left')
            axis.grid(which='both', alpha=0.2)
        row[0].set_ylabel('Innovation density / expected')
    for axis in axes[1]:
        axis.set_xlabel('Frequency [Hz]')
    axes[0, 0].legend(fontsize=7, frameon=False)
    save(figure, 'coloured_noise')
