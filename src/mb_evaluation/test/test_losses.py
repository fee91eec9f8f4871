"""What is lost of a run: rows of a stream, readings on a line that is bad on purpose."""

import inspect

from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from hypothesis import given, strategies as st
import pytest

from mb_estimators.nodes import estimator_health
from mb_evaluation.run_log.diagnostics import LEFT_OUT, BadLine, Complaints
from mb_evaluation.run_log.samples import Samples

COUNTS = st.integers(0, 10_000)
COUNT, PERIOD = 100, 5_000_000


def status_of(node, **values):
    return DiagnosticStatus(name=node, values=[
        KeyValue(key=key.replace('_', ' '), value=str(value)) for key, value in values.items()])


def test_it_knows_how_the_estimator_says_that_readings_are_missing():
    assert f"'{LEFT_OUT}'" in inspect.getsource(estimator_health)


@given(due=COUNTS, before=COUNTS, dropped=COUNTS, doubled=COUNTS, refused=COUNTS, after=COUNTS,
       used=COUNTS)
def test_what_is_dropped_on_purpose_is_not_lost(due, before, dropped, doubled, refused, after,
                                                used):
    """before, after: readings that are lost on the way to the disturber, and from it."""
    line, came = BadLine({'encoder': 1}), max(0, due - before)
    passed = max(0, came - dropped) + doubled
    arrived = max(0, passed - refused - after)
    used = min(used, arrived)
    line.note(status_of('/disturber', encoder_received=came, encoder_passed_on=passed,
                        refused_by_the_middleware=min(refused, passed), encoder_rate='10 Hz'))
    line.note(status_of('/someone', encoder_received=7))
    line.note(status_of('/estimator', readings_used=used, readings_rejected=arrived - used,
                        readings_late=0, readings_missing=13, consistency='consistent'))
    lost_after = passed - min(refused, passed) - arrived
    assert line.readings_lost(due) == due - came + lost_after


@pytest.mark.parametrize(('came', 'lost'), [(100, 0), (97, 9)])
def test_a_message_of_several_readings_is_as_many(came, lost):
    """Three encoders in one message; what motors read goes over the line, too, to others."""
    line = BadLine({'encoders': 3, 'imu': 2})
    line.note(status_of('/disturber', encoders_received=came, encoders_passed_on=came,
                        imu_received=100, imu_passed_on=100, motors_received=500,
                        motors_passed_on=500, refused_by_the_middleware=0))
    line.note(status_of('/estimator', readings_used=3 * came + 200, readings_rejected=0,
                        readings_late=0))
    assert line.readings_lost(500) == lost


@given(lost=st.sets(st.integers(1, COUNT - 2), max_size=30),
       extra=st.dictionaries(st.integers(0, COUNT - 2), st.integers(1, PERIOD - 1), max_size=3))
def test_what_is_lost_is_counted_whatever_comes_in_between(lost, extra):
    """Nodes that begin anew, after a crash say, publish their first row at once."""
    samples = Samples(1)
    there = set(range(COUNT)) - lost
    for k in there:
        samples.add(k * PERIOD, [1.0])
        if {k, k + 1} <= there and k in extra:
            samples.add(k * PERIOD + extra[k], [1.0])
    assert samples.missing() == len(lost)


@pytest.mark.parametrize(('reports', 'left'), [
    ([(0, 'STALE'), (260, 'OK')], []),
    ([(0, 'STALE'), (1500, 'OK')], [(0, 1500)]),
    ([(0, 'STALE')], [(0, None)]),
    ([(0, 'OK'), (300, 'STALE'), (500, 'OK')], [(300, 500)]),
    ([(0, 'STALE'), (200, 'WARN'), (400, 'OK')], [(200, 400)])])
def test_a_node_that_waits_for_its_first_message_does_not_complain(reports, left):
    """Unless it waits for longer than a second."""
    complaints = Complaints()
    for milliseconds, level in reports:
        complaints.add(milliseconds * 10 ** 6, '/estimator', level, level)
    assert [(one.begin // 10 ** 6, one.end and one.end // 10 ** 6) for one in complaints] == left
