"""Panels of a run with a tool that weighs: load, errors of angles, force at the edge."""

import numpy as np

from mb_evaluation.panels.curves import REACH, Band, Curve
from mb_evaluation.panels.panel import Panel, moment

TRUE = {'name': 'prototype (truth)', 'colour': 'truth/0.35', 'width': 4.0}
KILO = 1e-3


def load_panel(run, report):
    """Return the Panel of the load: truth, weighings so far, and what they end with."""
    stamps = run.masses.stamps
    net, _, deviation = (column[:, 0] for column in run.masses.columns())
    time, truth = run.seconds(stamps), run.true_load.held(stamps)[0][:, 0]
    rows = report['loads']['weighings']
    reach = REACH * deviation
    full = report['bounds']['full_scale']
    curves = (Curve(x=time, y=truth, **TRUE), Band('95 %', time, net - reach, net + reach),
              Curve('weighing', time, net, 'observer', 2.2, reach=reach),
              Curve('weighed', np.array([row['time'] for row in rows]),
                    np.array([row['net'] for row in rows]), 'model', 6.0, dots=True))
    return Panel('load in the tool', 'kg', curves, _begin(report), (-0.1 * full, 1.2 * full),
                 wide=True)


def angle_panels(run, report):
    """Return the Panels of the errors of the angles [deg], with their intervals."""
    if run.silent:
        return []
    t, errors, deviations = run.errors()
    found = []
    for k, name in enumerate(run.angles):
        off, reach = np.degrees(errors[:, k]), np.degrees(REACH * deviations[:, k])
        found.append(Panel(f'{name}: error', 'deg', (
            Band('95 %', t, -reach, reach), Curve('observer', t, off, 'observer')),
            _begin(report), (-6.0, 6.0)))
    return found


def force_panels(run):
    """Return the Panels of the force at the edge, along x and z of the house."""
    t, found, true = run.pushes()
    return [Panel(f'force at the edge along {axis}', 'kN', (
        Curve(x=t, y=KILO * true[:, k], **TRUE),
        Curve('estimate', t, KILO * found[:, k], 'observer'))) for k, axis in enumerate('xz')]


def _begin(report):
    return (moment(report['bounds']['learning'], 'faint', 'judged from here', 'dot'),)
