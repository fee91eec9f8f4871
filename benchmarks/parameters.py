"""Gravity and the coupler's mass of the four-bar linkage, by filters and by a fit to readings."""

from dataclasses import replace
from functools import cache

import numpy as np
from scipy import stats

from benchmarks.cases import DURATION, ERRORS as WRONG_GRAVITY, SEEDS, STEP, over_cases
from benchmarks.figures import Figure
from mb_estimators import Experiment, fit_readings, monte_carlo
from mb_model import STATE, load_mechanism, simulate

ERRORS = WRONG_GRAVITY | {'bodies': {'coupler': {'mass': 9.0}}}
PARAMETERS = {'gravity.y': 'm/s^2', 'bodies.coupler.mass': 'kg'}
FILTERS = ('augmented_ekf', 'chaos_ekf', 'dual_ukf_error_ekf_fe')
TWICE = WRONG_GRAVITY | {'bodies': {'coupler': {'mass': 16.0}}}
UNCERTAIN = {'augmented_ekf': ('augmented_ekf', {}), **{
    f'chaos_ekf, degree {degree}': ('chaos_ekf', {'polynomial_degree': degree})
    for degree in (1, 2)}, 'dual_ukf_error_ekf_fe': ('dual_ukf_error_ekf_fe', {})}
# Intervals that are right hold the truth as often in 99 of 100 times.
LEAST_INSIDE = float(stats.binom.ppf(0.01, len(SEEDS), 0.95)) / len(SEEDS)
FIT_SEEDS = range(50)
NEAR = 0.02             # share of the true value
FINER = 20              # steps of the prototype in one of the model


def measure_parameters_found():
    """Return the figures of the filters and both parameters, by the crank encoder alone.

    10 s at 200 Hz; the model begins with gravity 1 m/s^2 too small, the coupler 1 kg too heavy
    and the crank pi/16 off.  Over noise seeds: mean error (bias), deviation (spread) and what
    the filter says it is, how often the truth lies in its 95 % interval.  Beside them the error
    at the start.
    """
    experiment = Experiment('four_bar', ['crank_encoder'], ERRORS, DURATION, STEP)
    return [figure for name in FILTERS for figure in figures_of(experiment, name, name)]


def measure_uncertain_parameters():
    """Return the figures of parameters_found of a coupler that begins with twice its mass.

    Its deviation is 70 %, far beyond what is linear in the motion.
    """
    experiment = Experiment('four_bar', ['crank_encoder'], TWICE, DURATION, STEP)
    return [figure for label, (name, settings) in UNCERTAIN.items() for figure in figures_of(
        experiment, label, name, parameter_deviations=(0.1, 0.7), **settings)]


def figures_of(experiment, label, name, **settings):
    """Return the Figures of both parameters by a filter."""
    names = list(PARAMETERS)
    truth, start = (mechanism.parameter_records(names)['value']
                    for mechanism in (experiment.prototype, experiment.mechanism))
    runs = monte_carlo(experiment, name, SEEDS, figures=found, parameters=names, **settings)
    errors, figures = runs['values'] - truth, []
    for k, (parameter, unit) in enumerate(PARAMETERS.items()):
        figures += parameter_figures(f'{label}: {parameter}', unit, errors[:, k],
                                     runs['deviations'][:, k], abs(start[k] - truth[k]))
        inside = np.abs(errors[:, k]) <= 1.96 * runs['deviations'][:, k]
        figures.append(Figure(f'{label}: {parameter}, in its 95 % interval', inside.mean(), '',
                              LEAST_INSIDE, at_least=True))
    figures.append(Figure(f'{label}: position RMSE after 2 s',
                          runs['position_rmse_after_2s'].mean(), 'rad'))
    return figures


def parameter_figures(label, unit, errors, deviations, error_at_start, says='what the filter says'):
    """Return the Figures of one parameter from its errors and claimed deviations (seeds)."""
    return [Figure(f'{label}, bias', errors.mean(), unit, peer='error at the start',
                   peer_value=error_at_start),
            Figure(f'{label}, spread', errors.std(ddof=1), unit, peer=says,
                   peer_value=np.sqrt(np.mean(deviations ** 2)))]


def found(result):
    """Return what a run has found at its end, and the error of the position."""
    return {'values': [result.parameters[name][-1] for name in PARAMETERS],
            'deviations': [result.parameter_deviations[name][-1] for name in PARAMETERS],
            'position_rmse_after_2s': np.mean(result.position_rmse_after_2s)}


def measure_numbers_by_readings():
    """Return the figures of both parameters, by a fit to all readings.

    The errors of parameters_found, 50 noise seeds: how near the parameters come, and how often
    the truth lies in their 95 % intervals.  The prototype moves in steps of .25 ms: in steps of
    5 ms it is .03 rad off after 10 s, which the parameters would have to explain, the coupler
    by .07 kg.
    """
    truth, start = (mechanism.parameter_records(list(PARAMETERS))['value'] for mechanism in
                    (fine_experiment().prototype, fine_experiment().mechanism))
    found = over_cases(fitted, [(seed,) for seed in FIT_SEEDS])
    values, deviations, intervals = (np.array(rows) for rows in zip(*found.values(), strict=True))
    errors = values - truth
    inside = (intervals[:, :, 0] <= truth) & (truth <= intervals[:, :, 1])
    figures = []
    for k, (parameter, unit) in enumerate(PARAMETERS.items()):
        figures += [
            *parameter_figures(parameter, unit, errors[:, k], deviations[:, k],
                               abs(start[k] - truth[k]), 'what it says'),
            Figure(f'{parameter}, root mean square error', np.sqrt(np.mean(errors[:, k] ** 2)),
                   unit, NEAR * abs(truth[k])),
            Figure(f'{parameter}, seeds within 2 %',
                   (np.abs(errors[:, k] / truth[k]) < NEAR).mean(), ''),
            Figure(f'{parameter}, in its 95 % interval', inside[:, k].mean(), '', (0.9, 0.99))]
    return figures


@cache
def fine_experiment():
    prototype = load_mechanism('four_bar')
    run = simulate(prototype, DURATION, STEP / FINER)
    truth = replace(run, **{name: getattr(run, name)[::FINER] for name in ('t', *STATE, 'forces')})
    return Experiment(prototype, ['crank_encoder'], ERRORS, DURATION, STEP, truth)


def fitted(seed):
    """Return values, deviations and intervals of a seed; the noises are unknown, too."""
    experiment = fine_experiment()
    found = fit_readings(experiment.mechanism, experiment.sensors, [experiment.recording(seed)],
                         STEP, ('*',), dict.fromkeys(PARAMETERS, 0.5))
    return ([number.value for number in found.numbers],
            [number.deviation for number in found.numbers],
            [found.intervals[name] for name in PARAMETERS])
