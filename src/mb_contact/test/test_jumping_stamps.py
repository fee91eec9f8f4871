"""Stamps that jump into the contact detector: no single one blocks it, or is judged."""

from contact_states import MS, moving, robot
from hypothesis import given, settings, strategies as st
import numpy as np

from mb_contact.detection.contact import DetectionSettings
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.state import State
from mb_contact.detection.stream import ContactStream
from mb_ros.stamp_jump_guard import JUMP

TORQUES = np.array([0.3, -0.2, 0.1])
ROWS = 60
BEGIN = 100_000 * MS        # so that stamps can lie long before, too
GAP = 50 * MS               # of DetectionSettings
WHEN, Z, ZD, ZDD, _ = moving(np.zeros((ROWS, 3)))
# Farther from the others than what is late, or a gap, by more than the whole run takes
LIES = st.one_of(
    st.integers(-2**62, BEGIN - 2000 * MS), st.just(2_145_916_800_000_000_000),     # the year 2038
    st.integers(BEGIN + 2 * JUMP * GAP, 2**62))


def stamped(k):
    return BEGIN + int(WHEN[k])


def messages(lies):
    """Yield what comes, in its order; lies: {(index, whether a state): stamp [ns]}."""
    for k in range(ROWS):
        yield 'add_torques', (stamped(k), TORQUES)
        yield 'add_state', (State(stamped(k), Z[k], ZD[k], ZDD[k], None),)
        if (k, True) in lies:
            yield 'add_state', (State(lies[k, True], Z[k] + 1.0, ZD[k], ZDD[k], None),)
        if (k, False) in lies:
            yield 'add_torques', (lies[k, False], TORQUES + 100.0)


def judged_of(lies):
    stream, judged = ContactStream(ContactDetector(robot(), settings=DetectionSettings())), []
    for name, arguments in messages(lies):
        judged += getattr(stream, name)(*arguments)
    return stream, [(state.stamp, contact.detected, [force.force.tolist() for force in
                                                     contact.forces]) for state, contact in judged]


@settings(deadline=None, max_examples=40)
@given(lies=st.dictionaries(st.tuples(st.integers(1, ROWS - 12).map(lambda k: 3 * (k // 3)),
                                      st.booleans()), LIES, max_size=8))
def test_lies_change_no_judgement_and_are_counted(lies):
    clean, expected = judged_of({})
    stream, found = judged_of(lies)
    assert found == expected
    assert len(found) == ROWS - 1 or len(found) == ROWS
    assert (clean.jumped, stream.jumped) == (0, len(lies))


def test_time_that_begins_anew_is_judged_from_its_first_state():
    """Back by hours: both streams begin anew together."""
    stream, judged = ContactStream(ContactDetector(robot(), settings=DetectionSettings())), []
    for begin in (3600_000 * MS, 0):
        for k in range(ROWS):
            for one in (lambda t, k=k: stream.add_torques(t, TORQUES),
                        lambda t, k=k: stream.add_state(State(t, Z[k], ZD[k], ZDD[k], None))):
                judged += one(begin + int(WHEN[k]))
    second = [state.stamp for state, _ in judged if state.stamp < 3600_000 * MS]
    assert second == [int(when) for when in WHEN][-len(second):]
    assert len(second) >= ROWS - 1
    assert stream.jumped == 0
