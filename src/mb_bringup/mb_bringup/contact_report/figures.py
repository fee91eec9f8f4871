"""The figures of a run with contacts: how soon each was told, by which method, and its place."""

import numpy as np

from mb_bringup.accuracy.report import machine, quantiles
from mb_bringup.contact_report.episodes import LATE, first_beyond
from mb_bringup.heard.report import report_of

JUDGED_AFTER = 0.02     # the name counts that is told so long after the detection [s]
AFTERMATH = 0.5         # accelerations are not judged so long after a contact [s]
MS = 1e6                # ns


def make_report(run, found, settings, bounds, created):
    """Return the report of a ContactRun: every figure in one dictionary.

    found: its Episodes; settings: dict of what was asked for, copied to the top level; bounds: dict
    of what the verdict asks for (named: share of the bodies); created: time of the run as text.
    """
    return report_of(run, kind='contact', settings=settings, created=created) | {
        'degrees_of_freedom': list(run.layout.independent), 'units': list(run.layout.units),
        'bounds': bounds,
        'contacts': [_contact(run, episode) for episode in found],
        'false_alarms': [run.seconds(told.stamp) for told in run.told
                         if not any(_belongs(told, episode) for episode in found)],
        'contact_free': {method: _contact_free(run, samples, found)
                         for method, samples in run.forces.items()},
        'acceleration': _accelerations(run, found),
        'timing': {'step_time': quantiles(run.step_times),
                   'added_latency': quantiles(run.delays)},
        'machine': machine(),
    }


def _contact(run, episode):
    """Return when a contact was told, by each method, and what was thought to be touched."""
    told = next((one for one in run.told if _belongs(one, episode)), None)
    figures = {'begin': run.seconds(episode.begin), 'end': run.seconds(episode.end),
               'bodies': list(episode.bodies), 'force': float(episode.force.max()),
               'detected': told is not None, 'methods': {}}
    for method, samples in run.forces.items():
        figures['methods'][method] = _by_method(samples, episode)
    if told is None:
        return figures
    names = [one for one in told.names if one[0] <= told.stamp + JUDGED_AFTER * 1e9]
    figures |= {'method': told.method, 'after': (told.stamp - episode.begin) / MS}
    if names:
        _, name, probability, point = names[-1]
        off = None if point is None else float(np.hypot(*(np.array(point) - episode.point)))
        figures |= {'named': name, 'probability': probability, 'point_error': off,
                    'named_right': name == ', '.join(episode.bodies)}
    return figures


def _by_method(samples, episode):
    """Return threshold (g) and times in ms: when the true force and the estimate went beyond it."""
    stamps = samples.stamps
    near = stamps[(stamps >= episode.begin) & (stamps <= episode.end + LATE * 1e9)]
    if not near.size:
        return {'threshold': None, 'due': None, 'after': None}
    force, threshold = samples.columns(near)
    due = first_beyond(episode.stamps, episode.projected, threshold[0])
    told = first_beyond(near, force, threshold)
    return {'threshold': threshold[0].tolist(),
            'due': None if due is None else (due - episode.begin) / MS,
            'after': None if told is None else (told - episode.begin) / MS}


def _belongs(told, episode):
    return episode.begin <= told.stamp <= episode.end + LATE * 1e9


def _free(stamps, found, after):
    """Tell which stamps (k) lie apart from all contacts."""
    free = np.ones(len(stamps), bool)
    for episode in found:
        free &= (stamps < episode.begin) | (stamps > episode.end + after * 1e9)
    return free


def _contact_free(run, samples, found):
    """Return the largest force (g) told while nothing touched, and the threshold (g)."""
    stamps = samples.stamps
    force, threshold = samples.columns(stamps)
    free = _free(stamps, found, AFTERMATH)
    return {'largest': np.abs(force[free]).max(axis=0, initial=0.0).tolist(),
            'threshold': threshold[-1].tolist()}


def _accelerations(run, found):
    """Return error of the estimated accelerations while nothing touches, by degree of freedom.

    nrmse: root mean square over the range of the truth; snr: power of the truth over that of the
    error [dB].
    """
    common = np.intersect1d(run.truth.stamps, run.estimate.stamps)
    common = common[_free(common, found, AFTERMATH)]
    if not common.size:
        return {}
    truth, estimate = run.truth.columns(common)[2], run.estimate.columns(common)[2]
    error = np.sqrt(np.mean((estimate - truth) ** 2, axis=0))
    power = np.sqrt(np.mean(truth ** 2, axis=0))
    with np.errstate(divide='ignore', invalid='ignore'):
        return {name: {'rmse': float(error[k]), 'nrmse': float(error[k] / np.ptp(truth[:, k])),
                       'snr': float(20.0 * np.log10(power[k] / error[k]))}
                for k, name in enumerate(run.layout.independent)}
