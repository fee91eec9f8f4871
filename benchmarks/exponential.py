"""Exponential integration, as in both examples of Pyrhonen et al. 2023a: Figs. 4 to 7.

The four-bar linkage, and the same with its coupler split by a stiff spring, from rest: for how long
an integrator is bounded, what is left of the energy, the bend of the spring against a reference in
the first second, the time of a step and the share of the accelerations and Jacobians in it.
exponential_N: the series as published, 1 as in the paper; exponential: the matrix exponential, in
sub-steps by its local error.  Writes exponential.png beside, Fig. 6.
"""

from functools import partial
from time import process_time

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.figures import Figure
from benchmarks.pictures import plt, save
from benchmarks.stopwatch import times_per_call
from mb_model import Run, StepError, load_mechanism, make_stepper
from mb_model.kernel_api import MATRIX_R, entry_points, rosenbrock_substep as substep

DURATION, SHOWN = 10.0, 1.0              # s; of Figs. 4 and 5, and of Fig. 6
STEPS = (1e-3, 5e-3, 1e-2)               # s; the paper has the first and the last
SHORT = 1e-5                             # s, where only the time of a step counts
SERIES = tuple(f'exponential_{n}' for n in range(1, 5))
INTEGRATORS = ('forward_euler', 'augmented_euler', *SERIES, 'exponential')
MECHANISMS = ('four_bar', 'four_bar_split')
BEND = 'bend'
BLOWN_UP = 10.0                          # times the energy at the start, against its least
LEAST_KEPT = 99.0                        # % of the energy, exponential
TOLERANCE = 1e-10                        # of the reference, relative and absolute
DRAWN = 0.1                              # s: the vibration has 123 Hz
LIMIT = 0.06                             # rad, twice the bend of the start
COLOURS = {'forward_euler': '0.75', 'augmented_euler': '0.55', 'exponential_1': '#e08e0b',
           'exponential_2': '#4c9a52', 'exponential_3': '#8a5fb0', 'exponential_4': '#c0504d',
           'exponential': '#1b6ca8'}


def measure():
    """Return the figures of every mechanism, step and integrator, then times; draw Fig. 6."""
    figures, bends = [], {}
    truth = true_bend(load_mechanism('four_bar_split'), SHOWN, min(STEPS))
    peer = true_bend(load_mechanism('four_bar_split'), SHOWN, min(STEPS), 'Radau')
    figures.append(Figure('reference: bend by DOP853 less that by Radau, largest',
                          np.abs(truth - peer).max(), 'rad', 1e-5))
    for name in MECHANISMS:
        mechanism = load_mechanism(name)
        for dt in STEPS:
            for integrator in INTEGRATORS:
                energies, bend = motion(mechanism, dt, integrator)
                label = f'{name}, {1e3 * dt:g} ms, {integrator}'
                figures += energy_figures(label, energies, dt, integrator)
                if bend is not None:
                    bends[dt, integrator] = bend
                    figures.append(bend_figure(label, bend, truth, dt))
    draw_bends(bends, truth, min(STEPS))
    return figures + time_figures()


def motion(mechanism, dt, integrator, duration=DURATION):
    """Return the energies [J] up to where they blow up, and the bend [rad] while it is shown.

    The bend is None on a mechanism without it.  dt, duration [s].
    """
    stepper = make_stepper(mechanism, 'matrix_r', integrator)
    names = list(mechanism.coordinates)
    place = names.index(BEND) if BEND in names else None
    energies = [sum(entry_points.energies(stepper.model, stepper.work))]
    bend = [stepper.q[place]] if place is not None else []
    for _ in range(round(duration / dt)):
        try:
            stepper.step(dt)
        except StepError:
            break
        energies.append(sum(entry_points.energies(stepper.model, stepper.work)))
        if not energies[-1] < BLOWN_UP * energies[0]:
            break
        if place is not None and len(energies) <= round(SHOWN / dt) + 1:
            bend.append(stepper.q[place])
    return np.array(energies), np.array(bend) if place is not None else None


def energy_figures(label, energies, dt, integrator):
    """Return for how long it is bounded, and what it has left of its energy at the end."""
    exact = integrator == 'exponential'
    done = (len(energies) - 1) * dt
    bounded = len(energies) == round(DURATION / dt) + 1 and energies[-1] < BLOWN_UP * energies[0]
    figures = [Figure(f'{label}: bounded for', done, 's', DURATION if exact else None,
                      at_least=True)]
    if bounded:
        figures.append(Figure(f'{label}: energy retained', 100.0 * energies[-1] / energies[0], '%',
                              (LEAST_KEPT, 200.0 - LEAST_KEPT) if exact else None))
    return figures


def bend_figure(label, bend, truth, dt):
    """Return the error of the bend in the first second, infinite if that is not reached."""
    every = round(dt / min(STEPS))
    if len(bend) < round(SHOWN / dt) + 1:
        return Figure(f'{label}: bend in the first second, RMS error', np.inf, 'rad')
    return Figure(f'{label}: bend in the first second, RMS error',
                  np.sqrt(np.mean((bend - truth[::every]) ** 2)), 'rad')


def time_figures():
    """Return the time of a step, of 1 ms if it divides itself, and what takes how much of it."""
    return [figure for name in MECHANISMS for figure in times_of(load_mechanism(name))]


def times_of(mechanism):
    """Return these figures of one mechanism."""
    figures = [Figure(f'{mechanism.name}, exponential: sub-steps in 1 ms', sub_steps(mechanism),
                      '')]
    for integrator, (step, jacobians, both) in step_shares(mechanism).items():
        label = f'{mechanism.name}, {integrator}'
        figures += [Figure(f'{label}: time of a step', 1e6 * step, 'us'),
                    Figure(f'{label}: Jacobians', 100.0 * jacobians, '%'),
                    Figure(f'{label}: accelerations and Jacobians', 100.0 * both, '%')]
    return figures


def step_shares(mechanism, calls=200):
    """Return {integrator: (time of a step [s], share of Jacobians, of these and accelerations)}.

    calls: of each in a round of the stopwatch.
    """
    steppers = {integrator: make_stepper(mechanism, 'matrix_r', integrator)
                for integrator in ('augmented_euler', *SERIES[:3], 'exponential')}
    model, work = mechanism.model, make_stepper(mechanism, 'matrix_r').work
    times = times_per_call(
        {'accelerations': lambda: entry_points.forward_dynamics(model, work),
         'both': lambda: entry_points.linearise(model, work)}
        | {integrator: partial(stepper.step, min(STEPS) if integrator == 'exponential' else SHORT)
           for integrator, stepper in steppers.items()}, calls=calls, rounds=9,
        clock=process_time, of=min)         # other programs may run beside
    parts, shares = sub_steps(mechanism), {}
    for integrator in steppers:
        exact = integrator == 'exponential'
        evaluations = 2 * parts if exact else 1
        linearisations = parts if exact else integrator in SERIES
        step = times[integrator]
        jacobians = linearisations * (times['both'] - times['accelerations'])
        both = evaluations * times['accelerations'] + jacobians
        shares[integrator] = (step, jacobians / step, both / step)
    return shares


def sub_steps(mechanism):
    """Return how many sub-steps the first step of 1 ms takes."""
    stepper = make_stepper(mechanism, 'matrix_r', 'exponential')
    left = proposed = span = min(STEPS)
    count = 0
    while left > 1e-9 * span:
        done, proposed = substep(stepper.model[0], stepper.work[0], left, proposed, span, MATRIX_R)
        left, count = left - done, count + 1
    return count


def true_run(mechanism, duration, dt, method='DOP853'):
    """Return the Run of the degrees of freedom integrated by scipy, at steps of dt [s].

    method: of scipy.integrate.solve_ivp, with a relative and absolute tolerance of 1e-10.
    """
    stepper, g = make_stepper(mechanism, 'matrix_r', 'rk4'), mechanism.g

    def place(x):
        stepper.q[:] = mechanism.assemble(x[:g], stepper.q)
        stepper.z[:], stepper.zd[:] = x[:g], x[g:]
        entry_points.forward_dynamics(stepper.model, stepper.work)

    def rates(_, x):
        place(x)
        return np.concatenate([x[g:], stepper.zdd])

    t = np.arange(round(duration / dt) + 1) * dt
    motion = solve_ivp(rates, (0.0, t[-1]), np.concatenate([mechanism.z0, mechanism.zd0]), method,
                       t, rtol=TOLERANCE, atol=TOLERANCE).y.T
    stepper.reset()
    rows = []
    for x in motion:
        place(x)
        rows.append([state.copy() for state in (stepper.z, stepper.zd, stepper.zdd, stepper.q,
                                                stepper.qd, stepper.qdd)])
    return Run(mechanism, t, *(np.array(column) for column in zip(*rows, strict=True)),
               forces=np.zeros((len(t), g)))


def true_bend(mechanism, duration, dt, method='DOP853'):
    """Return the coordinate `bend` of true_run [rad]."""
    place = list(mechanism.coordinates).index('bend')
    return true_run(mechanism, duration, dt, method).q[:, place]


def draw_bends(bends, truth, dt):
    """Write results/exponential.png.

    bends: {(step [s], integrator): bend [rad] from the start on, up to where it blows up};
    truth: the reference's, at steps of dt [s].
    """
    steps = sorted({step for step, _ in bends})
    figure, axes = plt.subplots(len(steps), 1, figsize=(9, 9), sharex=True, sharey=True,
                                layout='constrained')
    count = round(DRAWN / dt) + 1
    for axis, step, letter in zip(axes, steps, 'abc', strict=True):
        axis.plot(dt * np.arange(count), truth[:count], color='black', linewidth=3, alpha=0.25,
                  label='reference')
        for integrator, colour in COLOURS.items():
            bend = bends[step, integrator][:round(DRAWN / step) + 1]
            axis.plot(step * np.arange(len(bend)), np.clip(bend, -2 * LIMIT, 2 * LIMIT),
                      color=colour, linewidth=1, marker='.', markersize=4,
                      label=integrator.replace('_', ' '))
        axis.set_title(f'{letter}) {1e3 * step:g} ms', fontsize=10, loc='left')
        axis.set_ylabel('bend [rad]')
        axis.grid(alpha=0.25)
        axis.set_axisbelow(True)
    axes[0].set_ylim(-LIMIT, LIMIT)
    axes[0].legend(ncols=4, fontsize=8, frameon=False, loc='lower right', bbox_to_anchor=(1, 1))
    axes[-1].set_xlabel('time [s]')
    save(figure, 'exponential')
