"""What static friction of drives keeps of a push, on a machine that stands: no contact any more.

A push that no drive gives way to is carried by its motor and by friction, and when it ends,
friction keeps a share of it.  On a machine that has stood from the beginning of a contact on, that
ends it: once the forces have fallen below a share of their largest ones, and stay, they are kept,
and count from there until the machine moves.
"""

from mb_contact.detection.kernels.detector_record import release
from mb_model.jit import kernel


@kernel
def forget_rest(detector, g):
    """Let nothing be kept."""
    detector.standing = detector.steady_states = 0
    for method in range(detector.runs.size):
        for k in range(g):
            detector.kept[method, k] = detector.largest[method, k] = 0.0


@kernel
def note_motion(detector, work, g, dt):
    """Before forces are compared, dt [s] after the state before: moving drives keep nothing."""
    detector.moving = 0
    for k in range(g):
        if not abs(work.zd[k]) < detector.rest_velocity:
            detector.moving = 1
    if detector.moving:
        detector.standing = 0
        share = max(0.0, 1.0 - 1e9 * dt / max(1, detector.holding_time))
        for method in range(detector.runs.size):
            for k in range(g):
                detector.kept[method, k] *= share


@kernel
def _note_largest(detector, g):
    """Note the largest forces of a contact; return whether all are a small share of them now."""
    small = True
    for method in range(detector.runs.size):
        for k in range(g):
            size = abs(detector.force[method, k] - detector.kept[method, k])
            detector.largest[method, k] = max(detector.largest[method, k], size)
            least = detector.release * detector.threshold[method, k]
            if detector.runs[method] and size > max(
                    least, detector.kept_share * detector.largest[method, k]):
                small = False
    return small


@kernel
def _is_steady(detector, g):
    """Return whether all forces are within the release of their means; add them to these."""
    steady = detector.steady_states > 0
    for method in range(detector.runs.size):
        for k in range(g):
            if detector.runs[method] and not (
                    abs(detector.force[method, k] - detector.mean[method, k])
                    < detector.release * detector.threshold[method, k]):
                steady = False
    detector.steady_states = detector.steady_states + 1 if steady else 1
    for method in range(detector.runs.size):
        for k in range(g):
            change = detector.force[method, k] - detector.mean[method, k]
            detector.mean[method, k] += change / detector.steady_states
    return steady


@kernel
def settle(detector, g, stamp):
    """After forces have been compared: end a contact of which static friction keeps a share."""
    if not detector.detected:
        detector.standing = 0 if detector.moving else 1
        detector.steady_states = 0
        for method in range(detector.runs.size):
            for k in range(g):
                detector.largest[method, k] = 0.0
        return
    small, steady = _note_largest(detector, g), _is_steady(detector, g)
    if not (small and steady):
        detector.steady_since = stamp
    if detector.standing and stamp - detector.steady_since >= detector.rest_time:
        for method in range(detector.runs.size):
            for k in range(g):
                detector.kept[method, k] = detector.mean[method, k]
        release(detector)
