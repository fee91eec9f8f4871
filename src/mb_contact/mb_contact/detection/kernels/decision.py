"""Whether forces count as a contact: thresholds with hysteresis, and why states are left out."""

from mb_model.jit import kernel

JUDGED = 0
SETTLING = 1
UNCERTAIN = 2
STARTING = 3
LATE = 4
NOT_FINITE = 5
NO_POSITION = 6


def reasons(settings, turns=False):
    """Return {status: why a state did not give all forces, '' if it did}.

    turns: whether orientations are degrees of freedom.
    """
    return {
        JUDGED: '',
        SETTLING: f'less than {settings.settling_time:g} s after the first state, or after '
                  'the first one after a gap (settling_time)',
        UNCERTAIN: 'the state is too uncertain for a method: its force deviates by more than '
                   f'{settings.largest_deviation:g} of a threshold (largest_deviation)',
        STARTING: 'the first state, or the first after a gap of more than '
                  f'{settings.longest_gap:g} s',
        LATE: 'the stamp is not after the last one',
        NOT_FINITE: 'the state, its covariance or a torque is not usable',
        NO_POSITION: 'no position of the mechanism fits the state (orientations are in q: their '
                     'z is 0)' if turns else 'no position of the mechanism fits the state',
    }


@kernel
def compare(detector, g, stamp):
    """Write exceeds of the methods that run, and calm: whether all are below the release.

    Each by its last estimated force, within the longest gap before a stamp [ns].
    """
    detector.calm = 1
    for method in range(detector.runs.size):
        detector.exceeds[method] = 0
        if detector.runs[method] and stamp - detector.seen[method] <= detector.longest_gap:
            for k in range(g):
                size = abs(detector.force[method, k]) / detector.threshold[method, k]
                if size > 1.0:
                    detector.exceeds[method] = 1
                if size >= detector.release:
                    detector.calm = 0


@kernel
def decide(detector, g, stamp):
    """Write detected, since and first, as of a stamp [ns]."""
    compare(detector, g, stamp)
    if detector.calm == 0:
        detector.loud = max(detector.loud, stamp)
    for method in range(detector.runs.size):
        if detector.exceeds[method] and not detector.detected:
            detector.detected, detector.since, detector.first = 1, stamp, method
    if detector.detected and detector.calm and stamp - detector.loud >= detector.holding_time:
        release(detector)


@kernel
def release(detector):
    """End a contact."""
    detector.detected = detector.since = detector.first = 0
