"""What the terminal shows of a finished run."""

from rich import box
from rich.table import Table
from rich.text import Text

from mb_bringup.accuracy.verdict import objections

QUANTITIES = (('position', 'position_rmse'), ('  after 2 s', 'position_rmse_after_2s'),
              ('velocity', 'velocity_rmse'), ('  after 2 s', 'velocity_rmse_after_2s'),
              ('acceleration', 'acceleration_rmse'),
              ('  after 2 s', 'acceleration_rmse_after_2s'))


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
        for quantity, key in QUANTITIES:
            ours = observer and observer[key][k]
            theirs = model and model[key][k]
            ratio = _number(theirs / ours) if ours and theirs else '-'
            label = quantity if quantity.startswith(' ') else f'{name} {quantity}'
            table.add_row(label, _number(theirs), Text(_number(ours), style='bold'), ratio)
    return table


def verdict_text(report):
    """Return the verdict as coloured text."""
    found = objections(report)
    if not found:
        return Text('PASSED: the observer beat the model and nothing was lost', style='bold green')
    return Text('FAILED: ' + '; '.join(found), style='bold red')


def _caption(report):
    """Return real-time factor, losses, consistency and readings in two lines."""
    factor, nis = report['real_time_factor'], report['consistency']['nis']['mean_per_channel']
    readings, step = report['readings'], report['timing']['step_time']
    first = [f'{report["duration"]:g} s simulated',
             'real-time factor ' + ('-' if factor is None else f'{factor:.2f}'),
             f'messages lost {report["messages_lost"]}']
    second = [f'readings used {readings["used"]}, rejected {readings["rejected"]}',
              'NIS ' + ('-' if nis is None else f'{nis:.2f}')]
    if step:
        second.append(f'filter step {step["median"] * 1e6:.0f} us')
    return ' · '.join(first) + '\n' + ' · '.join(second)


def _number(value):
    """Return a number with four digits."""
    return '-' if value is None else f'{value:.4g}'
