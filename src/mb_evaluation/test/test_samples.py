"""Rows by their stamps: how many of a stream are missing."""

from hypothesis import given, strategies as st

from mb_evaluation.run_log.samples import Samples

COUNT, PERIOD = 100, 5_000_000


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
