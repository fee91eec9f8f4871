"""Points of motion capture without labels, on motions whose labels are known."""

from captured_points import DT, FOUR_BAR, MARKERS, captured
import numpy as np
import pytest

from mb_estimators import FilterError, MarkerAssociation, correct_by_points, make_filter
from mb_sensors import sensors_of


def make(kind='error_ekf_fe', **settings):
    model = FOUR_BAR.replace(gravity=[0.0, -9.31])
    filter_ = make_filter(kind, model, list(MARKERS), DT, **settings)
    return filter_, MarkerAssociation(model, filter_.sensors)


@pytest.mark.parametrize(('lost', 'clutter'), [(0.0, 0), (0.3, 4)])
def test_labels_are_found_and_nothing_is_lost_by_their_lack(lost, clutter):
    """A filter that knows the labels has the same estimates, where all markers are found."""
    (filter_, association), (knows, _) = make(), make()
    wrong = found = 0
    for k, (row, points, labels) in enumerate(captured(1, lost=lost, clutter=clutter)):
        for each in (filter_, knows):
            if k > 0:
                each.predict(DT)
        result = correct_by_points(filter_, association, points)
        knows.correct(row)
        wrong += sum(ours != true and ours != '' and ours not in result.ambiguous
                     for ours, true in zip(result.labels, labels, strict=True))
        found += sum(label != '' for label in result.labels)
    assert wrong == 0
    assert found > 0.97 * (1.0 - lost) * 303 * (0.9 if lost else 1.0)
    np.testing.assert_allclose(filter_.estimate.z, knows.estimate.z, atol=1e-3)


def test_neighbours_within_the_noise_are_ambiguous_and_not_read():
    """Two markers 4 mm apart, each 3 mm uncertain; the third one is read all the same."""
    near = FOUR_BAR.replace(sensors={'middle': {'point': {'body': 'coupler', 'at': [0.004, 0.0]}}})
    filter_ = make_filter('error_ekf_fe', near, list(MARKERS), DT)
    association = MarkerAssociation(near, filter_.sensors)
    elbow, wrist = near.q0[:2], near.q0[2:4]
    result = association.associate(filter_.estimate, [wrist, elbow + 1e-3, elbow + 2e-3])
    assert set(result.ambiguous) == {'elbow', 'middle'}
    assert result.labels[0] == 'wrist'
    np.testing.assert_array_equal(np.isnan(result.readings), [True, True, False, False, True, True])


def test_points_far_from_all_markers_have_no_label():
    filter_, association = make()
    result = association.associate(filter_.estimate, [[50.0, 50.0], [np.nan, 0.0]])
    assert result.labels == ('', '')
    assert set(result.missing) == set(MARKERS)
    assert np.isnan(result.readings).all()


def test_distances_are_of_the_innovation():
    """The squared distance of a single marker's point is the NIS of the filter for it."""
    filter_, association = make()
    filter_.predict(DT)
    row = next(captured(3))[0]
    squares = association._squares(['wrist'], filter_.estimate, row[2:4][np.newaxis])
    row[[0, 1, 4, 5]] = np.nan
    assert filter_.correct(row).nis == pytest.approx(squares[0, 0], rel=1e-9)


def test_what_cannot_be_is_refused():
    with pytest.raises(FilterError, match='no sensor of the kind position'):
        MarkerAssociation(FOUR_BAR, sensors_of(FOUR_BAR, ['crank_encoder']))
    half = FOUR_BAR.replace(sensors={'elbow': {'axes': ['x']}})
    with pytest.raises(FilterError, match='elbow: a marker without a label needs all axes'):
        MarkerAssociation(half, sensors_of(half, ['elbow']))
