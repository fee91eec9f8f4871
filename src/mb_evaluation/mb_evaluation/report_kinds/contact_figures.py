"""The figures of a run with contacts: how soon each was detected, how, and where."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_contact import DECIDED, QUASI_STATIC, TRANSIENT, likeliest
from mb_evaluation.report_kinds.contact_episodes import HIT, Episode, first_beyond, longest_beyond
from mb_evaluation.reports.report import Figures
from mb_evaluation.reports.run_figures import digest, figures_of_run, quantiles
from mb_evaluation.run_log.contact_log import LATE, ContactLog, DetectedContact
from mb_evaluation.run_log.samples import Samples

JUDGED_AFTER = 0.02     # the name counts that is reported at this time after the detection [s]
CERTAIN = 1.5           # of the thresholds, twice the largest error: a force beyond that shows
LASTING = {'direct': 0.005, 'momentum_observer': 0.03}      # that lasts so long: it lags [s]
ABOVE, ABOUT, BELOW = 'above', 'about', 'below'     # where a contact is, of the thresholds
RIGHT, AMBIGUOUS, WRONG = 'right', 'ambiguous', 'wrong'     # how a contact is named
AFTERMATH = 0.5         # accelerations are not judged so long after a contact [s]
MS = 1e6                # ns


def contact_figures(run: ContactLog, settings: dict[str, Any], bounds: dict[str, float],
                    created: str) -> Figures:
    """Return the figures of a ContactLog whose Episodes are found.

    settings: dict of the run's settings, copied to the top level; bounds: dict of the verdict's
    bounds (named: share of the bodies); created: time of the run as text.
    """
    episodes = run.episodes
    return figures_of_run(run, 'contact', settings, created) | {
        'degrees_of_freedom': list(run.layout.independent), 'units': list(run.layout.units),
        'bounds': bounds,
        'contacts': [_contact(run, episode) for episode in episodes],
        'contacts_detected': run.contacts_detected,
        'false_alarms': [run.seconds(one.stamp) for one in run.detected
                         if not any(_belongs(one, episode) for episode in episodes)],
        'contact_free': {method: _contact_free(run, samples, episodes)
                         for method, samples in run.forces.items()},
        'acceleration': _accelerations(run, episodes),
        'truth_digest': digest(run.truth.stamps, run.truth.columns()),
        'timing': {'step_time': quantiles(run.step_times),
                   'added_latency': quantiles(run.delays)},
    }


def _contact(run: ContactLog, episode: Episode):
    """Return when a contact was detected, by each method, and which body was named.

    level: ABOVE the thresholds, so that it must be detected, ABOUT them, or BELOW; limit: the kind
    of limit that its force is compared with.
    """
    detected = next((one for one in run.detected if _overlaps(one, episode)), None)
    methods = {method: _by_method(method, samples, episode)
               for method, samples in run.forces.items()}
    figures = {'begin': run.seconds(episode.begin), 'end': run.seconds(episode.end),
               'kind': episode.kind, 'limit': TRANSIENT if episode.kind == HIT else QUASI_STATIC,
               'bodies': list(episode.bodies), 'force': float(episode.force.max()),
               'level': _level([one['level'] for one in methods.values()]),
               'detected': detected is not None, 'methods': methods}
    if detected is None:
        return figures
    begin = max(detected.stamp, episode.begin)      # it may have begun with the contact before
    figures |= {'method': detected.method, 'after': (begin - episode.begin) / MS}
    names = [hypotheses for stamp, hypotheses in detected.names
             if episode.begin <= stamp <= begin + JUDGED_AFTER * 1e9]
    return figures | (_named(names[-1], episode) if names else {})


def _named(hypotheses: Sequence[tuple[str, float, np.ndarray | None]], episode: Episode):
    """Return what hypotheses (name, probability, point) name of an Episode."""
    name, probability, point = hypotheses[0]
    named, true = likeliest([one[:2] for one in hypotheses], DECIDED), ', '.join(episode.bodies)
    naming = WRONG if true not in named else RIGHT if len(named) == 1 else AMBIGUOUS
    off = None if point is None else float(np.linalg.norm(np.array(point) - episode.point))
    return {'named': name, 'probability': probability, 'point_error': off, 'naming': naming,
            'may_be': {name: chance for name, chance, _ in hypotheses[:len(named)]}}


def _by_method(method: str, samples: Samples, episode: Episode):
    """Return threshold (g), times in ms when true force and estimate went beyond it, and level."""
    stamps = samples.stamps
    near = stamps[(stamps >= episode.begin) & (stamps <= episode.end + LATE * 1e9)]
    force, thresholds = samples.columns(near)
    # A detector that was silent then has the thresholds that it had at another time.
    threshold = thresholds[0] if near.size else samples.columns()[1][-1]
    due = first_beyond(episode.stamps, episode.projected, threshold)
    shown = first_beyond(near, force, threshold) if near.size else None
    certain = longest_beyond(episode.stamps, episode.projected, CERTAIN * threshold)
    level = (BELOW if due is None else
             ABOVE if certain is not None and certain >= LASTING[method] else ABOUT)
    return {'threshold': threshold.tolist(), 'level': level,
            'due': None if due is None else (due - episode.begin) / MS,
            'after': None if shown is None else (shown - episode.begin) / MS}


def _level(levels: Sequence[str]):
    """Return the highest of levels; ABOVE if no method has judged anything: that is a miss, too."""
    return next((level for level in (ABOVE, ABOUT, BELOW) if level in levels), ABOVE)


def _overlaps(detected: DetectedContact, episode: Episode):
    return detected.stamp <= episode.end + LATE * 1e9 and detected.last >= episode.begin


def _belongs(detected: DetectedContact, episode: Episode):
    return episode.begin <= detected.stamp <= episode.end + LATE * 1e9


def _free(run: ContactLog, stamps: np.ndarray, episodes: Sequence[Episode], after: float):
    """Return which stamps (k) lie in the run, and apart from all contacts."""
    free = stamps <= run.end
    for episode in episodes:
        free &= (stamps < episode.begin) | (stamps > episode.end + after * 1e9)
    return free


def _contact_free(run: ContactLog, samples: Samples, episodes: Sequence[Episode]):
    """Return the largest force (g) estimated while nothing touched, and the threshold (g)."""
    stamps = samples.stamps
    force, threshold = samples.columns(stamps)
    free = _free(run, stamps, episodes, AFTERMATH)
    return {'largest': np.abs(force[free]).max(axis=0, initial=0.0).tolist(),
            'threshold': threshold[-1].tolist()}


def _accelerations(run: ContactLog, episodes: Sequence[Episode]):
    """Return error of the estimated accelerations while nothing touches, by degree of freedom.

    nrmse: root mean square over the range of the truth; snr: power of the truth over the error's
    [dB].
    """
    common = np.intersect1d(run.truth.stamps, run.estimate.stamps)
    common = common[_free(run, common, episodes, AFTERMATH)]
    if not common.size:
        return {}
    truth, estimate = run.truth.columns(common)[2], run.estimate.columns(common)[2]
    error = np.sqrt(np.mean((estimate - truth) ** 2, axis=0))
    power = np.sqrt(np.mean(truth ** 2, axis=0))
    with np.errstate(divide='ignore', invalid='ignore'):
        return {name: {'rmse': float(error[k]), 'nrmse': float(error[k] / np.ptp(truth[:, k])),
                       'snr': float(20.0 * np.log10(power[k] / error[k]))}
                for k, name in enumerate(run.layout.independent)}
