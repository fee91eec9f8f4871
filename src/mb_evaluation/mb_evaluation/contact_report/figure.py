"""The picture of a run with contacts: forces and accelerations, and every contact in detail."""

from dataclasses import replace

from mb_evaluation.contact_report.panels import acceleration_panels, contact_panel, force_panels
from mb_evaluation.contact_report.table import title_of, verdict_text
from mb_evaluation.contact_report.verdict import objections
from mb_evaluation.panels.matplotlib_backend import (
    draw,
    handles_of,
    label_across,
    new_figure,
    set_heading,
)

MOST = 6        # contacts in detail
LETTERS = 150   # of a title over the whole width
LEGEND = 0.5    # height of the legend of the details [inches]


def draw_report(run, report, path, found):
    """Write the picture of a ContactLog with its Episodes; path ends in .png, .pdf or .svg."""
    details = [contact_panel(run, episode, figures)
               for episode, figures in zip(found[:MOST], report['contacts'], strict=False)]
    whole = [*force_panels(run, found), *acceleration_panels(run, found)]
    height = 2.2 * len(whole)
    figure = new_figure(15.0, height + (4.4 if details else 0.6))
    set_heading(figure, title_of(report), verdict_text(report).plain, not objections(report))
    above, below = figure.subfigures(2, 1, height_ratios=(4.0 if details else 1e-3, height))
    if details:
        strip, above = above.subfigures(2, 1, height_ratios=(LEGEND, 4.0 - LEGEND))
        places = above.subplots(1, len(details), squeeze=False)[0]
        for axes, panel in zip(places, details, strict=True):
            draw(axes, replace(panel, note=''), '', wrap=LETTERS // len(details))
            label_across(axes, panel)
        strip.legend(*handles_of(places[0]), loc='center right', ncols=3, frameon=False,
                     title=details[0].note, title_fontsize='small')
    places = below.subplots(len(whole), 1, sharex=True)
    for axes, panel in zip(places, whole, strict=True):
        draw(axes, panel)
    label_across(places[-1], whole[-1])
    places[-1].set_xlim(0.0, run.duration)
    figure.savefig(path, dpi=120, facecolor='white')
