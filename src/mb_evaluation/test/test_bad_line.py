"""Readings on a line that is bad on purpose: which of them are lost."""

import inspect

from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from hypothesis import given, strategies as st

from mb_estimators.nodes import estimator_health
from mb_evaluation.run_log.bad_line import LEFT_OUT, BadLine

COUNTS = st.integers(0, 10_000)


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
    line, came = BadLine(), max(0, due - before)
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
