"""Whether forces count as a contact: thresholds with hysteresis."""

from mb_model.jit import kernel


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
