"""The table of a finished run on the terminal."""

from rich.text import Text

from mb_evaluation.accuracy.parameters import parameter_line
from mb_evaluation.accuracy.verdict import objections, verdict_lines
from mb_evaluation.reports.numbers import number_text
from mb_model.command_api import table

QUANTITIES = (('position', 'position_rmse', ''), ('velocity', 'velocity_rmse', '/s'),
              ('acceleration', 'acceleration_rmse', '/s²'))
HEADINGS = ('RMSE against the prototype', 'model', 'observer', 'model / observer')


def accuracy_table(report):
    """Return the table of root mean square errors, with the most important figures below it."""
    rows = [(label, theirs, Text(ours, 'bold'), ratio)
            for label, theirs, ours, ratio in accuracy_rows(report)]
    each = 2 * len(QUANTITIES)      # rows of a degree of freedom
    return table(HEADINGS, [rows[k:k + each] for k in range(0, len(rows), each)],
                 title_of(report), caption_lines(report))


def title_of(report):
    """Return one line that describes the run."""
    return f'{report["mechanism"]}: {report["estimator"]} with {", ".join(report["sensors"])}'


def accuracy_rows(report):
    """Return a row of texts for each quantity of each degree of freedom, of all and settled."""
    model, observer, rows = report['model'], report['observer'], []
    for k, (name, unit) in enumerate(zip(report['degrees_of_freedom'], report['units'],
                                         strict=True)):
        for quantity, key, per_time in QUANTITIES:
            for label, suffix in ((f'{name} {quantity} [{unit}{per_time}]', ''),
                                  (f'  after 2 s [{unit}{per_time}]', '_after_2s')):
                ours = observer and observer[key + suffix][k]
                theirs = model and model[key + suffix][k]
                rows.append((label, number_text(theirs), number_text(ours),
                             number_text(theirs / ours) if ours and theirs else '-'))
    return rows


def verdict_text(report):
    """Return the verdict as coloured text."""
    found = objections(report)
    if not found:
        return Text('PASSED: the observer beat the model and nothing was lost', style='bold green')
    return Text('FAILED: ' + '; '.join(found), style='bold red')


def caption_lines(report, width=66):
    """Return lines on speed, losses, consistency and timing; width: of words."""
    factor, consistency = report['real_time_factor'], report['consistency']
    nis, nees = consistency['nis']['mean_per_channel'], consistency['nees']
    readings, timing = report['readings'], report['timing']
    lines = [
        [f'{report["duration"]:g} s simulated', f'real-time factor {number_text(factor, ".2f")}',
         f'messages lost {report["messages_lost"]}'],
        [f'readings used {readings["used"]}, rejected {readings["rejected"]}',
         f'NIS {number_text(nis, ".2f")}',
         f'NEES {number_text(nees and nees["mean_per_state"], ".2f")}'],
    ]
    if timing['step_time'] and timing['latency']:
        lines.append([f'filter step {timing["step_time"]["median"] * 1e6:.0f} us',
                      f'estimate {timing["latency"]["median"] * 1e3:.1f} ms after the truth'])
    lines += [[parameter_line(name, found)] for name, found in report['parameters'].items()]
    return [*(' · '.join(line) for line in lines), *verdict_lines(report, width)]
