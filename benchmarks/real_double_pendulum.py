"""Unknown torques on a real double pendulum: errors, intervals, detection, and a hidden elbow.

Numbers of the machine are identified on all recordings but the one that is judged.  With a folder
to judge, those that are shipped judge all recordings there; nothing is fitted then.
"""

import numpy as np

from benchmarks.figures import Figure
from benchmarks.pictures import plt, save
from benchmarks.real_data import Recorded, missing, readable
from benchmarks.real_pendulum_numbers import identified
from benchmarks.real_pendulum_run import LAGS, LOST, NAME, SURE, errors_of, estimate, hidden_elbow
from mb_model import load_mechanism

# causal and smoothed errors [N m], or shares of the error of zero
GOALS = {'acrobot': (0.07, 0.055), 'pendubot': (0.6, 0.6)}
HIDDEN, HIDDEN_TIME = 0.05, 2.0         # rad, s
RESOLVED = 2e-3                         # N m, force_resolution of the filter
COLUMNS = ('time', *(f'{name}{joint}' for name in ('pos_meas', 'tau_con', 'tau_meas', 'tau_pert')
                     for joint in (1, 2)))
KNOWN = {'meas': 'known torque reported less injected', 'con': 'known torque commanded'}
LARGE, NOTHING = 0.4, 0.02              # N m: pulses to be detected, and none
DELAY = 0.06                            # s
NEAR = 0.3                              # s between a detection and a pulse that it may be of
LIMIT = 0.95                            # N m
TRUE, CAUSAL, SMOOTHED, FALSE = 'black', '#e08e0b', '#1b6ca8', '#c0504d'


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
    runs, faults = readable(judge, 'double_pendulum', kind, needed=COLUMNS)
    return [Recorded(run.name, run.columns | {'time': run['time'] - run['time'][0]})
            for run in runs], faults


def _machines(runs, judge):
    """Return name -> (mechanism, settings) of each recording: fitted on all others, or shipped."""
    if judge:
        return {run.name: (load_mechanism(NAME), {}) for run in runs}
    found = {}
    for run in runs:
        found[run.name] = identified([other for other in runs if other is not run])
    return found


def _errors(kind, known, runs, estimated):
    """Return root mean square errors: of each run, and over all of a kind beside their goals."""
    figures, goals = [], GOALS[kind]
    for run, one in [*zip(runs, estimated, strict=True), (None, None)]:
        chosen = estimated if one is None else [one]
        zero, causal, smoothed = errors_of(chosen)
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


def detection(estimated):
    """Return the figures of detected pulses, their delays, and false alarms, of recordings."""
    delays, false, count = [], 0, 0
    for e in estimated:
        for joint in range(2):
            delays += _delays(e.probability[:, joint] > SURE, abs(e.truth[:, joint]), e.time)
            alarms = alarms_of(e, joint)
            false += sum(wrong for *_, wrong in alarms)
            count += len(alarms)
    figures = [Figure('false alarms in 10 runs', 10.0 * false / len(estimated), '', target=1.0,
                      peer='alarms', peer_value=count)]
    if not delays:
        return [*figures, Figure(f'pulses above {LARGE} N m: none, so their detection is not '
                                 'judged', 0.0, '')]
    return [
        *figures,
        Figure(f'pulses above {LARGE} N m that are detected within 60 ms of that',
               100.0 * np.mean(np.array(delays) <= DELAY), '%', target=100.0, at_least=True,
               peer='pulses', peer_value=len(delays)),
        Figure(f'latest detection of a pulse above {LARGE} N m', 1e3 * max(delays), 'ms',
               peer='median', peer_value=1e3 * np.median(delays))]


def alarms_of(estimated, joint):
    """Return (first, last + 1, whether it is false) of the alarms of a joint, in samples."""
    time, size = estimated.time, abs(estimated.truth[:, joint])
    return [(first, last, _is_false(first, last, size, time))
            for first, last in _alarms(estimated.probability[:, joint] > SURE, time)]


def _delays(sure, size, time):
    """Return how late each large pulse is detected [s]."""
    delays = []
    for first, last in _stretches(size > NOTHING):
        over = np.flatnonzero(size[first:last] > LARGE)
        if len(over):
            found = np.flatnonzero(sure[first:last])
            delays.append(time[first + found[0]] - time[first + over[0]] if len(found) else np.inf)
    return delays


def _is_false(first, last, size, time):
    """Return whether no pulse is near an alarm."""
    near = abs(time - np.clip(time, time[first], time[last - 1])) < NEAR
    return not (size[near] > NOTHING).any()


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


def draw(estimated):
    """Write results/real_double_pendulum.png of name -> Estimated; return its path."""
    figure, axes = plt.subplots(len(estimated), 2, figsize=(10, 1.15 * len(estimated) + 0.9),
                                sharex=True, sharey=True, squeeze=False, layout='constrained')
    for row, (name, e) in zip(axes, estimated.items(), strict=True):
        for joint, axis in enumerate(row):
            axis.plot(e.time, e.truth[:, joint], color=TRUE, linewidth=3, alpha=0.3, label='true')
            axis.plot(e.time, e.forces[:, joint], color=CAUSAL, linewidth=0.9, label='causal')
            axis.plot(e.time, e.smoothed[:, joint], color=SMOOTHED, linewidth=0.9,
                      label='smoothed')
            for first, last, false in alarms_of(e, joint):
                axis.plot(e.time[[first, last - 1]], [-0.88, -0.88], linewidth=4,
                          color=FALSE if false else '0.6', solid_capstyle='butt',
                          marker='v' if false else None)
            axis.axvline(e.time[-1], color='0.8', linewidth=0.8)
            axis.set_ylim(-LIMIT, LIMIT)
            axis.grid(alpha=0.25)
        row[0].set_ylabel(name.replace('experiment0', '').replace('/', ' '), fontsize=8)
    for axis, title in zip(axes[0], ('shoulder [N m]', 'elbow [N m]'), strict=True):
        axis.set_title(title, fontsize=10, loc='left')
    for axis in axes[-1]:
        axis.set_xlabel('time [s]')
    lines = axes[0, 0].get_legend_handles_labels()
    shown = dict(zip(lines[1], lines[0], strict=True))
    shown['detected'] = plt.Line2D([], [], color='0.6', linewidth=4)
    shown['detected falsely'] = plt.Line2D([], [], color=FALSE, linewidth=4, marker='v')
    figure.get_layout_engine().set(rect=(0.0, 0.0, 1.0, 0.96))
    figure.legend(shown.values(), shown.keys(), loc='upper center', ncols=len(shown),
                  fontsize=8, frameon=False)
    return save(figure, 'real_double_pendulum', 110)
