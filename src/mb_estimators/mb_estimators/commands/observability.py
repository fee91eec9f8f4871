"""Which states of a mechanism does a set of sensors determine, and which sensor would help?

Simulates the mechanism from its start and sums the information of every reading on the state
there: the observability Gramian, by exact derivatives and, to check, by simulations from other
starts.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from mb_estimators.commands.options import command_parser
from mb_estimators.observability.gramian import Gramian
from mb_estimators.observability.study import Observability, observability
from mb_model import Mechanism, StepError, load_mechanism
from mb_model.arrays import FloatArray
from mb_model.command_api import POSITIVE, changes_of, laid_out, run_command, table, working
from mb_sensors import sensors_of

_DURATION, _FEWEST = 10.0, 20       # of the motion [s], of its steps
_DT = 0.005                         # the longest step [s]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_study, _parser(), arguments)


def _parser() -> ArgumentParser:
    parser = command_parser('observability', __doc__, 'Example: ros2 run mb_estimators '
                            'observability --mechanism four_bar --sensors crank_gyro --forces')
    parser.add_argument('--mechanism', required=True,
                        help='name of a mechanism or path of its file')
    parser.add_argument('--sensors', required=True, nargs='+', metavar='NAME',
                        help='sensors or sensor groups of the mechanism')
    parser.add_argument('--duration', type=POSITIVE,
                        help=f'[s] ({_DURATION:g}, halved as often as the motion needs to go on)')
    parser.add_argument('--dt', type=POSITIVE,
                        help=f'step [s] ({_DT:g}, or the time between readings of the fastest '
                        'sensor of the mechanism, if that is shorter)')
    parser.add_argument('--forces', action='store_true',
                        help='ask for a constant unknown force on each degree of freedom too')
    parser.add_argument('--parameters', nargs='+', default=[], metavar='PATH',
                        help='ask for numbers of the file too: bodies.crank.mass, gravity.y, or '
                        'the names of its `parameters`')
    parser.add_argument('--known-to', type=POSITIVE, default=0.1, metavar='SHARE',
                        help='a state is observable if readings determine it to this share of its '
                        'size: a radian, the size of the mechanism, these in a second, a force '
                        'that gives such an acceleration, the value of a parameter, the bias_sigma '
                        'of a sensor (%(default)s)')
    parser.add_argument('--set', action='append', default=[], metavar='KEY=VALUE', dest='changes',
                        help='change an entry of the mechanism file, such as '
                        'start.theta=pi/2 or sensors.crank_gyro.bias_sigma=0.01; repeatable')
    return parser


def _study(given: Namespace) -> Iterator[str]:
    """Yield the results, as text."""
    mechanism = load_mechanism(given.mechanism)
    if given.changes:
        mechanism = mechanism.replace(**changes_of(given.changes))
    names = [name for text in given.sensors for name in text.strip('[ ]').split(',')]
    names = [name.strip() for name in names if name.strip()]
    if given.dt is None:
        given.dt = _step(mechanism)
    with working('following the free motion, with each sensor added in turn'):
        study, problem = _studied(given, mechanism, names)
    if problem:
        yield f'The free motion cannot go on for {_DURATION:g} s: {problem}'
    title = f'{mechanism.name}: {", ".join(names)}, {study.t[-1]:g} s of free motion'
    yield laid_out(states_table(study, title))
    yield from summary(study)
    if study.added:
        yield laid_out(added_table(study))
        yield advice(study)


def _step(mechanism: Mechanism) -> float:
    """Return the longest step at which the readings of every sensor of a mechanism come [s]."""
    rates = [sensor.rate for sensor in sensors_of(mechanism, list(mechanism.sensors))]
    return min([_DT, *(1.0 / rate for rate in rates)])


def _studied(given: Namespace, mechanism: Mechanism, names: Sequence[str],
             ) -> tuple[Observability, StepError | None]:
    """Return the Observability, and why its motion is shorter than the usual one, or None."""
    duration, problem = _DURATION if given.duration is None else given.duration, None
    while True:
        try:
            return observability(mechanism, names, duration, given.dt, forces=given.forces,
                                 parameters=given.parameters, known_to=given.known_to), problem
        except StepError as error:
            if given.duration is not None or duration < 2 * _FEWEST * given.dt:
                raise
            problem = problem or error
            duration *= 0.5


_MOST = 4               # dead centres that are listed
_NEGLIGIBLE = 0.05      # part of a state in a direction that is not shown


def states_table(study: Observability, title: str) -> Table:
    """Return the table of what the sensors determine of every state."""
    states = study.analytic.states
    columns = zip(states.names, states.units, study.analytic.observable, study.forgotten,
                  study.analytic.deviations, study.empirical.deviations,
                  study.analytic.known_after(study.t), study.at_end, strict=True)
    rows = [(name, 'yes' if observable else 'forgotten' if forgotten else Text('no', 'bold red'),
             _amount(deviation, unit), _amount(empirical, unit),
             '-' if np.isnan(after) else f'{after:.3g} s', _amount(at_end, unit))
            for name, unit, observable, forgotten, deviation, empirical, after, at_end in columns]
    return table(('state at the start', 'observable', 'known to', 'by simulation', 'after',
                  'at the end'), [rows], title)


def summary(study: Observability) -> Iterator[str]:
    """Yield rank and condition, and the combinations of states that readings do not determine."""
    for name, gramian in (('exact derivatives', study.analytic), ('simulation', study.empirical)):
        yield (f'{name:18} rank {gramian.rank} of {len(gramian.states)}, '
               f'condition {gramian.condition:.3g}')
    for direction in study.analytic.unobservable_directions():
        yield ('not determined at the start: '
               f'{_combination(study.analytic.states.names, direction)}')
    if study.forgotten.any():
        names = np.array(study.analytic.states.names)[study.forgotten]
        yield (f'forgotten by damping: {", ".join(names)}: readings do not determine the start, '
               f'but after {study.t[-1]:g} s what it was makes no difference any more')
    seen, simply = study.analytic.observable, study.simple.observable
    lost = [name for name, one, other in zip(study.analytic.states.names, seen, simply,
                                             strict=True) if one and not other]
    if lost:
        yield ('Filters whose covariance takes accelerations for constant, such as error_ekf and '
               f'dekf, do not find the start of {", ".join(lost)}; error_ekf_fe, error_ekf_ej and '
               'ukf know how accelerations depend on it')
    if study.dead_centres:
        yield _dead_centres_text(study.dead_centres)


def _dead_centres_text(dead_centres):
    """Return a warning of instants at which readings do not show the side."""
    times = ', '.join(f'{one.t:.3g}' for one in dead_centres[:_MOST])
    more = f' and {len(dead_centres) - _MOST} more' if len(dead_centres) > _MOST else ''
    moving = ', '.join(dict.fromkeys(one.coordinate for one in dead_centres))
    helps = set.intersection(*(set(one.distinguished_by) for one in dead_centres))
    return (f'WARNING: dead centres at t = {times} s{more}: {moving} moves while the readings '
            'of positions stand still. They are alike on both sides of these, and a filter that '
            'starts on the wrong side, or comes to it, gets lost. '
            f'{", ".join(sorted(helps)) or "No other sensor of the file"} would '
            'distinguish the sides')


def added_table(study: Observability) -> Table:
    """Return the table of gains by one more sensor of the mechanism, the best first."""
    states, rows = study.analytic.states, []
    for name in _best_first(study):
        gramian = study.added[name]
        shares = _shares(gramian, len(states))
        worst = int(np.argmax(shares))
        rows.append((name, f'{gramian.rank} of {len(gramian.states)}', f'{gramian.condition:.3g}',
                     ', '.join(_gained(study, name)) or '-', states.names[worst],
                     _amount(gramian.deviations[worst], states.units[worst])))
    return table(('sensor', 'rank', 'condition', 'makes observable', 'least known state', 'to'),
                 [rows], 'with one more sensor', words=(0, 3))


def advice(study: Observability) -> str:
    """Return which sensor would help, in a sentence."""
    missing = [name for name, known in zip(study.analytic.states.names,
                                           study.analytic.observable | study.forgotten,
                                           strict=True) if not known]
    best = _best_first(study)[0]
    if not missing:
        gain = (_shares(study.analytic, len(study.analytic.states)).max()
                / _shares(study.added[best], len(study.analytic.states)).max())
        but = ', but not the side at dead centres' if study.dead_centres else ''
        known = ('observable' if study.analytic.observable.all() else
                 'observable, or forgotten by damping')
        return (f'Everything is {known}{but}; {best} would determine the least known state '
                + ('hardly more accurately' if f'{gain:.3g}' == '1' else
                   f'{gain:.3g} times as accurately'))
    gained = _gained(study, best)
    if not gained:
        return f'No other sensor of the file makes {", ".join(missing)} observable'
    rest = [name for name in missing if name not in gained]
    return (f'{best} would help: it makes {", ".join(gained)} observable'
            + (f', not {", ".join(rest)}' if rest else ''))


def _best_first(study: Observability) -> list[str]:
    """Return the names of the other sensors, the most informative first."""
    count = len(study.analytic.states)

    def unknown(name: str) -> tuple[Any, Any]:
        shares = _shares(study.added[name], count)
        return np.sum(~study.added[name].observable[:count]), shares.max()
    return sorted(study.added, key=unknown)


def _gained(study: Observability, name: str) -> list[str]:
    """Return the states that become observable with another sensor."""
    states, known = study.analytic.states, study.analytic.observable
    return [state for state, before, after in zip(
        states.names, known, study.added[name].observable[:len(states)], strict=True)
        if after and not before]


def _shares(gramian: Gramian, count: int) -> FloatArray:
    """Return the deviations of the first states in units of their sizes."""
    return (gramian.deviations / gramian.states.sizes)[:count]


def _combination(names: Sequence[str], direction: FloatArray) -> str:
    """Return a direction as a sum, its largest part first: 'a - 0.5 b'."""
    largest = np.argsort(-np.abs(direction))
    direction = direction / direction[largest[0]]
    parts = [(direction[i], names[i]) for i in largest if abs(direction[i]) > _NEGLIGIBLE]
    text = ' '.join(f'{"-" if part < 0.0 else "+"} {abs(part):.2g} {name}' for part, name in parts)
    return text.removeprefix('+ 1 ')


def _amount(deviation: float, unit: str) -> str:
    """Return a deviation as text."""
    return f'{deviation:.2g} {unit}' if np.isfinite(deviation) else 'not at all'
