"""The verdict on a run: did the observer beat the uncorrected model, and was nothing lost?

Also on the observer: are its claimed errors right?
"""

import textwrap

from mb_evaluation.accuracy.lost import lost_line
from mb_evaluation.reports.verdict import message_objections


def objections(report):
    """Return objections to a run, in words; empty if it passed."""
    found = []
    model, observer = report['model'], report['observer']
    if not model:
        found.append('no message came from the model')
    if not observer:
        found.append('no message came from the observer')
    if model and observer:
        names = report['degrees_of_freedom']
        for key, what in (('position_rmse', 'position'),
                          ('position_rmse_after_2s', 'position after 2 s')):
            for name, ours, theirs in zip(names, observer[key], model[key], strict=True):
                if not _beats(ours, theirs, optional=key.endswith('after_2s')):
                    found.append(f'{name}: {what} RMSE of the observer {_number(ours)} is not '
                                 f"below the model's {_number(theirs)}")
    found += _nees_objections(report['consistency']['nees'], report['bounds']['nees'])
    if report['estimate_lost']['why']:
        found.append(f'the observer was {lost_line(report["estimate_lost"])}')
    return found + message_objections(report)


def _nees_objections(nees, bound):
    """Return in words why the NEES shows that an estimate cannot be right."""
    if nees is None:
        return []
    mean = nees['mean_per_state']
    if mean is None:
        return ['the NEES of the observer is no number']
    if mean > bound:
        return [f'errors of the observer are {mean ** 0.5:.3g} times as large as it claims: NEES '
                f'{mean:.4g} per state, expected up to {bound:g}']
    return []


def verdict_lines(report, width):
    """Return what innovations show of the filter, and do not show, as lines of text."""
    # Imported here, with the kernels of observability: a launch asks for objections alone.
    from mb_estimators import undetermined_text
    sensors = report['consistency']['sensors']
    found = [lost_line(report['estimate_lost']),
             undetermined_text(report['undetermined'], ['the sensors that were on'])]
    verdicts = [figures['verdict'] for figures in sensors.values() if figures['verdict']]
    if sensors and not verdicts:
        verdicts = ['consistent: innovations are no larger than the filter claims',
                    *(figures['remark'] for figures in sensors.values())]
    found = [text for text in (*found, *verdicts) if text]
    return [line for text in found for line in textwrap.wrap(text, width, subsequent_indent='  ')]


def _beats(ours, theirs, optional):
    """Return whether one RMSE is below another; None is no number, or was not due."""
    if ours is None or theirs is None:
        return optional and ours is theirs
    return ours < theirs


def _number(value):
    """Return an RMSE as text."""
    return 'that is no number' if value is None else f'{value:.4g}'
