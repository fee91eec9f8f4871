"""The picture of a run with contacts: forces and accelerations, and every contact in detail."""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
import numpy as np

from mb_evaluation.contact_report.episodes import strongest, true_forces
from mb_evaluation.contact_report.table import WORDS, title_of, verdict_text
from mb_evaluation.panels.looks import MODEL, OBSERVER, TRUTH, clean, legend_above

COLOURS = {'direct': OBSERVER, 'momentum_observer': MODEL}
GOOD = '#2a9d5c'
TRUE = {'color': TRUTH, 'linewidth': 3.0, 'alpha': 0.35, 'label': 'truth'}
BEFORE, AFTER = 0.01, 0.06      # of a detail, around the first force [s]
MOST = 6                        # contacts in detail


def draw_report(run, found, report, path):
    """Write the picture of a ContactLog with its Episodes; path ends in .png, .pdf or .svg."""
    g = len(run.layout.independent)
    shown = found[:MOST]
    figure = Figure(figsize=(15.0, 4.4 * g + (4.4 if shown else 0.6)), layout='constrained')
    FigureCanvasAgg(figure)
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    figure.suptitle(f'{title_of(report)}\n', fontsize=16, fontweight='bold', x=0.012, ha='left')
    verdict = verdict_text(report).plain
    figure.text(0.014, 1.0 - 0.45 / figure.get_figheight(), verdict[:150], fontsize=10, va='top',
                color=GOOD if 'PASSED' in verdict else MODEL)
    above, below = figure.subfigures(2, 1, height_ratios=(4.0 if shown else 1e-3, 4.4 * g))
    if shown:
        panels = above.subplots(1, len(shown), squeeze=False)[0]
        for axes, episode, told in zip(panels, shown, report['contacts'], strict=False):
            _draw_contact(axes, run, episode, told)
        above.legend(*panels[0].get_legend_handles_labels(), loc='upper right', ncols=3,
                     frameon=False, borderaxespad=0.0)
        above.suptitle('every contact: force on the degree of freedom that it is largest on, '
                       'thresholds dotted', x=0.012, ha='left', fontsize=11)
    panels = below.subplots(2 * g, 1, sharex=True)
    total = true_forces(run, found)
    for k in range(g):
        _draw_force(panels[k], run, k, total)
        _draw_acceleration(panels[g + k], run, k)
    for axes in panels:
        clean(axes)
        _mark(axes, run, found)
    legend_above(panels[0], columns=4)
    legend_above(panels[g], columns=2)
    panels[-1].set_xlabel('simulated time [s]')
    panels[-1].set_xlim(0.0, run.duration)
    figure.savefig(path, dpi=120, facecolor='white')


def force_unit(unit):
    """Return the unit of the force on a degree of freedom of a unit."""
    return 'N' if unit == 'm' else 'N m'


def _draw_contact(axes, run, episode, told):
    """One contact, from shortly before the first force on."""
    k = strongest(episode, told)
    begin, end = episode.begin - BEFORE * 1e9, episode.begin + AFTER * 1e9
    stamps, forces = true_forces(run, [episode])
    inside = (stamps >= begin) & (stamps <= end)
    axes.plot((stamps[inside] - episode.begin) * 1e-6, forces[inside, k], **TRUE)
    for method, samples in run.forces.items():
        stamps = samples.stamps
        stamps = stamps[(stamps >= begin) & (stamps <= end)]
        if not stamps.size:
            continue
        force, threshold = samples.columns(stamps)
        colour = COLOURS.get(method, GOOD)
        axes.plot((stamps - episode.begin) * 1e-6, force[:, k], color=colour, linewidth=1.6,
                  label=WORDS.get(method, method))
        for side in (-1.0, 1.0):
            axes.axhline(side * threshold[0, k], color=colour, linewidth=0.9, linestyle=':')
        after = told['methods'][method]['after']
        if after is not None:
            axes.axvline(after, color=colour, linewidth=1.2, alpha=0.8)
    unit = force_unit(run.layout.units[k])
    axes.set_title(f'{", ".join(told["bodies"])}, {told["begin"]:.2f} s\n'
                   f'{told["kind"]}: {told["force"]:.0f} N, {told["limit"]} limit\n'
                   f'{run.layout.independent[k]} [{unit}]', loc='left', fontsize=10)
    axes.set_xlabel('after the first force [ms]')
    clean(axes)


def _draw_force(axes, run, k, total):
    """The force on a degree of freedom over the whole run."""
    stamps, forces = total
    axes.plot(_time(run, stamps), forces[:, k], **TRUE)
    largest = 0.0
    for method, samples in run.forces.items():
        force, threshold = samples.columns()
        colour = COLOURS.get(method, GOOD)
        axes.plot(_time(run, samples.stamps), force[:, k], color=colour, linewidth=0.8, alpha=0.9,
                  label=WORDS.get(method, method))
        axes.axhspan(-threshold[-1, k], threshold[-1, k], color=colour, alpha=0.07, linewidth=0)
        largest = max(largest, 4.0 * threshold[-1, k])
    if largest:
        axes.set_ylim(-largest, largest)
    axes.set_title(f'{run.layout.independent[k]}: force from outside, range of the thresholds '
                   'shaded', loc='left')
    axes.set_ylabel(force_unit(run.layout.units[k]))


def _draw_acceleration(axes, run, k):
    """The acceleration of a degree of freedom over the whole run."""
    axes.plot(_time(run, run.truth.stamps), run.truth.columns()[2][:, k], **TRUE)
    values = run.estimate.columns()[2][:, k]
    axes.plot(_time(run, run.estimate.stamps), values, color=OBSERVER, linewidth=0.8,
              label='estimate')
    if values.size:
        axes.set_ylim(*np.quantile(values, (0.001, 0.999)) * 1.3 + np.array((-1e-9, 1e-9)))
    axes.set_title(f'{run.layout.independent[k]}: acceleration', loc='left')
    axes.set_ylabel(f'{run.layout.units[k]}/s²')


def _mark(axes, run, found):
    for episode in found:
        axes.axvspan(*_time(run, np.array([episode.begin, episode.end])), color=GOOD, alpha=0.15,
                     linewidth=0)


def _time(run, stamps):
    """Return stamps [ns] as seconds after the start."""
    return (stamps - run.start) * 1e-9
