"""The figures of a comparison in one dictionary."""

from dataclasses import asdict

from mb_estimators import agreement
from mb_evaluation.accuracy.errors import errors_against
from mb_evaluation.accuracy.innovation import figures_of_all
from mb_evaluation.reports.report import machine, quantiles

FORMAT = 2      # raised when a key changes its meaning


def make_report(settings, mechanism, reference, compared):
    """Return the report of a comparison.

    settings: of the comparison, copied to the top level; reference: (name, Track) that all others
    are compared with, None without one; compared: Estimated of every filter, and of recorded
    states.
    """
    name, track = reference or (None, None)
    return {
        'format': FORMAT, 'kind': 'comparison', **settings, 'reference': name,
        'degrees_of_freedom': list(mechanism.independent),
        'units': [mechanism.unit(coordinate) for coordinate in mechanism.independent],
        'estimators': {one.name: _figures(one, track, settings['has_truth'])
                       for one in compared},
        'machine': machine(),
    }


def _figures(one, reference, is_truth):
    """Return the figures of an Estimated; its covariance is judged only against the truth.

    What is the reference itself has no errors.
    """
    begin = one.track if reference is None else reference
    start = int(begin.stamps[0]) if len(begin) else 0
    figures = {'problem': one.problem, 'estimates': len(one.track),
               'lost': one.lost.figures(start), 'reservation': one.reservation}
    if len(one.track) and reference is not None and one.track is not reference:
        errors = errors_against(reference, one.track, start)
        figures |= errors.figures()
        if is_truth:
            figures |= {'nees': errors.nees(), 'coverage_95': errors.coverage()}
    if one.nis:
        mean, inside = agreement(one.nis, one.nis_sizes)
        figures |= {'nis': {'mean_per_channel': mean, 'inside_95': inside},
                    'sensors': figures_of_all(one.innovations, start)}
    if one.counts:
        figures |= {'readings': {**asdict(one.counts), 'missing': one.missing},
                    'step_time': quantiles(one.step_times), 'wall_time': one.wall_time}
    return figures
