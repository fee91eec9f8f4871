"""The tables of a finished run with a payload on the terminal."""

from rich.text import Text

from mb_evaluation.payload_report.verdict import objections, remarks
from mb_evaluation.reports.numbers import number_text, share_text
from mb_evaluation.reports.progress import ended_line
from mb_model.command_api import table

HEADINGS = ('', 'truth', 'estimate', 'largest error', '95 % interval holds')


def payload_table(report):
    """Return the table of masses and of the observer's errors, with further figures below it."""
    masses = [(name, truth, Text(estimate, 'bold'), *others)
              for name, truth, estimate, *others in mass_rows(report)]
    return table(HEADINGS, [masses, observer_rows(report)], title_of(report),
                 caption_lines(report))


def title_of(report):
    """Return one line that describes the run."""
    return f'{report["mechanism"]}: {", ".join(report["masses"])} by {report["estimator"]}'


def mass_rows(report):
    """Return a row of texts for each mass."""
    return [(f'{name} [kg]', number_text(one['truth']),
             f'{number_text(one["estimate"])} ± {number_text(one["deviation"], ".2g")}',
             number_text(one.get('error_largest'), '.3g'), share_text(one.get('coverage_95')))
            for name, one in report['masses'].items()]


def observer_rows(report):
    """Return a row of texts for each quantity of the observer."""
    return [(f'{name} [{unit}]', '', f'RMSE {number_text(one["rmse"] / scale, ".3g")}',
             number_text(one['largest'] / scale, '.3g'), share_text(one['coverage_95']))
            for (name, one), (unit, scale) in zip(report['observer'].items(), _units(report),
                                                  strict=True)]


def caption_lines(report):
    """Return lines on settling, updating, events, speed and losses."""
    updating = report['updating']
    begin = number_text(report['first_motion'], '.2f')
    lines = [f'judged from 5 s after the first motion, {begin} s after the start · '
             f'updating {share_text(updating["share"])} of the time']
    if updating['reasons']:
        lines.append('not updating: ' + ', '.join(
            f'{reason} {share_text(share)}' for reason, share in updating['reasons'].items()))
    lines += [f'{reason}: {share_text(share)} of the time'
              for reason, share in updating['doubts'].items()]
    lines += [f'{one["time"]:.2f} s: {one["event"]}' for one in report['events']]
    lines += remarks(report)
    return [*lines, ended_line(report)]


def verdict_text(report):
    """Return the verdict as coloured text."""
    found = objections(report)
    if not found:
        bounds = report['bounds']
        return Text(f'PASSED: masses within {bounds["mass_share"]:.0%} or {bounds["mass"]:g} kg, '
                    'no interval of the observer too narrow, nothing lost', style='bold green')
    return Text('FAILED: ' + '; '.join(found), style='bold red')


def _units(report):
    """Return (unit, its value in SI) of z, zd, zdd, p, U."""
    units = report['units']
    return [*((f'{unit}{per}', 1.0) for per in ('', '/s', '/s²') for unit in units),
            *(('MPa', 1e6),) * report['volumes'], *(('-', 1.0),) * report['valves']]
