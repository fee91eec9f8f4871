"""Joints and springs in space against MSC Adams: single bodies, over 5 s.

Adams rounds its results to six or seven digits: an error counts beyond what the rounding explains.
Beside it are our error of integration, against the same motion with steps twice as long, and the
error of Adams: where nothing dissipates or drives, the energy that its results gain or lose, as a
height; rounding adds to it.
"""

from dataclasses import dataclass
from pathlib import Path
import sys

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.adams_cases import DT, FOLDER, Case, find_case, names_in
from benchmarks.figures import Figure
from mb_model import Mechanism, MechanismError, StepError, make_stepper
from mb_model.file_api import AdamsError, reported

FORMULATION, INTEGRATOR, STEP = 'lagrange', 'rk4', 1e-4
# Of quantities by the start of their names: the limit, and whether it is a share of the largest
GROUPS = {'positions': (('Pos',), 1e-4, 'm'), 'velocities': (('Vel', 'Avel'), 1e-3, 'm/s, rad/s'),
          'accelerations': (('Acc', 'Aacc'), 1e-2, 'of the largest'),
          'quaternions': (('Quat',), 1e-4, ''),
          'reactions': (('Rforce', 'Rtorque'), 1e-2, 'of the largest')}
ZERO = 1e-6         # what is smaller throughout is zero, and has this limit


@dataclass(frozen=True)
class Verdict:
    """The largest errors of a case.

    errors: group -> the largest error, beyond rounding in `beyond` [unit of the group]; step: of
    integration, of positions [m]; reference: what Adams's positions are wrong by at least, as a
    height [m], NaN where energy does not say.
    """

    case: Case
    errors: dict[str, float]
    beyond: dict[str, float]
    step: float
    reference: float

    def met(self, group: str) -> bool:
        """Whether the limit of a group is met."""
        return self.beyond[group] <= GROUPS[group][1]


def measure(judge: str | None = None) -> list[Figure]:
    """Return the errors of every case in a folder, as figures, and print them as a table."""
    folder = Path(judge) if judge else FOLDER
    names = names_in(folder)
    if not names:
        print(f'spatial_joints: no results of Adams in {folder}, expected '
              '<kind>/<case>_ADAMS_<quantity>.txt; nothing is measured')
        return [Figure('cases found', 0, '', target=1, at_least=True)] if judge else []
    verdicts, failed = [], {}
    for name in names:
        try:
            verdicts.append(_judged(find_case(folder, name)))
        except (AdamsError, MechanismError, StepError, OSError) as error:
            failed[name] = str(error)
    _print(verdicts, failed)
    figures = [Figure(f'{one.case.name}: {group}', one.beyond[group], unit, target=limit)
               for one in verdicts for group, (_, limit, unit) in GROUPS.items()]
    return [*figures, Figure('cases that are not computed', len(failed), '', target=0)]


def motion(case: Case, rows: int, step: float) -> dict[str, np.ndarray]:
    """Return what Adams reports, quantity -> (rows, 3 or 4), at 0, DT, ... s of our motion."""
    mechanism = Mechanism(case.model.raw, case.model.file)
    stepper = make_stepper(mechanism, FORMULATION, INTEGRATOR)
    stepper.reset(None, case.model.start_velocity(mechanism))
    centre, found = next(iter(case.model.parts.values())).centre, []
    for row in range(rows):
        for _ in range(round(DT / step) if row else 0):
            stepper.step(step)
        found.append(reported(stepper, centre, case.reactions))
    return {name: np.array([one[name] for one in found]) for name in found[0]}


def _judged(case):
    results = case.results()
    rows = len(next(iter(results.values())))
    ours, longer = (motion(case, rows, step) for step in (STEP, 2.0 * STEP))
    if set(ours) != set(results):
        raise AdamsError(f'results of {", ".join(sorted(results))}, expected those of '
                         f'{", ".join(sorted(ours))}')
    errors, beyond = {}, {}
    for group, (starts, _, _) in GROUPS.items():
        found = [_error(ours[name], expected, case.digits(name), 'largest' in GROUPS[group][2])
                 for name, expected in results.items() if name.startswith(starts)]
        errors[group], beyond[group] = (max(pair) for pair in zip(*found, strict=True))
    return Verdict(case, errors, beyond, np.abs(ours['Pos'] - longer['Pos']).max(),
                   _energy_drift(case, results))


def _error(ours, expected, digits, relative):
    """Return the largest error, and the largest beyond rounding; as shares if relative.

    Quaternions q and -q are the same turn.
    """
    if expected.shape[1] == 4:
        ours = ours * np.where((ours * expected).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    largest = np.abs(expected).max()
    size = np.abs(expected)
    unit = 10.0 ** (np.floor(np.log10(np.maximum(size, 1e-300))) + 1 - digits)
    error = np.abs(ours - expected)
    beyond = np.maximum(error - 0.5 * unit, 0.0)
    scale = 1.0
    if relative:
        scale = largest if largest > ZERO else ZERO / 1e-2
    return error.max() / scale, beyond.max() / scale


def _energy_drift(case, results):
    """Return by how much the energy of Adams's results changes, as a height [m], else NaN."""
    raw = case.model.raw
    if raw['forces'] or raw['constraints']:
        return np.nan
    body = raw['bodies']['part2']
    w, x, y, z = results['Quat'].T
    turned = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                       [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                       [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    centre = case.model.parts['part2'].centre.turn
    xx, yy, zz, xy, xz, yz = body['inertia']
    inertia = centre.T @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ centre
    turning = np.einsum('ijk,ki->kj', turned, results['Avel'])       # in the marker's axes
    energy = (0.5 * body['mass'] * (results['Vel'] ** 2).sum(axis=1)
              + 0.5 * np.einsum('ki,ij,kj->k', turning, inertia, turning)
              - body['mass'] * results['Pos'] @ raw['gravity'])
    return np.ptp(energy) / (body['mass'] * np.linalg.norm(raw['gravity']))


def _print(verdicts, failed):
    table = Table(title=f'spatial_joints: largest errors against MSC Adams ({FORMULATION}, '
                        f'{INTEGRATOR}, steps of {STEP:g} s)', title_justify='left')
    table.add_column('case', no_wrap=True)
    for group, (_, limit, unit) in GROUPS.items():
        table.add_column(f'{group} <= {limit:g} {unit}', justify='right')
    table.add_column('our integration [m]', justify='right')
    table.add_column("Adams's energy, as a height [m]", justify='right')
    table.add_column('')
    for one in verdicts:
        cells = [f'{one.errors[group]:.1e}' + ('' if one.met(group) else ' *') for group in GROUPS]
        table.add_row(one.case.name, *cells, f'{one.step:.1e}',
                      '' if np.isnan(one.reference) else f'{one.reference:.1e}',
                      'pass' if all(map(one.met, GROUPS)) else '[bold red]FAIL[/]')
    for name in failed:
        table.add_row(name, *[''] * (len(GROUPS) + 2), '[bold red]FAIL[/]')
    Console(width=None if sys.stdout.isatty() else 190).print(table)
    print('* beyond the limit, rounding of the results of Adams left out')
    for name, why in failed.items():
        print(f'{name}: not computed: {why}')
