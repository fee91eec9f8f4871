"""The panel of a mass for the browser: of each instant, filtered with its interval, the truth."""

import numpy as np

from mb_evaluation.panels.curves import Band, Curve
from mb_evaluation.panels.panel import Panel, moment, region
from mb_evaluation.payload_report.figure import mass_range
from mb_evaluation.payload_report.figures import REACH
from mb_evaluation.payload_report.payload_log import SETTLING_TIME


def mass_panel(run, k, true):
    """Return the Panel of mass number k of a PayloadLog; true: look of the truth."""
    stamps = run.masses.stamps
    time = (stamps - run.start) * 1e-9
    mass, raw, deviation, updating = (column[:, min(k, column.shape[1] - 1)]
                                      for column in run.masses.columns())
    truth = run.true_masses.held(stamps)[0][:, k]
    reach = REACH * deviation
    marks = [region(begin, end, '--good/0.10', 'updating' if first else '')
             for first, begin, end in _updating(time, updating > 0.0)]
    if run.first_motion is not None:
        marks.append(moment(run.seconds(run.first_motion) + SETTLING_TIME, '--faint',
                            'judged from here', 'dot'))
    curves = (Curve('of each instant', time, raw, '--model/0.55', 0.8),
              Curve(x=time, y=truth, **true), Band('95 %', time, mass - reach, mass + reach),
              Curve('estimate', time, mass, '--observer', 2.2, reach=reach))
    return Panel(f'{run.layout.masses[k]}: mass', 'kg', curves, tuple(marks), mass_range(truth),
                 wide=True)


def _updating(time, updating):
    """Yield (whether it is the first, begin, end) of the times at which masses were updated."""
    edges = np.flatnonzero(np.diff(updating.astype(int), prepend=0, append=0))
    for number, (begin, end) in enumerate(edges.reshape(-1, 2)):
        yield number == 0, time[begin], time[min(end, len(time) - 1)]
