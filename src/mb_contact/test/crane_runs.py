"""Runs of the crane: the valve opens and closes in ramps."""

import numpy as np

from mb_contact.experiment import PayloadExperiment
from mb_model import WorkCycle, load_mechanism

SENSORS = ('cylinder_encoder', 'pressure1', 'pressure2')


def ramps(circuit, peaks, rise=4.0, pause=1.0, step=0.05):
    """Return a WorkCycle: the valve opens to each peak and closes again, slowly."""
    times, values = [0.0], [0.0]
    for peak in peaks:
        times += [times[-1] + pause, times[-1] + pause + rise, times[-1] + pause + 2.0 * rise]
        values += [0.0, peak, 0.0]
    t = np.arange(0.0, times[-1] + pause, step)
    return WorkCycle(circuit, t, np.interp(t, times, values)[:, np.newaxis])


def experiment(load, peaks, **ramp):
    """Return the PayloadExperiment of a load [kg]."""
    crane = load_mechanism('crane').replace(parameters={'load': load})
    return PayloadExperiment(crane, SENSORS, ramps(crane.circuit, peaks, **ramp))
