"""Are the verdicts on filters right?  Causes that are injected beside those that are named.

Every filter runs on every mechanism with one thing wrong at a time.  What the worst sensor's
verdict names is counted: noise of a sensor, single readings far off, something that lasts, or
nothing (consistent).  Right models run as they are, with sensors quieter than declared, without
noise, and with random forces of the strength that filters without forces of their own expect.
Of these only filters with the exact derivatives of the model claim what is so; others are said to
be inconsistent where they are (inverted_slider_crank: a NEES of 1.8 per state with error_ekf).
Verdicts are held beside the truth, too: a filter is honest if its 95 % intervals of position hold
the truth in at least 80 % of the time after 2 s, and honest of rates if the ones of velocities and
of accelerations, where it claims any, do: most sensors here read neither.  It is lost in truth if
errors are beyond .2 rad or m and ten claimed deviations.  Runs that diverged have no verdict: they
are counted apart and are in no other figure.  Runs with a wrong start have nothing that must be
named; lasting causes that are named there are counted apart, and so are right models with a filter
that is not honest.

The rules of verdicts were made on four_bar, slider_crank, double_pendulum; the rule of lost also on
the five mechanisms of mb_estimators/test/test_lost.py and benchmarks of this folder.  They are
measured on others: peaucellier (with a spring), pumpjack and pendulum were never looked at before,
inverted_slider_crank and five_bar with other sensors.
"""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, product

import numpy as np

from benchmarks.cases import of_papers
from benchmarks.causes_machines import MACHINES, SPRING
from benchmarks.figures import Figure
from mb_estimators import Cause, DivergenceError, Experiment
from mb_model import simulate
from mb_sensors import FaultSettings

FILTERS = ('error_ekf', 'error_ekf_fe', 'dekf', 'ukf', 'sckf', 'adaptive_error_ekf_fe',
           'fixed_lag_smoother', 'moving_horizon', 'dual_ukf_error_ekf_fe')
SEEDS = range(2)
DURATION, STEP = 6.0, 5e-3              # s
PLANT_PSD = 9.162e-2                    # rad^2/s^3, as the filters expect
EXACT = 'error_ekf_ej', 'ukf'           # that move covariances as the model moves
OF_FORCES = ('error_ekf_fe', 'adaptive_error_ekf_fe')     # expect forces that wander
TIGHT = {                               # a hundredth of the plant noise: the truth has none
    **{name: {'acceleration_psd': PLANT_PSD / 100} for name in (
        'error_ekf', 'error_ekf_ej', 'ukf')},
    'error_ekf_fe': {'acceleration_variance': 2e-5}}
RIGHT, DIVERGED = 'consistent', 'diverged'
SILENT = 5.0                            # % of runs, wanted at most: not honest, and nothing said
SAYS_LOST = 50.0                        # % of estimates that are lost, wanted at least
NAMES = {Cause.NONE: 'no cause', Cause.NOISE: 'noise', Cause.OUTLIERS: 'outliers',
         Cause.LASTING: 'lasting'}
INJECTED = {                            # cause -> what is to be named
    'none': RIGHT, 'plant noise': RIGHT, 'quiet sensors': RIGHT, 'no noise': RIGHT,
    'noise x 3': 'noise', 'spikes': 'outliers', 'bias': 'lasting', 'stuck': 'lasting',
    'gravity': 'lasting', 'mass': 'lasting', 'spring': 'lasting', 'start': ''}


@dataclass(frozen=True)
class Verdict:
    """What was said of a run, and what was so."""

    machine: str
    filter: str
    injected: str
    named: str
    is_honest: bool = False
    is_honest_of_rates: bool = False
    is_lost: bool = False
    says_lost: bool = False
    is_undetermined: bool = False


def measure():
    """Return how often causes are named rightly, and how often nothing wrong is said."""
    with ProcessPoolExecutor(2) as pool:
        cases = list(zip(*product(MACHINES, INJECTED), strict=True))
        found, tight = (list(chain.from_iterable(pool.map(what, *cases)))
                        for what in (verdicts, tight_verdicts))
    for title, runs in (('plant noise as it is by default', found),
                        ('a hundredth of that plant noise', tight)):
        print_confusion(title, runs)
    every = found + tight
    diverged = [one for one in every if one.named == DIVERGED]
    found, tight = ([one for one in runs if one.named != DIVERGED] for runs in (found, tight))
    return [Figure('runs that diverged, in no figure below', _percent(diverged, every), '%'),
            *named_rightly(found), *consistent_rightly(found), *lost_rightly(found),
            *found_with_tight_noise(tight)]


def tight_verdicts(machine, injected):
    """Return the Verdicts of filters with a plant noise that does not cover wrong models."""
    if injected not in ('none', 'no noise', 'gravity', 'mass', 'spring'):
        return []
    return list(chain.from_iterable(verdicts(machine, injected, (name,), **settings)
                                    for name, settings in TIGHT.items()))


def verdicts(machine, injected, filters=FILTERS, seeds=SEEDS, **settings):
    """Return a Verdict of every run of a Machine with a cause injected; none if it has no such."""
    mechanism = machine.load()
    if (injected == 'spring' and not machine.spring) or (injected == 'mass' and not machine.body):
        return []
    experiment, faults = _experiment(machine, mechanism, injected)
    if injected == 'plant noise':       # also with filters whose claim is exact then
        filters = [*EXACT, *(name for name in filters if name not in (*EXACT, *OF_FORCES))]
    found = []
    for name, seed in product(filters, seeds):
        try:
            result = experiment.run(name, seed, faults=faults, **of_papers(name) | settings)
        except (DivergenceError, ValueError):       # said aloud
            found.append(Verdict(mechanism.name, name, injected, DIVERGED))
            continue
        found.append(_verdict(mechanism.name, name, injected, result))
    return found


class FaultyExperiment(Experiment):
    """An Experiment whose last sensor may fail."""

    def run(self, filter, seed, faults=None, **settings):
        """Do as Experiment, with FaultSettings of the last sensor."""
        self._faults = faults
        return super().run(filter, seed, **settings)

    def readings(self, seed):
        """Return the readings of all channels (k, channels)."""
        *others, last = self._recorded
        return np.hstack([*(one.readings(seed) for one in others),
                          last.readings(seed, self._faults)])


def _experiment(machine, mechanism, injected):
    """Return the Experiment with a cause injected, and the faults of its last sensor or None."""
    declared = {s.name: s.settings for s in Experiment(
        mechanism, machine.sensors, {}, STEP, STEP).sensors}
    last = list(declared)[-1]
    believed = {name: {'sigma': s.sigma} for name, s in declared.items()}
    errors, true, faults = {}, {}, None
    if injected in ('noise x 3', 'quiet sensors'):
        factor = 1.0 / 3.0 if injected == 'noise x 3' else 3.0
        errors = {'sensors': {name: {'sigma': factor * s['sigma']} for name, s in believed.items()}}
    elif injected == 'no noise':
        true, errors = {name: {'sigma': 0.0} for name in declared}, {'sensors': believed}
    elif injected == 'bias':
        true = {last: {'bias': 2.0 * declared[last].sigma}}
        errors = {'sensors': {last: {'bias': 0.0}}}
    elif injected == 'spikes':
        faults = FaultSettings(spike_from=1.0, spike_for=99.0, spike_share=0.02,
                               spike_size=12.0 * declared[last].sigma)
    elif injected == 'stuck':
        faults = FaultSettings(stuck_from=4.0, stuck_for=99.0)
    elif injected == 'gravity':
        errors = {'gravity': -1.0}
    elif injected == 'mass':
        mass = mechanism.raw['bodies'][machine.body]['mass']
        errors = {'bodies': {machine.body: {'mass': 0.8 * mass}}}
    elif injected == 'spring':
        errors = {'forces': {machine.spring: {'stiffness': 0.6 * SPRING['stiffness']}}}
    elif injected == 'start':
        errors = {'z0': machine.start}
    prototype = mechanism.replace(sensors=true) if true else mechanism
    truth = _shaken(prototype) if injected == 'plant noise' else None
    return FaultyExperiment(prototype, machine.sensors, errors, DURATION, STEP, truth), faults


def _shaken(mechanism):
    """Return a Run under random accelerations of the density that filters expect."""
    rng = np.random.default_rng(7)
    places = [mechanism.coordinates.index(name) for name in mechanism.independent]

    def force(t, z, zd):
        by_force = mechanism.force_jacobian(z, zd)[:, places]
        return np.linalg.solve(by_force, np.sqrt(PLANT_PSD / STEP) * rng.normal(size=len(z)))
    return simulate(mechanism, DURATION, STEP, inputs=force)


def _verdict(machine, name, injected, result):
    """Return the Verdict on a Result."""
    late, g = result.t >= 2.0, result.truth.z.shape[1]
    truth, observer = result.truth, result.observer
    every = np.sqrt(np.diagonal(result.covariance[late], axis1=1, axis2=2))
    off = np.abs(np.hstack([observer.z - truth.z, observer.zd - truth.zd,
                            observer.zdd - truth.zdd]))[late, :every.shape[1]]
    holds = off <= 1.96 * every
    errors, deviations = off[:, :g], every[:, :g]
    said = result.consistency()
    worst = max(said.values(), key=lambda f: max(f.nis / f.nis_bound, f.lasting / f.lasting_bound))
    return Verdict(
        machine, name, injected, RIGHT if worst.is_consistent else NAMES[worst.cause],
        bool(np.mean(holds[:, :g]) >= 0.8), bool(np.mean(holds[:, g:]) >= 0.8),
        bool(errors.max() > 0.2 and np.sqrt(np.mean((errors / deviations) ** 2)) > 10.0),
        any(why for why, settled in zip(result.lost, late, strict=True) if settled),
        bool(result.undetermined))


def print_confusion(title, found):
    """Print how often each cause was named, by what was injected."""
    print(f'\n{title}')
    columns = (RIGHT, *NAMES.values(), DIVERGED)
    print(f'{"injected":14}' + ''.join(f'{name:>12}' for name in columns) + f'{"honest":>10}')
    for injected in dict.fromkeys(one.injected for one in found):
        own = [one for one in found if one.injected == injected]
        named = Counter(one.named for one in own)
        print(f'{injected:14}' + ''.join(f'{named[name]:12}' for name in columns)
              + f'{sum(one.is_honest for one in own):7} of {len(own)}')


def named_rightly(found):
    """Return of the runs with a cause named what was so, by the name, and how often none was."""
    figures = []
    for name in ('noise', 'outliers', 'lasting'):
        own = [one for one in found if one.named == name]
        right = [one for one in own if INJECTED[one.injected] == name]
        figures.append(Figure(f'"{name}" named: injected', _percent(right, own), '%', 50.0,
                              at_least=True))
        nothing = [one for one in own if INJECTED[one.injected] == RIGHT]
        itself = [one for one in nothing if not one.is_honest]
        start = [one for one in own if one.injected == 'start']
        figures += [
            Figure(f'"{name}" named: nothing injected, the filter itself is not honest',
                   _percent(itself, own), '%'),
            Figure(f'"{name}" named: only the start was wrong', _percent(start, own), '%'),
            Figure(f'"{name}" named: nothing injected, the filter is honest',
                   100.0 * (len(nothing) - len(itself)) / max(1, len(own)), '%'),
            Figure(f'"{name}" named: another cause injected', 100.0 * (
                len(own) - len(right) - len(nothing) - len(start)) / max(1, len(own)), '%')]
    for injected in ('none', 'noise x 3', 'spikes', 'bias', 'stuck', 'gravity', 'mass', 'spring'):
        own = [one for one in found if one.injected == injected]
        figures.append(Figure(f'{injected}: not consistent',
                              _percent([one for one in own if one.named != RIGHT], own), '%'))
        figures.append(Figure(f'{injected}: not honest, and nothing said', _percent(
            [one for one in own if not one.is_honest and one.named == RIGHT
             and not one.is_undetermined and not one.says_lost], own), '%', SILENT))
        figures.append(Figure(f'{injected}: honest of positions, not of rates, and nothing said',
                              _percent([one for one in own if one.is_honest
                                        and not one.is_honest_of_rates and one.named == RIGHT
                                        and not one.is_undetermined and not one.says_lost], own),
                              '%', SILENT))
    return figures


def consistent_rightly(found):
    """Return the share of runs with right models and right or cautious noises found consistent."""
    figures = []
    for injected in [name for name, right in INJECTED.items() if right == RIGHT]:
        own = [one for one in found if one.injected == injected]
        honest = [one for one in own if one.is_honest]
        exact = [one for one in own if one.filter in EXACT]
        figures.append(Figure(f'{injected}: consistent, of {" and ".join(EXACT)}', _percent(
            [one for one in exact if one.named == RIGHT], exact), '%', 95.0, at_least=True))
        figures.append(Figure(f'{injected}: consistent, of honest runs', _percent(
            [one for one in honest if one.named == RIGHT], honest), '%',
            95.0 if injected != 'plant noise' else None, at_least=True))
        figures.append(Figure(f'{injected}: consistent, of all', _percent(
            [one for one in own if one.named == RIGHT], own), '%'))
    return figures


def lost_rightly(found):
    """Return how often estimates that are lost say so, and others do; sensors that stick apart."""
    lost = [one for one in found if one.is_lost and one.injected != 'stuck']
    others = [one for one in found if not one.is_lost and one.injected != 'stuck']
    return [
        Figure('lost in truth: says so', _percent([o for o in lost if o.says_lost], lost), '%',
               SAYS_LOST, at_least=True),
        Figure('lost in truth: says anything', _percent(
            [o for o in lost if o.says_lost or o.named != RIGHT or o.is_undetermined], lost), '%',
               100.0 - SILENT, at_least=True),
        Figure('not lost in truth: says that it is', _percent(
            [o for o in others if o.says_lost], others), '%', 5.0)]


def found_with_tight_noise(found):
    """Return how often wrong models are found where the plant noise does not cover them."""
    return [Figure(f'{injected}, little plant noise: {"" if right else "not "}consistent', _percent(
        [one for one in own if (one.named == RIGHT) == right], own), '%',
        95.0 if right else None, at_least=True)
        for injected, right in (('none', True), ('no noise', True), ('gravity', False),
                                ('mass', False), ('spring', False))
        for own in [[one for one in found if one.injected == injected]]]


def _percent(some, own):
    return 100.0 * len(some) / len(own) if own else float('nan')
