"""Panels of a run with contacts: every contact in detail, forces from outside, accelerations."""

import numpy as np

from mb_evaluation.panels.panel import TRUE, Curve, Mark, Panel, between, level, moment, region
from mb_evaluation.report_kinds.contact_episodes import Episode, strongest, true_forces
from mb_evaluation.reports.report import Figures
from mb_evaluation.run_log.contact_log import ContactLog

WORDS = {'direct': 'direct method', 'momentum_observer': 'momentum observer',
         'both': 'direct method or momentum observer'}
COLOURS = {'direct': 'observer', 'momentum_observer': 'model'}      # of methods
TRUTH = TRUE | {'name': 'truth'}
BEFORE, AFTER = 0.01, 0.06      # of a detail, around the first force [s]


def contact_panel(run: ContactLog, episode: Episode, figures: Figures) -> Panel:
    """Return the Panel of an Episode, from shortly before the first force on.

    figures: of it, in the report.
    """
    k = strongest(episode, figures)
    stamps, forces = true_forces(run, [episode])
    inside = _near(stamps, episode)
    curves = [Curve(x=_after(stamps[inside], episode), y=forces[inside, k], **TRUTH)]
    marks = []
    for method, samples in run.forces.items():
        stamps = samples.stamps
        stamps = stamps[_near(stamps, episode)]
        if not stamps.size:
            continue
        force, threshold = samples.columns(stamps)
        colour = COLOURS.get(method, 'good')
        curves.append(Curve(WORDS.get(method, method), _after(stamps, episode), force[:, k],
                            colour, 1.8))
        marks += [level(side * threshold[0, k], colour, dash='dot') for side in (-1.0, 1.0)]
        after = figures['methods'][method]['after']
        if after is not None:
            marks.append(moment(after, colour))
    title = (f'{", ".join(figures["bodies"])}, {figures["begin"]:.2f} s, {figures["kind"]}, '
             f'{figures["force"]:.0f} N, {figures["limit"]} limit: {run.layout.independent[k]}')
    return Panel(title, _force_unit(run.layout.units[k]), tuple(curves), tuple(marks),
                 across='after the first force', across_unit='ms',
                 note='thresholds dotted, detections as lines')


def force_panels(run: ContactLog) -> list[Panel]:
    """Return the Panels of the forces on all degrees of freedom over the whole run."""
    stamps, forces = true_forces(run, run.episodes)
    return [_force_panel(run, k, Curve(x=run.seconds(stamps), y=forces[:, k], **TRUTH),
                         _contact_marks(run)) for k in range(forces.shape[1])]


def _force_panel(run: ContactLog, k: int, truth: Curve, marks: tuple[Mark, ...]):
    curves, largest = [truth], 0.0
    for method, samples in run.forces.items():
        force, threshold = samples.columns()
        colour = COLOURS.get(method, 'good')
        curves.append(Curve(WORDS.get(method, method), run.seconds(samples.stamps), force[:, k],
                            colour, 1.2))
        bound = float(threshold[-1, k])
        marks = (*marks, between(-bound, bound, f'{colour}/0.08'))
        largest = max(largest, 4.0 * bound)
    return Panel(f'{run.layout.independent[k]}: force from outside',
                 _force_unit(run.layout.units[k]), tuple(curves), marks,
                 (-largest, largest) if largest else None,
                 note='contacts and range of the thresholds shaded')


def acceleration_panels(run: ContactLog) -> list[Panel]:
    """Return the Panels of the accelerations over the whole run."""
    true, estimated = run.truth.columns()[2], run.estimate.columns()[2]
    return [_acceleration_panel(run, k, true[:, k], estimated[:, k], _contact_marks(run))
            for k in range(len(run.layout.independent))]


def _acceleration_panel(run: ContactLog, k: int, true: np.ndarray, estimated: np.ndarray,
                        marks: tuple[Mark, ...]):
    curves = (Curve(x=run.seconds(run.truth.stamps), y=true, **TRUTH),
              Curve('estimate', run.seconds(run.estimate.stamps), estimated, 'observer', 1.2))
    reach = None
    if estimated.size:
        reach = tuple(1.3 * np.quantile(estimated, (0.001, 0.999)) + np.array((-1e-9, 1e-9)))
    return Panel(f'{run.layout.independent[k]}: acceleration', f'{run.layout.units[k]}/s²',
                 curves, marks, reach)


def _contact_marks(run: ContactLog):
    """Return the Marks of the Episodes of a run."""
    return tuple(region(run.seconds(episode.begin), run.seconds(episode.end), 'good/0.2')
                 for episode in run.episodes)


def _force_unit(unit: str):
    """Return the unit of the force on a degree of freedom of a unit."""
    return 'N' if unit == 'm' else 'N m'


def _near(stamps: np.ndarray, episode: Episode):
    return ((stamps >= episode.begin - BEFORE * 1e9) & (stamps <= episode.begin + AFTER * 1e9))


def _after(stamps: np.ndarray, episode: Episode):
    """Return stamps [ns] as time after the first force [ms]."""
    return (stamps - episode.begin) * 1e-6
