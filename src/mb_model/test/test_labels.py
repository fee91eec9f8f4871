"""Names in pictures."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_model.pictures.parts.labels import along, beside, placed

PLACE = st.tuples(st.floats(0.0, 400.0), st.floats(0.0, 300.0))


@settings(deadline=None)
@given(st.dictionaries(st.text('abc', min_size=1, max_size=8), PLACE, max_size=12))
def test_no_name_lies_over_another_one_or_a_joint(points):
    found = placed({name: beside(name, place) for name, place in points.items()}, points.values())
    boxes = [(*at, 5.6 * len(name), 12.0) for name, at in found.items()]
    boxes += [(*at, 4.0, 4.0) for at in points.values()]
    for k, (x, y, w, h) in enumerate(boxes[:len(found)]):
        for u, v, a, b in boxes[k + 1:]:
            assert abs(x - u) >= 0.5 * (w + a) or abs(y - v) >= 0.5 * (h + b)


@pytest.mark.parametrize('corners', [[(0, 0), (80, 10)], [(0, 0), (80, 10), (30, 70)]])
def test_a_name_with_room_stands_at_its_best_place(corners):
    corners = [np.array(corner, dtype=float) for corner in corners]
    found = placed({'body': along(corners), 'P': beside('P', (300.0, 0.0))})
    np.testing.assert_allclose(found['body'], np.mean(corners, axis=0))
    assert np.hypot(found['P'][0] - 300.0, found['P'][1]) < 20.0
