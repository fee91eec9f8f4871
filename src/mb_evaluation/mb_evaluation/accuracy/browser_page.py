"""The page of a run for the browser: motion, errors within their bands, innovations, parameters."""

from mb_evaluation.accuracy.innovation_panels import innovation_panels
from mb_evaluation.accuracy.panels import error_panel, motion_panel, parameter_panel
from mb_evaluation.accuracy.table import (
    HEADINGS,
    QUANTITIES,
    accuracy_rows,
    caption_lines,
    title_of,
    verdict_text,
)
from mb_evaluation.accuracy.verdict import objections
from mb_evaluation.pages.complaints import complaint_parts
from mb_evaluation.pages.page import Page, Section, beside, lines, table
from mb_evaluation.reports.markdown import made_with
from mb_evaluation.reports.numbers import number_text


def accuracy_page(run, report):
    """Return the Page of an AccuracyLog."""
    sections = [Section('Motion, and error of the observer', list(_motion(run, report))),
                Section('Innovations: what readings add to the estimate', innovation_panels(run)),
                Section('Parameters of the model', [
                    parameter_panel(track, run.start) for track in run.parameters.values()])]
    return Page(
        title=title_of(report), verdict=verdict_text(report).plain, passed=not objections(report),
        tiles=_tiles(report), report=report, duration=run.duration,
        made_with=made_with(report, ('prototype', 'estimator', 'seed', 'created')),
        parts=[beside(table(HEADINGS, accuracy_rows(report)),
                      lines(caption_lines(report, 1000))),
               *(section for section in sections if section.panels),
               *complaint_parts(report)])


def _motion(run, report):
    """Yield the panels of every degree of freedom: motion, and errors of what is estimated."""
    errors = run.errors().get('observer')
    for k, _ in enumerate(run.names):
        yield motion_panel(run, k)
        for quantity, _, per_time in QUANTITIES if errors else ():
            yield error_panel(errors, report, k, quantity, per_time)


def _tiles(report):
    """Return the most important figures."""
    tiles = []
    model, observer = report['model'], report['observer']
    for k, name in enumerate(report['degrees_of_freedom']):
        ours, theirs = (one and (one['position_rmse_after_2s'][k] or one['position_rmse'][k])
                        for one in (observer, model))
        ratio = f'model {theirs:.3g}, {theirs / ours:.0f} times' if ours and theirs else ''
        tiles.append((f'{name}: RMSE after 2 s [{report["units"][k]}]',
                      number_text(ours, '.3g'), ratio))
    consistency = report['consistency']
    nees = consistency['nees']
    return [*tiles,
            ('NIS per channel', number_text(consistency['nis']['mean_per_channel'], '.3g'),
             '1 if consistent'),
            ('NEES per state', number_text(nees and nees['mean_per_state'], '.3g'),
             '1 if consistent'),
            ('messages lost', str(report['messages_lost']),
             f'{report["readings"]["used"]} readings used'),
            ('real-time factor', number_text(report['real_time_factor'], '.3g'),
             f'{report["duration"]:g} s simulated')]
