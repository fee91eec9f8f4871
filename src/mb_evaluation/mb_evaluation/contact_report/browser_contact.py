"""The panel of one contact for the browser, from shortly before the first force on."""

from mb_evaluation.contact_report.episodes import strongest, true_forces
from mb_evaluation.contact_report.figure import AFTER, BEFORE, force_unit
from mb_evaluation.contact_report.table import WORDS
from mb_evaluation.panels.curves import Curve
from mb_evaluation.panels.panel import Panel, level, moment


def contact_panel(run, episode, told, colours, true):
    """Return the Panel of an Episode of a ContactLog.

    told: its figures in the report; colours: by method; true: look of the truth.
    """
    k = strongest(episode, told)
    stamps, forces = true_forces(run, [episode])
    inside = _near(stamps, episode)
    curves = [Curve(x=_after(stamps[inside], episode), y=forces[inside, k], **true)]
    marks = []
    for method, samples in run.forces.items():
        stamps = samples.stamps
        stamps = stamps[_near(stamps, episode)]
        if not stamps.size:
            continue
        force, threshold = samples.columns(stamps)
        colour = colours.get(method, '--good')
        curves.append(Curve(WORDS.get(method, method), _after(stamps, episode), force[:, k],
                            colour, 1.8))
        marks += [level(side * threshold[0, k], colour, dash='dot') for side in (-1.0, 1.0)]
        after = told['methods'][method]['after']
        if after is not None:
            marks.append(moment(after, colour))
    title = (f'{", ".join(told["bodies"])}, {told["begin"]:.2f} s, {told["kind"]}, '
             f'{told["force"]:.0f} N, {told["limit"]} limit: {run.layout.independent[k]}')
    return Panel(title, force_unit(run.layout.units[k]), tuple(curves), tuple(marks), across='ms',
                 note='thresholds dotted, detections as lines')


def _near(stamps, episode):
    return ((stamps >= episode.begin - BEFORE * 1e9) & (stamps <= episode.begin + AFTER * 1e9))


def _after(stamps, episode):
    """Return stamps [ns] as time after the first force [ms]."""
    return (stamps - episode.begin) * 1e-6
