"""Figs. 6 to 16 of Pyrhonen et al. 2023b: friction, motion, oil and load of a hydraulic crane."""

from functools import cache, partial

from matplotlib.colors import LogNorm
import numpy as np

from benchmarks.crane_cases import LOAD, MACHINES, SENSORS, crane, work_cycle
from benchmarks.crane_payload import draw_mass
from benchmarks.figures_of_papers.drawing import (
    FAINT,
    NORMAL_95,
    OTHER,
    OURS,
    PEER,
    TRUE,
    Asked,
    Drawn,
    PaperFigure,
    legend,
    panels,
    rms,
    title,
)
from mb_contact import PayloadExperiment
from mb_estimators import FitRecording, FitSettings, UnexplainedForces, fit, observed_oil
from mb_model import Regressor, WorkCycle, simulate_hydraulics
from mb_simulation.prototypes.recorded_cycle import recorded_cycle
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

QUICK = 3.4                             # s of the work cycle
JUDGED_FROM = 0.5                       # s: the observer has found the state
REAL = 'all, 225 Hz'                    # in place of their crane: it bends, hoses, a supply ripples
LEVELS = {'z': ('piston position', 'm', 0), 'zd': ('piston velocity', 'm/s', 1),
          'zdd': ('piston acceleration', 'm/s$^2$', 2)}
CLOSE = (3.0, 4.0)                      # s, of the detailed views
CLOSE_QUICK = (2.0, 3.0)
MEGA = 1e-6
OFTEN = FitSettings(oil_averaging_time=5e-3, averaging_time=1e-3, settling_time=0.5,
                    largest_acceleration=10.0, held_out=0.0)        # every instant


@cache
def experiment(machine: str = '', quick: bool = False):
    """Return the PayloadExperiment of the load on the work cycle; machine: of MACHINES."""
    mechanism, cycle = crane(), work_cycle(crane())
    if quick:
        kept = cycle.times <= QUICK
        cycle = WorkCycle(mechanism.circuit, cycle.times[kept], cycle.valves[kept])
    unmodelled = {'unmodelled': UnmodelledSettings(**MACHINES[machine])} if machine else {}
    return PayloadExperiment(mechanism, SENSORS, truth=recorded_cycle(mechanism, cycle,
                                                                      **unmodelled))


@cache
def result(machine: str, quick: bool, seed: int):
    """Return the PayloadResult of the paper's estimator."""
    return experiment(machine, quick).run(seed)


def draw_friction(asked: Asked) -> Drawn:
    """Draw the friction force over the velocity: estimated, its median, fitted and true curve."""
    run, settings = experiment('', asked.quick), OFTEN if asked.quick else FitSettings()
    recording, machine = run.recording(asked.seeds[0]), run.prototype
    every = observed_oil(machine, recording, run.sensors, OFTEN)
    samples = UnexplainedForces(Regressor(machine, ()), every, machine.indices(['s']), OFTEN)
    seen, force = samples.motion.zd[:, 0], samples.residual[:, 0]
    fitted_to = observed_oil(machine, recording, run.sensors, settings)
    found = fit(machine, ['friction'], [FitRecording(fitted_to)], ['s'], settings)
    pressures = np.median(result('', asked.quick, asked.seeds[0]).observed.pressures, axis=0)
    velocity = np.linspace(seen.min(), seen.max(), 201)
    true, fitted = (np.array([one.circuit.friction(pressures, [v])[0] for v in velocity])
                    for one in (machine, found.mechanism))
    picture, axes = panels(1, 1, (7.0, 4.5))
    axis = axes[0, 0]
    counted = axis.hist2d(seen, force, (80, 60), norm=LogNorm(), cmap='Blues')
    picture.colorbar(counted[3], ax=axis, label='instants [-]')
    middles, medians = median_over(seen, force)
    axis.plot(middles, medians, '.', color=OTHER, label='median')
    axis.plot(velocity, true, color=TRUE, ls='--', label='true')
    axis.plot(velocity, fitted, color=PEER, label='fitted')
    axis.set_ylim(*(1.6 * np.array([-1.0, 1.0]) * np.abs(fitted).max()))
    axis.set_xlabel('piston velocity [m/s]')
    axis.set_ylabel('friction force [N]')
    legend(axis, loc='upper left')
    return Drawn(picture, [f'fitted curve {rms(fitted - true):.2g} N RMS off, of at most '
                           f'{np.abs(fitted).max():.2g} N'])


def median_over(x, y, parts=40):
    """Return the middles of parts of the range of x, and the medians of y there, if many."""
    edges = np.linspace(x.min(), x.max(), parts + 1)
    place = np.clip(np.digitize(x, edges) - 1, 0, parts - 1)
    kept = [k for k in range(parts) if (place == k).sum() > 10]
    return (0.5 * (edges[:-1] + edges[1:])[kept],
            np.array([np.median(y[place == k]) for k in kept]))


def draw_cycle(asked: Asked) -> Drawn:
    """Draw the command and the spool, and the piston by prototype and model."""
    truth = experiment('', asked.quick).truth
    cycle = WorkCycle(crane().circuit, truth.t, truth.U_in)
    model = simulate_hydraulics(crane(), truth.t[-1], float(truth.t[1] - truth.t[0]), cycle)
    picture, axes = panels(2, 1, (8.0, 5.5), sharex=True)
    axes[0, 0].plot(truth.t, truth.U_in[:, 0], color=TRUE, lw=1.0, ls='--', label='command')
    axes[0, 0].plot(truth.t, truth.U[:, 0], color=OURS, lw=1.0, label='spool')
    axes[0, 0].set_ylabel('valve [-]')
    axes[1, 0].plot(truth.t, truth.s[:, 0], color=OURS, lw=1.2, label='prototype (MuJoCo)')
    axes[1, 0].plot(model.t, model.s[:, 0], color=PEER, lw=1.2, ls='--', label='model')
    axes[1, 0].set_ylabel('piston position [m]')
    axes[1, 0].set_xlabel('time [s]')
    for axis, letter, what in zip(axes[:, 0], 'ab', ('control signal', 'motion'), strict=True):
        title(axis, letter, what)
        legend(axis)
    apart = np.abs(model.s[:, 0] - truth.s[:len(model.t), 0]).max()
    return Drawn(picture, [f'prototype and model get {1e3 * apart:.2g} mm apart'])


def draw_level(names: tuple[str, ...], machine: str, asked: Asked) -> Drawn:
    """Draw levels of the motion: estimate with its interval and truth, whole and in detail."""
    found = result(machine, asked.quick, asked.seeds[0])
    close = CLOSE_QUICK if asked.quick else CLOSE
    picture, axes = panels(len(names), 2, (10.0, 3.6 * len(names)), sharex='col')
    lines = []
    for row, name, letters in zip(axes, names, ('ab', 'cd'), strict=False):
        what, unit, level = LEVELS[name]
        truth, estimate = getattr(found.truth, name)[:, 0], getattr(found.observed, name)[:, 0]
        reach = NORMAL_95 * np.sqrt(found.observed.covariance[:, level, level])
        for axis, letter, view in zip(row, letters, ('', ', in detail'), strict=True):
            axis.fill_between(found.t, estimate - reach, estimate + reach, color=FAINT, lw=0.0,
                              alpha=0.7, label='95 % interval')
            axis.plot(found.t, estimate, color=OURS, lw=1.0, label='estimate')
            axis.plot(found.t, truth, color=TRUE, lw=0.9, ls='--', label='precise')
            title(axis, letter, what + view)
        if name == 'z':
            _draw_measured(row, machine, asked)
        row[1].set_xlim(*close)
        _limit(row[0], truth[found.t > JUDGED_FROM])
        shown = (found.t > close[0]) & (found.t < close[1])
        _limit(row[1], (estimate - reach)[shown], (estimate + reach)[shown])
        row[0].set_ylabel(f'{what} [{unit}]')
        lines.append(in_words(what, unit.replace('$', ''), found, truth, estimate, reach))
    for axis in axes[-1]:
        axis.set_xlabel('time [s]')
    legend(axes[0, 0])
    return Drawn(picture, lines)


def in_words(what, unit, found, truth, estimate, reach):
    """Return error, interval and delay of an estimate; found: a PayloadResult."""
    late = found.t > JUDGED_FROM
    off = (estimate - truth)[late]
    half = len(off) // 2
    delay, inside = delay_of(truth[late], estimate[late], found), np.abs(off) <= reach[late]
    return (f'{what}: {rms(off):.2g} {unit} RMS off, {delay:.0f} ms late; 95 % intervals hold '
            f'{100.0 * np.mean(inside):.0f} %, '
            f'{reach[late][:half].mean():.2g} {unit} wide each way in the first half, '
            f'{reach[late][half:].mean():.2g} in the second')


def delay_of(truth, estimate, found, longest=60):
    """Return by how many ms the estimate is best explained as a late truth."""
    step = 1e3 * float(found.t[1] - found.t[0])
    errors = [np.mean((estimate[longest:] - truth[longest - k:len(truth) - k]) ** 2)
              for k in range(longest)]
    return step * int(np.argmin(errors))


def _draw_measured(row, machine, asked):
    """Draw what the encoder of the cylinder reads."""
    run = experiment(machine, asked.quick)
    read = run.readings(asked.seeds[0])[:, 0]
    for axis in row:
        axis.plot(run.t, read, '.', color=PEER, ms=2.0, label='measured', zorder=1)


def _limit(axis, *curves):
    """Set the limits of an axis by curves alone, not by their intervals."""
    low, high = min(map(np.min, curves)), max(map(np.max, curves))
    margin = 0.25 * (high - low) + 1e-9
    axis.set_ylim(low - margin, high + margin)


def draw_pressures(machine: str, asked: Asked) -> Drawn:
    """Draw both pressures: estimates with intervals, readings and truth, and in detail."""
    found = result(machine, asked.quick, asked.seeds[0])
    run, g = experiment(machine, asked.quick), 1
    close, read = CLOSE_QUICK if asked.quick else CLOSE, run.readings(asked.seeds[0])
    picture, axes = panels(2, 2, (10.0, 6.5), sharex='col')
    lines = []
    for k, (row, letters) in enumerate(zip(axes, ('ab', 'cd'), strict=True)):
        truth, estimate = (MEGA * one.pressures[:, k] for one in (found.truth, found.observed))
        place = 3 * g + k
        reach = MEGA * NORMAL_95 * np.sqrt(found.observed.covariance[:, place, place])
        for axis, letter, view in zip(row, letters, ('', ', in detail'), strict=True):
            axis.plot(run.t, MEGA * read[:, 1 + k], '.', color=PEER, ms=2.0, label='measured')
            axis.fill_between(found.t, estimate - reach, estimate + reach, color=FAINT, lw=0.0,
                              alpha=0.7, label='95 % interval')
            axis.plot(found.t, estimate, color=OURS, lw=1.0, label='estimate')
            axis.plot(found.t, truth, color=TRUE, lw=0.9, ls='--', label='precise')
            title(axis, letter, f'pressure p{k + 1}{view}')
        row[1].set_xlim(*close)
        shown = (found.t > close[0]) & (found.t < close[1])
        _limit(row[1], truth[shown], estimate[shown])
        row[0].set_ylabel(f'p{k + 1} [MPa]')
        lines.append(in_words(f'p{k + 1}', 'MPa', found, truth, estimate, reach))
    for axis in axes[1]:
        axis.set_xlabel('time [s]')
    legend(axes[0, 0])
    return Drawn(picture, lines)


def draw_masses(machine: str, asked: Asked) -> Drawn:
    """Draw the mass of each instant, filtered, and the true one."""
    found = result(machine, asked.quick, asked.seeds[0])
    picture, axes = panels(1, 1, (8.0, 4.0))
    axis = axes[0, 0]
    draw_mass(axis, found)
    axis.set_ylim(0.6 * LOAD, 1.4 * LOAD)
    axis.set_xlabel('time [s]')
    legend(axis, ncols=2, loc='lower right')
    late = found.judged & found.payload.updating if found.judged.any() else found.payload.updating
    raw = found.payload.raw_mass[late, 0]
    within = np.percentile(np.abs(raw - np.nanmedian(raw)), 95.0) if len(raw) else np.nan
    still = ~found.moving & (found.t > JUDGED_FROM)
    biased = rms(found.payload.raw_mass[still, 0] - LOAD)
    return Drawn(picture, [
        f'each instant, where it is updated: median {np.nanmedian(raw):.2f} kg, 95 % within '
        f'{within:.2g} kg of it; filtered {rms(found.mass_error[late]):.2g} kg RMS off '
        f'{LOAD:g} kg', f'while the piston is slower than the transition velocity each instant is '
        f'{biased:.2g} kg RMS off'])


SIMULATED = 'The work cycle, the crane, its oil and the noise are ours, the truth is in MuJoCo.'
INSTEAD = ('In place of their crane a prototype in MuJoCo with what the model does not know: an '
           'arm that bends, hoses, a supply that ripples.')
FIGURES = {
    6: PaperFigure(draw_friction, f'Friction over the velocity of the piston. {SIMULATED}',
                   'the curve is fitted to the estimated friction'),
    7: PaperFigure(draw_cycle, f'Valve and piston over the cycle. {SIMULATED}',
                   'crane and model are close, and drift apart by errors of the model'),
    8: PaperFigure(partial(draw_level, ('z',), ''), f'The position of the piston. {SIMULATED}',
                   'estimate and truth coincide, the interval is narrow and does not grow'),
    9: PaperFigure(partial(draw_level, ('zd',), ''), f'The velocity of the piston. {SIMULATED}',
                   'it is followed, fluctuations of 10 Hz too; the interval does not grow'),
    10: PaperFigure(partial(draw_level, ('zdd',), ''),
                    f'The acceleration of the piston. {SIMULATED}',
                    'it is followed with a delay; the interval is wide and does not grow'),
    11: PaperFigure(partial(draw_pressures, ''), f'Both pressures. {SIMULATED}',
                    'both are followed with little delay; their intervals do not grow'),
    12: PaperFigure(partial(draw_masses, ''), f'The load, 50 kg. {SIMULATED}',
                    'the mass of each instant is right at once, with outliers where the piston is '
                    'slow, which the filter removes'),
    13: PaperFigure(partial(draw_level, ('z',), REAL), f'The position of the piston. {INSTEAD}',
                    'it is followed, less well than in simulation'),
    14: PaperFigure(partial(draw_level, ('zd', 'zdd'), REAL),
                    f'Velocity and acceleration of the piston. {INSTEAD}',
                    'they are as in simulation; their intervals do not grow'),
    15: PaperFigure(partial(draw_pressures, REAL), f'Both pressures. {INSTEAD}',
                    'they fluctuate more than in simulation and are followed less well'),
    16: PaperFigure(partial(draw_masses, REAL), f'The load, 50 kg. {INSTEAD}',
                    'the mass of each instant fluctuates more than in simulation, as the arm '
                    'bends; the filtered one suffers less'),
}
