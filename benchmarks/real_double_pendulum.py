"""Unknown torques on a real double pendulum: errors, intervals, detection, and a hidden elbow.

Numbers of the machine are identified on all recordings but the one that is judged.  With a folder
to judge, those that are shipped judge all recordings there; nothing is fitted then.
"""

import numpy as np

from benchmarks.figures import Figure
from benchmarks.real_data import FOLDER, recordings
from benchmarks.real_pendulum_fit import NAME, fit
from benchmarks.real_pendulum_run import LAGS, LOST, SURE, estimate, hidden_elbow
from mb_model import load_mechanism

# causal and smoothed errors [N m], or shares of the error of zero
GOALS = {'acrobot': (0.07, 0.055), 'pendubot': (0.6, 0.6)}
LARGE, NOTHING = 0.4, 0.02              # N m: pulses to be detected, and none
DELAY = 0.06                            # s
NEAR = 0.3                              # s between a detection and a pulse that it may be of
HIDDEN, HIDDEN_TIME = 0.05, 2.0         # rad, s
KNOWN = {'meas': 'known torque reported less injected', 'con': 'known torque commanded'}


def measure(judge=None):
    """Return the figures of both kinds of recordings, run by run."""
    kinds = {kind: recordings(judge, 'double_pendulum', kind) for kind in GOALS}
    everything = [run for runs in kinds.values() for run in runs]
    if not everything:
        return missing(judge)
    figures, found = [], []
    machines = _machines(everything, judge)
    for kind, runs in kinds.items():
        for known in KNOWN if runs else ():
            estimated = [estimate(run, *machines[run.name], known) for run in runs]
            figures += _errors(kind, known, runs, estimated)
            if known == 'meas':
                figures += _intervals(kind, estimated) + _lags(kind, estimated)
                found += estimated
        figures += _hidden(kind, runs, machines) if runs else []
    return figures + _detection(found)


def missing(judge):
    """Return the figure of a folder without recordings: missed where it has to be judged."""
    return [Figure(f'recordings in {judge or FOLDER}: missing', 0.0, '',
                   target=1.0 if judge else None, at_least=True)]


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
                limit = goal * zero[joint] if kind == 'pendubot' else goal
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
        figures.append(Figure(f'{kind}: {what} 95 % intervals hold the torque',
                              100.0 * held.mean(), '%', target=(90.0, 98.0), peer='in pulses',
                              peer_value=100.0 * held[pulses].mean()))
    return figures


def _lags(kind, estimated):
    """Return the error of the torque that was on a while ago: what waiting is worth."""
    return [Figure(f'{kind}: joint {joint + 1}, {1e3 * lag:g} ms later', np.sqrt(np.mean(
        [e.error(e.lagged[row]) for e in estimated], axis=0))[joint], 'N m')
        for joint in range(2) for row, lag in enumerate(LAGS)]


def _detection(estimated):
    """Return detected pulses, their delays, and false alarms, of all recordings."""
    delays, false, count = [], 0, 0
    for e in estimated:
        for joint in range(2):
            sure = e.probability[:, joint] > SURE
            size = abs(e.truth[:, joint])
            for first, last in _stretches(size > NOTHING):
                over = np.flatnonzero(size[first:last] > LARGE)
                if len(over):
                    found = np.flatnonzero(sure[first:last])
                    late = e.time[first + found[0]] - e.time[first + over[0]] if len(
                        found) else np.inf
                    delays.append(late)
            for first, last in _alarms(sure, e.time):
                near = abs(e.time - np.clip(e.time, e.time[first], e.time[last - 1])) < NEAR
                false += not (size[near] > NOTHING).any()
                count += 1
    figures = [Figure('false alarms in 10 runs', 10.0 * false / len(estimated), '', target=1.0,
                      peer='alarms', peer_value=count)]
    if not delays:
        return figures
    return [
        *figures,
        Figure(f'pulses above {LARGE} N m that are detected within 60 ms of that',
               100.0 * np.mean(np.array(delays) <= DELAY), '%', target=100.0, at_least=True,
               peer='pulses', peer_value=len(delays)),
        Figure(f'latest detection of a pulse above {LARGE} N m', 1e3 * max(delays), 'ms',
               peer='median', peer_value=1e3 * np.median(delays))]


def _alarms(sure, time):
    """Return the stretches of detections; those with less than NEAR between them are one."""
    alarms = []
    for first, last in _stretches(sure):
        if alarms and time[first] - time[alarms[-1][1] - 1] < NEAR:
            alarms[-1][1] = last
        else:
            alarms.append([first, last])
    return alarms


def _stretches(on):
    """Return (first, last + 1) of all stretches that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], on.astype(int), [0]])))
    return edges.reshape(-1, 2)


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
