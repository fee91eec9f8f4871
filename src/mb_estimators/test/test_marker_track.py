"""Points without labels alone: every one gets its label, whatever happens to the stream."""

from captured_points import DT, FOUR_BAR, MARKERS, STEWART, captured
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_estimators.marker_track import MarkerTrack, MarkerTrackSettings
from mb_sensors import sensors_of

STEP = round(DT * 1e9)
def track(mechanism=FOUR_BAR, names=tuple(MARKERS), report=lambda words: None, **settings):
    return MarkerTrack(mechanism, sensors_of(mechanism, names), 1.0 / DT,
                       MarkerTrackSettings(**settings), report)


def wrong_labels(associations, true):
    """Return how many points have a label that is not theirs, and how many have theirs."""
    pairs = [(ours, label) for (stamp, one) in associations
             for ours, label in zip(one.labels, true[stamp], strict=True)]
    return (sum(ours not in ('', label) for ours, label in pairs),
            sum(ours == label != '' for ours, label in pairs))


@pytest.mark.parametrize('estimator', ['kinematic_kf', 'error_ekf_fe'])
@pytest.mark.parametrize(('mechanism', 'markers'), [
    (FOUR_BAR, tuple(MARKERS)), (STEWART, ('corner0', 'corner1', 'corner2'))],
    ids=['plane', 'space'])
def test_points_get_their_labels(estimator, mechanism, markers):
    """Of which a third of the markers are lost, among four points that are none's."""
    followed, true, found = track(mechanism, markers, estimator=estimator), {}, []
    for k, (_, points, labels) in enumerate(
            captured(2, lost=0.3, clutter=4, mechanism=mechanism, markers=markers)):
        true[k * STEP] = labels
        found += followed.add(k * STEP, points)
    wrong, right = wrong_labels(found, true)
    there = sum(label != '' for labels in true.values() for label in labels)
    assert wrong <= 0.005 * there
    assert right > 0.9 * there


@settings(max_examples=20)
@given(faults=st.lists(
    st.sampled_from(['fine', 'twice', 'old', 'far', 'nan', 'inf', '1e300', 'none']),
    min_size=10, max_size=30))
def test_faults_of_the_stream_cost_no_label(faults):
    """Repeated, old or far stamps, points that are none, empty sets: no label is ever wrong."""
    followed, true, found = track(), {}, []
    sets = list(captured(4, steps=30))
    for k, fault in enumerate(faults):
        _, points, labels = sets[k]
        stamp = k * STEP
        if fault in ('nan', 'inf', '1e300'):
            points = np.full((3, 2), float(fault))
            labels = 3 * ['']
        elif fault == 'none':
            points, labels = np.empty((0, 2)), []
        true[stamp] = labels
        found += followed.add(stamp, points)
        if fault == 'twice':
            found += followed.add(stamp, points)
        elif fault == 'old':
            found += followed.add(stamp - STEP // 2 - 3 * STEP, points)
        elif fault == 'far':
            assert followed.add(stamp + 10 ** 12, points) == []
    wrong, right = wrong_labels(found, true)
    assert wrong == 0
    assert len({stamp for stamp, _ in found}) == len(found)
    assert right >= 0.95 * sum(label != '' for labels in true.values() for label in labels)


def test_it_starts_again_where_nothing_is_a_marker_or_time_begins_anew():
    """As when a recording is played again."""
    said = []
    followed = track(report=said.append, lost_after=0.1)
    sets = list(captured(5, steps=40))
    for k, (_, points, _) in enumerate(sets):
        followed.add(k * STEP, points + 50.0)
    assert followed.counts['labelled'] == 0
    assert followed.counts['starts again'] >= 1
    assert 'none of the points has been a marker' in said[0]
    followed.reset()
    for _ in range(2):
        before, again = followed.counts['labelled'], followed.counts['starts again']
        for k, (_, points, _) in enumerate(sets):
            followed.add(k * STEP, points)
    assert followed.counts['labelled'] - before > 0.9 * 3 * len(sets)
    assert followed.counts['starts again'] == again + 1
    assert 'stamps have jumped' in said[-1]
