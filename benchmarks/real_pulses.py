"""Detection of pulses in recordings of the real double pendulum: delays and false alarms."""

import numpy as np

from benchmarks.figures import Figure
from benchmarks.real_pendulum_run import SURE

LARGE, NOTHING = 0.4, 0.02              # N m: pulses to be detected, and none
DELAY = 0.06                            # s
NEAR = 0.3                              # s between a detection and a pulse that it may be of


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
