"""The record of the contact detector, beside external_force's records, and what it decides.

Methods are in the order of settings.METHODS.  Errors are possible errors of the model: the
inertia of each body, in the plane or in space, then each of its forces; their number is e.
"""

from typing import Any

from mb_model.jit import INTEGER, REAL, RecordType, kernel
from mb_model.record import BODIES, ELEMENTS, FORCES, SOLIDS, G, N

METHOD_COUNT = 2
_BODIES = BODIES + SOLIDS
_ERRORS = _BODIES + FORCES + ELEMENTS

DETECTOR = RecordType(
    'mb_contact.detection.kernels.detector_record.DETECTOR', settings=[
    ('runs', INTEGER, (METHOD_COUNT,)),
    ('threshold', REAL, (METHOD_COUNT, G)),            # [N or N m]
    ('largest_deviation', REAL), ('release', REAL),    # shares of the threshold
    ('holding_time', INTEGER), ('longest_gap', INTEGER),  # [ns]
    ('settling_time', INTEGER), ('rest_time', INTEGER),   # [ns]
    ('rest_velocity', REAL), ('kept_share', REAL),     # [m/s or rad/s]; of the largest force
    ('body_deviation', REAL), ('force_deviation', REAL),  # as shares
    ('torque_deviation', REAL),                        # [N or N m]
    # mass matrix of each body's two points, in space of its origin and axes
    ('inertia', REAL, (_BODIES, 4, 4)),
], stream=[
    ('started', INTEGER),
    ('stamp', INTEGER),                                # the newest [ns]
    ('usable', INTEGER),                               # of the newest usable state [ns]
    ('begun', INTEGER),                                # of the first since the last gap [ns]
], rest=[     # see kernels.rest
    ('moving', INTEGER),                               # whether a degree of freedom is
    ('standing', INTEGER),                             # whether none was since a contact began
    ('steady_states', INTEGER), ('steady_since', INTEGER),   # their number, stamp [ns]
    ('mean', REAL, (METHOD_COUNT, G)),                 # of the force in them [N or N m]
    ('largest', REAL, (METHOD_COUNT, G)),              # of a contact, beyond what is kept
    ('kept', REAL, (METHOD_COUNT, G)),                 # by static friction
], uncertainty=[     # of the forces
    ('age', INTEGER),                                  # of the derivatives by z and zd
    ('by_state', REAL, (G, 3 * G)),                    # of the direct force, by z, zd, zdd
    ('by_error', REAL, (_ERRORS, G)),                  # of the direct force, by each error
    ('lagged', REAL, (_ERRORS, G)),                    # the same of the observer's
    ('load', REAL, (N,)),                              # scratch
    ('shares', REAL, (G,)),                            # that the observer follows in a step
    ('product', REAL, (G, 3 * G)), ('lift', REAL, (4, 3)),
], results=[
    ('estimated', INTEGER, (METHOD_COUNT,)),           # whether this instant gave the force,
    ('seen', INTEGER, (METHOD_COUNT,)),                # stamp of the newest that did [ns]
    ('force', REAL, (METHOD_COUNT, G)),                # [N or N m]
    ('known', INTEGER, (METHOD_COUNT,)),               # whether its covariance is
    ('covariance', REAL, (METHOD_COUNT, G, G)),
    ('exceeds', INTEGER, (METHOD_COUNT,)),
    ('calm', INTEGER),                                 # whether all forces are below release
    ('loud', INTEGER),                                 # stamp at which they were not [ns]
    ('detected', INTEGER),
    ('since', INTEGER),                                # stamp [ns]
    ('first', INTEGER),                                # method that detected it
])


JUDGED = 0
SETTLING = 1
UNCERTAIN = 2
STARTING = 3
LATE = 4
NOT_FINITE = 5
NO_POSITION = 6


def reasons(settings: Any, turns: bool = False) -> dict[int, str]:
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

    Each by its last estimated force, within the longest gap before a stamp [ns], beyond what static
    friction keeps.
    """
    detector.calm = 1
    for method in range(detector.runs.size):
        detector.exceeds[method] = 0
        if detector.runs[method] and stamp - detector.seen[method] <= detector.longest_gap:
            for k in range(g):
                force = detector.force[method, k] - detector.kept[method, k]
                size = abs(force) / detector.threshold[method, k]
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
