"""A comparison as a table: for the terminal, and as Markdown."""

from mb_evaluation.accuracy.lost import lost_line
from mb_evaluation.reports.markdown import table_lines
from mb_evaluation.reports.numbers import number_text
from mb_model.command_api import table

QUANTITIES = (('position', 'position_rmse', ''), ('after 2 s', 'position_rmse_after_2s', ''),
              ('velocity', 'velocity_rmse', '/s'), ('acceleration', 'acceleration_rmse', '/s²'))
OTHERS = ('NEES', 'NIS', 'step [us]', 'used', 'rejected', 'missing')


def headings(report):
    """Return the headings of the columns; 'unit': of each degree of freedom, beside it."""
    if not report['reference']:
        return ('', *OTHERS[1:])
    units = set(report['units'])
    unit = units.pop() if len(units) == 1 else 'unit'
    return ('', 'degree of freedom', *(f'{name} [{unit}{per}]' for name, _, per in QUANTITIES),
            *OTHERS)


def rows(report):
    """Return the rows of a comparison below the headings, lists of texts, one list per filter."""
    return [list(_rows_of(name, figures, report)) for name, figures
            in report['estimators'].items()]


def comparison_table(report):
    """Return the table for the terminal."""
    names = 'NEES, NIS' if report['reference'] else 'NIS'
    return table(headings(report), rows(report), title_of(report),
                 [f'{names}: 1 if consistent', *_problems(report)],
                 words=(0, 1) if report['reference'] else (0,))


def page(report):
    """Return a page of Markdown."""
    lines = [f'# {title_of(report)}', '',
             f'Bag `{report["bag"]}`. NEES and NIS are 1 if consistent.', '',
             *table_lines(headings(report), [row for group in rows(report) for row in group]), '']
    lines += [line for problem in _problems(report) for line in (problem, '')]
    picture = ['![Errors over time](comparison.png)', ''] if report['reference'] else []
    verdicts = [f'* {name}: {sensor["verdict"]}' for name, figures in report['estimators'].items()
                for sensor in figures.get('sensors', {}).values() if sensor['verdict']]
    if verdicts:
        lines += ['## What the innovations say', '', *verdicts, '']
    return '\n'.join([*lines, *picture])


def title_of(report):
    """Return a title that says what was compared."""
    head = f'{report["mechanism"]} with {", ".join(report["sensors"])}'
    if not report['reference']:
        return f'{head}: Nothing to compare with, no truth and no other estimate in the bag'
    what = 'RMSE against' if report['has_truth'] else 'No truth in the bag; RMS difference from'
    return f'{head}: {what} {report["reference"]}'


def _rows_of(name, figures, report):
    """Yield a row for each degree of freedom of a filter; one alone without a reference."""
    if not figures['estimates']:
        yield [name, *['-'] * (len(headings(report)) - 1)]
        return
    if not report['reference']:
        yield [name, *_others(figures)[1:]]
        return
    units = zip(report['degrees_of_freedom'], report['units'], strict=True)
    for k, (coordinate, unit) in enumerate(units):
        others = _others(figures) if k == 0 else [''] * len(OTHERS)
        yield [name if k == 0 else '', f'{coordinate} [{unit}]',
               *(number_text(figures[key][k]) if key in figures else '-'
                 for _, key, _ in QUANTITIES), *others]


def _problems(report):
    """Return problems as lines of text."""
    found = []
    for name, figures in report['estimators'].items():
        nothing = '' if figures['estimates'] else 'no estimates'
        found += [f'{name}: {what}' for what in (
            figures['problem'] or nothing, lost_line(figures['lost']), figures['reservation'])
            if what]
    return found


def _others(figures):
    """Return the figures that a filter has once: NEES, NIS, time of a step, readings."""
    nees, nis = figures.get('nees'), figures.get('nis')
    step, readings = figures.get('step_time'), figures.get('readings')
    return [number_text(nees and nees['mean_per_state'], '.2f'),
            number_text(nis and nis['mean_per_channel'], '.2f'),
            number_text(step and 1e6 * step['median'], '.0f'),
            *(str(readings[key]) if readings else '-' for key in ('used', 'rejected', 'missing'))]
