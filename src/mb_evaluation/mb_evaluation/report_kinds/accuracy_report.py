"""The report of a run of the three-simulation method.

Did the observer beat the uncorrected model, was nothing lost, are the errors right that it claims?
"""

from collections.abc import Sequence
from typing import Any

from mb_estimators import agreement, undetermined_text
from mb_evaluation.accuracy.errors import QUANTITIES, RMSES, Errors, lost_line
from mb_evaluation.accuracy.innovations import figures_of_all
from mb_evaluation.recordings.remedies import remedies_of_run
from mb_evaluation.report_kinds.accuracy_objections import accuracy_objections
from mb_evaluation.report_kinds.accuracy_panels import (
    error_panel,
    innovation_panels,
    motion_panel,
    parameter_panel,
)
from mb_evaluation.reports.report import (
    Drawn,
    Figures,
    Picture,
    ReportKind,
    Row,
    Section,
    Table,
    Tile,
    number_text,
)
from mb_evaluation.reports.run_figures import (
    figures_of_run,
    lost_tile,
    message_objections,
    quantiles,
    slow_remarks,
    speed_tile,
)
from mb_evaluation.run_log.accuracy_log import AccuracyLog

FORMAT = 4      # raised when a key changes its meaning
HEADINGS = ('RMSE against the prototype', 'model', 'observer', 'model / observer')
MOST = 4                # parameters that a picture shows


def accuracy_figures(run: AccuracyLog, settings: dict[str, Any], bounds: dict[str, float],
                     created: str) -> Figures:
    """Return the figures of an AccuracyLog.

    settings: of the run (mechanism, estimator, sensors, seed, ...), copied to the top level;
    bounds: of the verdict, by name; created: time of the run as text.
    """
    errors = run.errors()
    return figures_of_run(run, 'accuracy', settings, created) | {
        'format': FORMAT,
        'bounds': bounds,
        'degrees_of_freedom': run.names,
        'units': [run.units.get(name, 'rad') for name in run.names],
        'model': errors['model'].figures() if 'model' in errors else None,
        'observer': errors['observer'].figures() if 'observer' in errors else None,
        'parameters': {name: track.figures() for name, track in run.parameters.items()},
        'estimate_lost': run.lost_estimates.figures(run.start),
        'undetermined': list(run.undetermined),
        'consistency': _consistency(run, errors.get('observer')),
        'timing': {'step_time': quantiles(run.step_times), 'latency': _latency(run)},
    }


def _latency(run: AccuracyLog):
    """Return quantiles of the latencies of estimates and when the largest was, or None."""
    latencies = run.latencies()
    if not latencies:
        return None
    latest = max(latencies, key=latencies.get)
    return {**quantiles(list(latencies.values())), 'largest_at': run.seconds(latest)}


def _consistency(run: AccuracyLog, observer: Errors | None):
    """Return how well the claimed covariances agree with the errors."""
    mean, inside = agreement(run.nis, run.nis_sizes) if run.nis else (None, None)
    return {
        'coverage_95': observer.coverage() if observer else {},
        'nis': {'mean_per_channel': mean, 'inside_95': inside},
        'nees': observer.nees() if observer else None,
        'sensors': figures_of_all(run.innovations.values(), run.start),
    }


def objections(figures: Figures) -> list[str]:
    """Return objections to a run, in words; empty if it passed."""
    return accuracy_objections(figures) + message_objections(figures)


def commands(figures: Figures) -> list[str]:
    """Return what to do about a wrong estimate: tune on the bag, then launch with the result."""
    whole = figures['model'] and figures['observer']
    return remedies_of_run(figures) if (
        figures.get('launched') and whole and accuracy_objections(figures)) else []


def accuracy_rows(figures: Figures) -> Sequence[Row]:
    """Return a row of texts for each quantity of each degree of freedom, of all and settled."""
    model, observer, rows = figures['model'], figures['observer'], []
    for k, (name, unit) in enumerate(zip(figures['degrees_of_freedom'], figures['units'],
                                         strict=True)):
        for quantity, per_time in QUANTITIES.items():
            for label, suffix in ((f'{name} {quantity} [{unit}{per_time}]', ''),
                                  (f'  after 2 s [{unit}{per_time}]', '_after_2s')):
                ours, theirs = (one and one[f'{quantity}_rmse{suffix}'][k]
                                for one in (observer, model))
                rows.append((label, number_text(theirs), number_text(ours),
                             number_text(theirs / ours) if ours and theirs else '-'))
    return rows


def _captions(figures: Figures):
    """Return lines on speed, losses, consistency, timing and parameters."""
    consistency, readings, timing = (figures[key] for key in ('consistency', 'readings', 'timing'))
    nees = consistency['nees']
    lines = [
        [f'{figures["duration"]:g} s simulated',
         f'real-time factor {number_text(figures["real_time_factor"], ".2f")}',
         f'messages lost {figures["messages_lost"]}'],
        [f'readings used {readings["used"]}, rejected {readings["rejected"]}',
         f'NIS {number_text(consistency["nis"]["mean_per_channel"], ".2f")}',
         f'NEES {number_text(nees and nees["mean_per_state"], ".2f")}'],
    ]
    if timing['step_time'] and timing['latency']:
        lines.append([f'filter step {timing["step_time"]["median"] * 1e6:.0f} us',
                      f'estimate {timing["latency"]["median"] * 1e3:.1f} ms after the truth'])
    lines += [[_parameter_line(name, one)] for name, one in figures['parameters'].items()]
    return [' · '.join(line) for line in lines]


def _parameter_line(name: str, figures: Figures):
    """Return the estimate of a parameter as a line of text."""
    truth = '' if figures['truth'] is None else f' (truth {figures["truth"]:.4g})'
    return f'{name} {figures["estimate"]:.5g} +- {figures["deviation"]:.2g}{truth}'


def remarks(figures: Figures) -> list[str]:
    """Return what speed and innovations show of the run, and do not show, in sentences."""
    sensors = figures['consistency']['sensors']
    verdicts = [one['verdict'] for one in sensors.values() if one['verdict']]
    if sensors and not verdicts:
        verdicts = ['consistent: innovations are no larger than the filter claims',
                    *(one['remark'] for one in sensors.values())]
    return [text for text in (
        lost_line(figures['estimate_lost']),
        undetermined_text(figures['undetermined'], ['the sensors that were on']),
        *verdicts, *slow_remarks(figures)) if text]


def _tiles(figures: Figures):
    """Return the most important figures."""
    tiles, consistency = [], figures['consistency']
    for k, name in enumerate(figures['degrees_of_freedom']):
        ours, theirs = (one and (one['position_rmse_after_2s'][k] or one['position_rmse'][k])
                        for one in (figures['observer'], figures['model']))
        ratio = f'model {theirs:.3g}, {theirs / ours:.0f} times' if ours and theirs else ''
        tiles.append(Tile(f'{name}: RMSE after 2 s [{figures["units"][k]}]',
                          number_text(ours, '.3g'), ratio))
    nees = consistency['nees']
    return [*tiles,
            Tile('NIS per channel', number_text(consistency['nis']['mean_per_channel'], '.3g'),
                 '1 if consistent'),
            Tile('NEES per state', number_text(nees and nees['mean_per_state'], '.3g'),
                 '1 if consistent'), lost_tile(figures), speed_tile(figures)]


def _tables(figures: Figures):
    """Return the table of root mean square errors, a group for each degree of freedom."""
    rows = accuracy_rows(figures)
    each = 2 * len(QUANTITIES)      # rows of a degree of freedom
    return [Table(HEADINGS, [rows[k:k + each] for k in range(0, len(rows), each)], strong=2)]


def _drawn(run: AccuracyLog, figures: Figures):
    """Return the panels of motion, errors of what is estimated, innovations and parameters."""
    errors = run.errors().get('observer')
    whole, short = [], []           # panels of the page, of the picture
    for k, _ in enumerate(run.names):
        motion = motion_panel(run, k)
        off = {quantity: error_panel(errors, figures, k, quantity)
               for quantity in QUANTITIES} if errors else {}
        whole += [motion, *off.values()]
        short += [motion, *(one for quantity, one in off.items() if quantity != 'velocity')]
    innovations = innovation_panels(run)
    parameters = [parameter_panel(track, run.start) for track in run.parameters.values()]
    return Drawn(
        [Section('Motion, and error of the observer', whole),
         Section('Innovations: what readings add to the estimate', innovations),
         Section('Parameters of the model', parameters)],
        Picture([*short, *parameters[:MOST]], beside=innovations,
                figures=list(_picture_rows(figures)), remarks=remarks(figures)))


def _picture_rows(figures: Figures):
    """Yield the figures that stand in the picture, as rows of a small table."""
    model, observer = figures['model'], figures['observer']
    yield 'RMSE', 'model', 'observer'
    for k, (name, unit) in enumerate(zip(figures['degrees_of_freedom'], figures['units'],
                                         strict=True)):
        for label, key, per_time in RMSES:
            yield (f'{name} {label} [{unit}{per_time}]', number_text(model and model[key][k]),
                   number_text(observer and observer[key][k]))
    nis, nees = (figures['consistency'][key] for key in ('nis', 'nees'))
    yield 'NIS per channel (1 if consistent)', '', number_text(nis['mean_per_channel'])
    yield ('NEES per state after 2 s (1 if consistent)', '',
           number_text(nees and nees['mean_per_state']))
    yield 'real-time factor', '', number_text(figures['real_time_factor'])
    yield 'messages lost', '', str(figures['messages_lost'])


REPORT = ReportKind(
    'accuracy', figures=accuracy_figures,
    is_drawn=lambda figures: bool(figures['model'] or figures['observer']),
    title=lambda figures: (f'{figures["mechanism"]}: {figures["estimator"]} with '
                           f'{", ".join(figures["sensors"])}'),
    passed=lambda _: 'the observer beat the model and nothing was lost', objections=objections,
    commands=commands, tables=_tables, captions=_captions, remarks=remarks, tiles=_tiles,
    draw=_drawn,
    made_with=('prototype', 'estimator', 'seed', 'created'))
