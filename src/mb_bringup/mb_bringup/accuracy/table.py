"""What the terminal shows of a finished run."""

from rich import box
from rich.table import Table
from rich.text import Text

from mb_bringup.accuracy.parameters import parameter_line
from mb_bringup.accuracy.verdict import objections, verdict_lines

QUANTITIES = (('position', 'position_rmse', ''), ('velocity', 'velocity_rmse', '/s'),
              ('acceleration', 'acceleration_rmse', '/s²'))


def accuracy_table(report):
    """Return the table of root mean square errors, with what else one asks first below it."""
    model, observer = report['model'], report['observer']
    table = Table(title=f'{report["mechanism"]}: {report["estimator"]} with '
                        f'{", ".join(report["sensors"])}', caption=_caption(report),
                  box=box.ROUNDED, title_style='bold', caption_justify='left', title_justify='left')
    table.add_column('RMSE against the prototype')
    for heading in ('model', 'observer', 'model / observer'):
        table.add_column(heading, justify='right')
    for k, name in enumerate(report['degrees_of_freedom']):
        table.add_section()
        for quantity, key, per_time in QUANTITIES:
            for label, suffix in ((f'{name} {quantity} [{report["units"][k]}{per_time}]', ''),
                                  ('  after 2 s', '_after_2s')):
                ours = observer and observer[key + suffix][k]
                theirs = model and model[key + suffix][k]
                table.add_row(Text(label), _number(theirs), Text(_number(ours), style='bold'),
                              _number(theirs / ours) if ours and theirs else '-')
    return table


def verdict_text(report):
    """Return the verdict as coloured text."""
    found = objections(report)
    if not found:
        return Text('PASSED: the observer beat the model and nothing was lost', style='bold green')
    return Text('FAILED: ' + '; '.join(found), style='bold red')


def _caption(report):
    """Return what else one asks first: speed, losses, consistency and timing."""
    factor, consistency = report['real_time_factor'], report['consistency']
    nis, nees = consistency['nis']['mean_per_channel'], consistency['nees']
    readings, timing = report['readings'], report['timing']
    lines = [
        [f'{report["duration"]:g} s simulated', f'real-time factor {_number(factor, ".2f")}',
         f'messages lost {report["messages_lost"]}'],
        [f'readings used {readings["used"]}, rejected {readings["rejected"]}',
         f'NIS {_number(nis, ".2f")}', f'NEES {_number(nees and nees["mean_per_state"], ".2f")}'],
    ]
    if timing['step_time'] and timing['latency']:
        lines.append([f'filter step {timing["step_time"]["median"] * 1e6:.0f} us',
                      f'estimate {timing["latency"]["median"] * 1e3:.1f} ms after the truth'])
    lines += [[parameter_line(name, found)] for name, found in report['parameters'].items()]
    return '\n'.join([*(' · '.join(line) for line in lines), *verdict_lines(report, 66)])


def _number(value, form='.4g'):
    """Return a number as text."""
    return '-' if value is None else format(value, form)
