"""What the terminal shows of a finished run with contacts."""

from rich import box
from rich.table import Table
from rich.text import Text

from mb_bringup.contact_report.verdict import objections
from mb_contact.body_limits import BODY_LIMITS

WORDS = {'direct': 'direct method', 'momentum_observer': 'momentum observer',
         'both': 'direct method or momentum observer'}
SHORT = {'momentum_observer': 'observer'}


def contact_table(report):
    """Return the table of contacts, with what else one asks first below it."""
    table = Table(title=title_of(report), caption='\n'.join(caption_lines(report)), box=box.ROUNDED,
                  title_style='bold', caption_justify='left', title_justify='left')
    for k, heading in enumerate(headings(report)):
        table.add_column(Text(heading), justify='left' if k == 1 else 'right')
    for row in contact_rows(report):
        table.add_row(*row)
    return table


def title_of(report):
    """Return one line that says what was run."""
    return (f'{report["mechanism"]}: {len(report["contacts"])} contacts, '
            f'{report["estimator"]} and {WORDS.get(report["method"], report["method"])}')


def headings(report):
    """Return the headings of the columns of contact_rows."""
    return ('at [s]', 'touched', 'force [N]',
            *(f'{SHORT.get(name, name)} [ms]' for name in _methods(report)), 'named', 'point [mm]')


def contact_rows(report):
    """Return a row of texts for each contact: times count from the first force."""
    return [(f'{one["begin"]:.2f}', ', '.join(one['bodies']), f'{one["force"]:.0f}',
             *(_number(one['methods'][name]['after'], '.0f') for name in _methods(report)),
             _named(one), _number(one.get('point_error'), '.0f', 1e3))
            for one in report['contacts']]


def limit_rows(report):
    """Return rows of a table: regions of the body, their limits, contacts of this run within."""
    forces = [one['force'] for one in report['contacts']]
    return [(limit.region, f'{limit.quasi_static:.0f}', _number(limit.transient, '.0f'),
             f'{sum(force <= (limit.transient or 0.0) for force in forces)} of {len(forces)}')
            for limit in BODY_LIMITS]


def caption_lines(report):
    """Return what else one asks first: accelerations, forces without contact, speed and losses."""
    lines = ['times count from the first force of a contact to the instant whose state told it']
    if report['acceleration']:
        lines.append('estimated acceleration, nothing touching: ' + ', '.join(
            f'{name} NRMSE {_number(one["nrmse"], ".4f")}, SNR {_number(one["snr"], ".0f")} dB'
            for name, one in report['acceleration'].items()))
    for method, one in report['contact_free'].items():
        lines.append(f'{WORDS.get(method, method)}, nothing touching: up to '
                     f'{_list(one["largest"])}, thresholds {_list(one["threshold"])} N, N m')
    latency = report['timing']['added_latency']
    readings = report['readings']
    lines.append(f'{report["duration"]:g} s simulated · real-time factor '
                 f'{_number(report["real_time_factor"], ".2f")} · messages lost '
                 f'{report["messages_lost"]} · readings used {readings["used"]}, rejected '
                 f'{readings["rejected"]}')
    if latency:
        lines.append(f'an instant is judged {1e3 * latency["median"]:.1f} ms after its truth '
                     f'(99 %: {1e3 * latency["p99"]:.1f} ms, longest '
                     f'{1e3 * latency["largest"]:.1f} ms)')
    return lines


def verdict_text(report):
    """Return the verdict as coloured text."""
    found = objections(report)
    if not found:
        return Text('PASSED: every contact was told, none invented, nothing lost',
                    style='bold green')
    return Text('FAILED: ' + '; '.join(found), style='bold red')


def _methods(report):
    return list(report['contact_free'])


def _named(one):
    if 'named' not in one:
        return '-'
    return f'{one["named"]} {one["probability"]:.0%}{"" if one["named_right"] else " (wrong)"}'


def _number(value, form, factor=1.0):
    return '-' if value is None else format(value * factor, form)


def _list(values):
    return ', '.join(f'{value:.2g}' for value in values)
