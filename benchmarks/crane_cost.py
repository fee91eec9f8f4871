"""Cost of observer and payload estimator of the crane as shares of real time.

The work cycle with 50 kg, the observer's steps of 1 ms, readings at 100 Hz.  Once as the nodes do
it, an estimate and a mass at each instant of readings; once with both at every step.  Calls from
Python included, processor time.  Beside them a step of mechanism and oil, in the same run.  The
paper: 3.6 % and 22.6 %, 26 % together.
"""

from statistics import median
from time import process_time

import numpy as np

from benchmarks.crane_cases import experiment
from benchmarks.figures import Figure
from mb_contact import PayloadEstimator
from mb_estimators import make_filter
from mb_model import HydraulicStepper

ROUNDS = 5
TARGET = 2.0                            # % of real time
WAYS = {'masses at 100 Hz': False, 'masses at 1 kHz': True}


def measure():
    """Return the shares."""
    run = experiment()
    readings = run.readings(0)
    rounds = {way: [] for way in (*WAYS, 'model')}
    for _ in range(ROUNDS):
        for way, always in WAYS.items():
            rounds[way].append(estimators(run, readings, always))
        rounds['model'].append((model(run),))
    shares = {way: [100.0 * median(column) / run.t[-1] for column in zip(*rows, strict=True)]
              for way, rows in rounds.items()}
    figures = []
    for way in WAYS:
        observer, payload = shares[way]
        figures += [
            Figure(f'{way}: observer', observer, '% of real time', peer='paper, MATLAB',
                   peer_value=3.6),
            Figure(f'{way}: inverse dynamics, filter', payload, '% of real time',
                   peer='paper, MATLAB', peer_value=22.6),
            Figure(f'{way}: together', observer + payload, '% of real time', TARGET,
                   peer='mechanism and oil alone', peer_value=shares['model'][0])]
    return figures


def estimators(run, readings, always):
    """Return the processor times of observer and payload estimator [s].

    always: whether there is an estimate at every step.
    """
    alone = one_run(run, readings, always, None)
    estimator = PayloadEstimator(run.mechanism, [run.mass], dt=run.dt if always else 10.0 * run.dt)
    return alone, one_run(run, readings, always, estimator) - alone


def one_run(run, readings, always, estimator):
    """Return the processor time of the observer, and of a payload estimator if there is one [s]."""
    observer = make_filter('hydraulic_kinematic_ekf', run.mechanism, run.sensors, run.dt)
    wanted = (always | np.isfinite(readings).any(axis=1)).tolist()
    commands, stamps = list(run.truth.U_in), run.stamps.tolist()
    begin = process_time()
    for stamp, command, row, want in zip(stamps, commands, readings, wanted, strict=True):
        observer.predict(run.dt, command)
        if want:
            observer.correct(row)
            estimate = observer.estimate
            if estimator is not None:
                oil = estimate.hydraulics
                estimator.update(stamp, estimate.z, estimate.zd, estimate.zdd, oil.pressures,
                                 oil.covariance, q=estimate.q)
    return process_time() - begin


def model(run):
    """Return the processor time of mechanism and oil over the same steps [s]."""
    stepper = HydraulicStepper(run.prototype)
    stepper.reset()
    begin = process_time()
    for command in run.truth.U_in:
        stepper.set_valves(command)
        stepper.step(run.dt)
    return process_time() - begin
