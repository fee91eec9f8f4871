"""What filters cost: a step, a thousand runs, and large machines."""

import os
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time

import numpy as np

from benchmarks.cases import STEP, wrong_gravity
from benchmarks.figures import Figure
from benchmarks.peers import installed
from benchmarks.pictures import plt, save
from benchmarks.stopwatch import times_per_call
from mb_estimators import available_filters, make_filter, monte_carlo
from mb_model import Mechanism, load_mechanism, make_stepper
from mb_model.kernel_api import lu_factor, lu_solve
from mb_sensors import sensors_of

SEEDS = range(5)
TARGETS = {'error_ekf': 25.0, 'error_ekf_fe': 30.0, 'ukf': 80.0, 'cekf': 150.0,      # us
           'fixed_lag_smoother': 0.5 * 1e6 * STEP}
PERIOD_SHARE = 0.05 * 1e6 * STEP        # us, of all the others
OURS = {'filterpy EKF': 'error_ekf', 'filterpy UKF': 'ukf'}


def measure_filter_step():
    """Return one figure for each filter, and the peers' figures.

    Time of one predict and correct on the four-bar linkage with its encoder, calls included.

    Beside it the time of the model's step alone, by the same formulation as error_ekf's, and
    filterpy's EKF and UKF around the same compiled model; how well those estimate, too.
    """
    mechanism = load_mechanism('four_bar')
    sensors = sensors_of(mechanism, ['crank_encoder'])
    stepper = make_stepper(mechanism, 'index3_al')
    peers = filterpy_filters()
    times = times_per_call({
        **{name: whole_step(make_filter(name, mechanism, sensors, STEP), mechanism.z0)
           for name in available_filters(mechanism)},
        **{name: whole_step(peer(mechanism, sensors, STEP), mechanism.z0)
           for name, peer in peers.items()},
        'model': lambda: stepper.step(STEP)}, calls=1000)
    return [Figure(f'{name}, predict and correct', 1e6 * times[name], 'us',
                   TARGETS.get(name, PERIOD_SHARE), peer='model step alone',
                   peer_value=1e6 * times['model']) for name in available_filters(mechanism)] + [
        figure for name, peer in peers.items() for figure in peer_figures(name, peer, times)]


def filterpy_filters():
    """Return the peers by name, none where filterpy is not installed."""
    found = installed('filterpy_filters')
    return {'filterpy EKF': found.FilterpyEkf, 'filterpy UKF': found.FilterpyUkf} if found else {}


def peer_figures(name, peer, times):
    """Return our time and position error beside a peer's."""
    ours = OURS[name]
    experiment = wrong_gravity('crank_encoder')
    error = monte_carlo(experiment, ours, SEEDS, processes=1)['position_rmse_after_2s'].mean()
    return [Figure(f'{ours}, predict and correct', 1e6 * times[ours], 'us', peer=name,
                   peer_value=1e6 * times[name]),
            Figure(f'{ours}, position RMSE after 2 s', error, 'rad', peer=name,
                   peer_value=np.mean([peer_error(experiment, peer, seed) for seed in SEEDS]))]


def peer_error(experiment, peer, seed):
    """Return the position RMSE after 2 s [rad] of a peer in one run."""
    filter_ = peer(experiment.mechanism, experiment.sensors, STEP)
    errors = []
    for k, readings in enumerate(experiment.readings(seed)):
        if k > 0:
            filter_.predict(STEP)
        filter_.correct(readings)
        errors.append(filter_.x[0] - experiment.truth.z[k, 0])
    return np.sqrt(np.mean(np.square(errors)[experiment.t >= 2.0]))


def whole_step(filter_, z):
    """Return a function that predicts and corrects a filter held at a position."""
    readings = np.array(z)

    def step():
        filter_.predict(STEP)
        filter_.correct(readings)
    return step


RUNS = 1000
LONGEST = 60.0                          # s, on two cores


def measure_monte_carlo():
    """Return the time of all runs of error_ekf with the encoder, and the errors they state.

    A thousand runs of 10 s with different noise on two cores, and what one of their steps costs.
    """
    cores = min(2, len(os.sched_getaffinity(0)))
    start, before = perf_counter(), getrusage(RUSAGE_CHILDREN).ru_utime
    experiment = wrong_gravity('crank_encoder')
    runs = monte_carlo(experiment, 'error_ekf', range(RUNS), processes=cores)
    elapsed, busy = perf_counter() - start, getrusage(RUSAGE_CHILDREN).ru_utime - before
    position = runs['position_rmse_after_2s'][:, 0]
    steps = RUNS * len(experiment.t)
    return [
        Figure(f'{RUNS} runs of 10 s on {cores} cores', elapsed, 's', LONGEST),
        Figure('processor time of one step, all included', 1e6 * busy / steps, 'us'),
        Figure('position RMSE after 2 s, mean', position.mean(), 'rad', (0.0045, 0.0062)),
        Figure('standard error of that mean', position.std(ddof=1) / np.sqrt(RUNS), 'rad')]


FILTERS = ('dekf', 'error_ekf', 'error_ekf_ej', 'error_ekf_fe', 'adaptive_error_ekf_fe',
           'shaping_error_ekf_fe', 'cekf', 'ukf', 'sckf', 'diekf_pm')
LOOPS = (4, 8, 16, 24, 36)               # 40 loops are more than 150 coordinates
SMALL, LARGE = 8, 36
SENSOR = 'rod_encoder'
CALLS, ROUNDS = 5, 15
CAR_STEP = 1e-3                          # s
CAR_SENSOR = {'kind': 'angle_encoder', 'coordinate': 'spin0', 'sigma': 2e-3, 'rate': 1000.0}


def measure_filter_size():
    """Return times by size, their exponents, errors with 4 loops, and the share of a solution.

    Cost against the size of the problem: the ten filters of the review on 4 to 36 closed loops.

    The mechanism is rod_array, one degree of freedom whatever its size, with the encoder of its
    first rod.  Exponents are of the power law from SMALL to LARGE.  Accuracy beside cost, with
    4 loops: the model has gravity 1 m/s^2 and the start wrong.  The last figures are what a
    filter that integrates positions alone would save in cekf on the car: a prediction, and its
    linear systems of both sizes.
    """
    times = times_of_steps()
    draw(times)
    figures = [Figure(f'{name}, {loops} loops: predict and correct', 1e6 * times[name, loops], 'us')
               for name in FILTERS for loops in LOOPS]
    figures += [Figure(f'{name}: time grows with loops to the power',
                       exponent(times, name, SMALL, LARGE), '') for name in FILTERS]
    return [*figures, *errors_of_size(), *solutions()]


def times_of_steps():
    """Return {(filter, loops): time of predict and correct [s]}."""
    steps = {}
    for loops in LOOPS:
        mechanism = load_mechanism('rod_array').replace(parameters={'loops': loops})
        sensors = sensors_of(mechanism, [SENSOR])
        steps |= {(name, loops): whole_step(make_filter(name, mechanism, sensors, STEP),
                                            mechanism.z0) for name in FILTERS}
    return times_per_call(steps, CALLS, ROUNDS)


def exponent(times, name, small, large):
    """Return the exponent of the power law from a small size to a large one."""
    return np.log(times[name, large] / times[name, small]) / np.log(large / small)


def errors_of_size():
    """Return the position error of each filter with 4 loops."""
    mechanism = load_mechanism('rod_array').replace(parameters={'loops': LOOPS[0]})
    experiment = wrong_gravity(SENSOR, mechanism)
    return [Figure(f'{name}, {LOOPS[0]} loops: position RMSE after 2 s',
                   monte_carlo(experiment, name, SEEDS)['position_rmse_after_2s'].mean(), 'rad')
            for name in FILTERS]


def solutions():
    """Return the times of cekf's prediction of the car, and of linear systems by their sizes."""
    car = load_mechanism('car').replace(sensors={'encoder': CAR_SENSOR})
    filter_ = make_filter('cekf', car, ['encoder'], CAR_STEP)
    random = np.random.default_rng(1)
    sizes = {f'linear system of {n} unknowns': solution(random.normal(size=(n, n)))
             for n in (2 * car.g, car.g)}
    times = times_per_call({'cekf on the car: predict': lambda: filter_.predict(CAR_STEP), **sizes},
                           CALLS, ROUNDS)
    return [Figure(name, 1e6 * time, 'us') for name, time in times.items()]


def solution(matrix):
    """Return a function that factorises and solves a system of linear equations."""
    lu, right = np.empty_like(matrix), np.empty(len(matrix))
    pivots = np.empty(len(matrix), np.int64)

    def solve():
        lu[:], right[:] = matrix, 1.0
        lu_factor(lu, pivots, len(matrix))
        lu_solve(lu, pivots, right, len(matrix))
    return solve


DEGREES = (1, 2, 3, 5, 8, 12, 16, 20)
FEW, MANY = 5, 20


def measure_filter_degrees():
    """Return times by degrees of freedom, and their exponents.

    Cost against the degrees of freedom, Sec. 13 of Rodriguez et al. 2023: the ten filters of the
    review on chains of 1 to 20 links, open, with an encoder on each, and the model's step alone.
    Exponents are of the power law from FEW to MANY.  Processor time of the shortest round.
    """
    steps = {}
    for links in DEGREES:
        mechanism = chain(links)
        sensors = sensors_of(mechanism, list(mechanism.sensors))
        steps |= {(name, links): whole_step(make_filter(name, mechanism, sensors, STEP),
                                            mechanism.z0) for name in FILTERS}
        steps['model', links] = model_step(make_stepper(mechanism, 'index3_al'))
    times = times_per_call(steps, CALLS, ROUNDS, process_time, min)
    names = (*FILTERS, 'model')
    return [Figure(f'{name}, {links} degrees of freedom: {what}', 1e6 * times[name, links], 'us')
            for name, what in zip(names, [*len(FILTERS) * ['predict and correct'], 'step'],
                                  strict=True) for links in DEGREES] + [
        Figure(f'{name}: time grows with degrees of freedom to the power',
               exponent(times, name, FEW, MANY), '') for name in names]


def model_step(stepper):
    """Return a function that makes a step of the model alone."""
    return lambda: stepper.step(STEP)


def chain(links):
    """Return a chain of so many links that hangs down askew, with an encoder on each."""
    turns = [f'turn{k + 1}' for k in range(links)]
    return Mechanism({
        'name': 'chain', 'parameters': {'links': links}, 'points': {'P0': {'fixed': [0.0, 0.0]}},
        'repeat': {'links': {
            'count': 'links',
            'points': {'P<i+1>': {'start': ['0.03 * (i + 1)', '-0.3 * (i + 1)']}},
            'bodies': {'link<i+1>': {'points': ['P<i>', 'P<i+1>'], 'length': 0.3, 'mass': 0.5}},
            'coordinates': {'turn<i+1>': {'kind': 'angle', 'body': 'link<i+1>'}},
            'sensors': {'encoder<i+1>': {'kind': 'angle_encoder', 'body': 'link<i+1>',
                                         'sigma': 17.453e-3, 'rate': 200.0}}}},
        'independent': turns, 'start': dict.fromkeys(turns, -1.45)}, 'chain.yaml')


def draw(times):
    """Write results/filter_size.png."""
    figure, axis = plt.subplots(figsize=(8, 5.5), layout='constrained')
    colours = plt.get_cmap('tab10').colors
    ends = sorted(FILTERS, key=lambda name: -times[name, LARGE])
    for name, colour in zip(ends, colours, strict=True):
        axis.loglog(LOOPS, [1e6 * times[name, loops] for loops in LOOPS], color=colour,
                    marker='.', label=name)
    axis.axhline(1e6 * STEP, color='0.5', linewidth=1, linestyle='--')
    axis.text(LOOPS[0], 0.95e6 * STEP, 'the period of the encoder, 5 ms', color='0.4', fontsize=8,
              va='top')
    axis.set_xticks(LOOPS, [str(loops) for loops in LOOPS])
    axis.minorticks_off()
    axis.set_xlabel('closed loops')
    axis.set_ylabel('predict and correct [us]')
    axis.grid(alpha=0.25)
    axis.legend(fontsize=8, frameon=False, loc='center left', bbox_to_anchor=(1.0, 0.5))
    save(figure, 'filter_size')
