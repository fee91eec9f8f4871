"""Unknown torques on a real double pendulum: errors, intervals, detection, and a hidden elbow.

Numbers of the machine are identified on all recordings but the one that is judged.  With a folder
to judge, those that are shipped judge all recordings there; nothing is fitted then.
"""

import numpy as np

from benchmarks.figures import Figure
from benchmarks.real_data import Recorded, missing, readable
from benchmarks.real_pendulum_fit import NAME, fit
from benchmarks.real_pendulum_picture import draw
from benchmarks.real_pendulum_run import LAGS, LOST, estimate, hidden_elbow
from benchmarks.real_pulses import NOTHING, detection
from mb_model import load_mechanism

# causal and smoothed errors [N m], or shares of the error of zero
GOALS = {'acrobot': (0.07, 0.055), 'pendubot': (0.6, 0.6)}
HIDDEN, HIDDEN_TIME = 0.05, 2.0         # rad, s
RESOLVED = 2e-3                         # N m, force_resolution of the filter
COLUMNS = ('time', *(f'{name}{joint}' for name in ('pos_meas', 'tau_con', 'tau_meas', 'tau_pert')
                     for joint in (1, 2)))
IDENTIFYING = ('vel_meas1', 'vel_meas2')        # further ones, to identify the machine by
KNOWN = {'meas': 'known torque reported less injected', 'con': 'known torque commanded'}


def measure(judge=None):
    """Return the figures of both kinds of recordings, run by run."""
    kinds, figures, found = {}, [], {}
    for kind in GOALS:
        kinds[kind], faults = _runs(judge, kind)
        figures += faults
    everything = [run for runs in kinds.values() for run in runs]
    if not everything:
        return figures or missing(judge)
    machines = _machines(everything, judge)
    for kind, runs in kinds.items():
        if not runs:
            figures.append(Figure(f'{kind}: no recordings, not judged', 0.0, ''))
            continue
        for known in KNOWN:
            estimated = [estimate(run, *machines[run.name], known) for run in runs]
            figures += _errors(kind, known, runs, estimated)
            if known == 'meas':
                figures += _intervals(kind, estimated) + _lags(kind, estimated)
                found |= dict(zip([run.name for run in runs], estimated, strict=True))
        figures += _hidden(kind, runs, machines)
    draw(found)
    return figures + detection(found.values())


def _runs(judge, kind):
    """Return the recordings of a kind, whose time begins at 0, and missed Figures of the others."""
    runs, faults = readable(judge, 'double_pendulum', kind,
                            needed=COLUMNS + (() if judge else IDENTIFYING))
    return [Recorded(run.name, run.columns | {'time': run['time'] - run['time'][0]})
            for run in runs], faults


def _machines(runs, judge):
    """Return name -> (mechanism, settings) of each recording: fitted on all others, or shipped."""
    if judge:
        return {run.name: (load_mechanism(NAME), {}) for run in runs}
    found = {}
    for run in runs:
        numbers = fit([other for other in runs if other is not run])
        found[run.name] = numbers.mechanism, numbers.settings
    return found


def _errors(kind, known, runs, estimated):
    """Return root mean square errors: of each run, and over all of a kind beside their goals."""
    figures, goals = [], GOALS[kind]
    for run, one in [*zip(runs, estimated, strict=True), (None, None)]:
        chosen = estimated if one is None else [one]
        zero, causal, smoothed = (
            np.sqrt(np.mean([each.error(forces(each)) for each in chosen], axis=0))
            for forces in (lambda e: 0.0 * e.forces, lambda e: e.forces, lambda e: e.smoothed))
        for joint in range(2):
            for what, value, goal in zip(('causal', 'smoothed'), (causal, smoothed), goals,
                                         strict=True):
                # Of nothing, no share can be asked for.
                limit = goal if kind == 'acrobot' else goal * zero[joint] or None
                figures.append(Figure(
                    f'{run.name if run else f"{kind}, all"}: joint {joint + 1}, {what}, '
                    f'{KNOWN[known]}', value[joint], 'N m',
                    target=limit if run is None and known == 'meas' else None, peer='zero',
                    peer_value=zero[joint]))
    return figures


def _intervals(kind, estimated):
    """Return how often 95 % intervals hold the torque, always and while there is a pulse."""
    figures = []
    for what, forces, deviations in (
            ('causal', lambda e: e.forces, lambda e: e.deviations),
            ('smoothed', lambda e: e.smoothed, lambda e: e.smoothed_deviations)):
        held = np.concatenate([e.held(forces(e), deviations(e)) for e in estimated])
        pulses = np.concatenate([abs(e.truth) > NOTHING for e in estimated])
        still = np.concatenate([np.maximum(abs(e.truth), abs(forces(e))) <= RESOLVED
                                for e in estimated])
        figures += [
            Figure(f'{kind}: {what} 95 % intervals hold the torque', 100.0 * held.mean(), '%',
                   target=(90.0, 98.0), **_share('in pulses', held[pulses])),
            Figure(f'{kind}: truth and {what} torque are zero', 100.0 * still.mean(), '%',
                   **_share('intervals hold it in the rest [%]', held[~still]))]
    return figures


def _share(name, held):
    """Return the peer of a Figure: how often intervals hold it, if there is anything to hold."""
    return {'peer': name, 'peer_value': 100.0 * held.mean()} if held.size else {}


def _lags(kind, estimated):
    """Return the error of the torque that was on a while ago: what waiting is worth."""
    return [Figure(f'{kind}: joint {joint + 1}, {1e3 * lag:g} ms later', np.sqrt(np.mean(
        [e.error(e.lagged[row]) for e in estimated], axis=0))[joint], 'N m')
        for joint in range(2) for row, lag in enumerate(LAGS)]


def _hidden(kind, runs, machines):
    """Return the error of the elbow without its encoder, and when it is said to be lost."""
    figures, begin, all_time = [], [], []
    for run in runs:
        time, error, deviation = hidden_elbow(run, *machines[run.name])
        lost = time[np.argmax(deviation > LOST)] if (deviation > LOST).any() else time[-1]
        early = error[time < HIDDEN_TIME]
        zero = early[time[:len(early)] < 1.0].mean()
        begin.append(early)
        all_time.append(abs(error[time < lost]) < 2.0 * deviation[time < lost])
        figures += [
            Figure(f'{run.name}: elbow without its encoder, error over {HIDDEN_TIME:g} s',
                   np.sqrt(np.mean(early ** 2)), 'rad', peer='less the mean of the first second',
                   peer_value=np.sqrt(np.mean((early - zero) ** 2))),
            Figure(f'{run.name}: it says that the elbow is lost after', lost, 's')]
    return [*figures,
            Figure(f'{kind}: elbow without its encoder, error over {HIDDEN_TIME:g} s',
                   np.sqrt(np.mean(np.concatenate(begin) ** 2)), 'rad', target=HIDDEN,
                   peer='2 sigma hold it until lost [%]',
                   peer_value=100.0 * np.concatenate(all_time).mean())]
