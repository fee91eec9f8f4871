"""Places of joints and links as viewers draw them."""

import numpy as np
import pytest

from mb_bringup.skeleton import Skeleton
from mb_model import load_mechanism


def test_links_of_the_four_bar_have_their_lengths():
    mechanism = load_mechanism('four_bar')
    skeleton = Skeleton(mechanism)
    for z in (0.3, 2.0, -4.0):
        segments = skeleton.segments(mechanism.assemble([z]))
        lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
        assert lengths == pytest.approx([2.0, 8.0, 5.0])
        assert [10.0, 0.0] in skeleton.joints(mechanism.q0).tolist()


PLATE = """
name: plate
points:
  A: {fixed: [0.0, 0.0]}
  P: {start: [8.0, 0.0]}
  Q: {start: [4.0, 3.0]}
bodies:
  plate:
    points: {A: [0.0, 0.0], P: [8.0, 0.0], Q: [4.0, 3.0]}
    mass: 8.0
    centre_of_gravity: [4.0, 1.0]
    inertia: 40.0
coordinates:
  theta: {kind: angle, body: plate}
independent: [theta]
"""


def test_plate_is_drawn_as_its_outline(tmp_path):
    (tmp_path / 'plate.yaml').write_text(PLATE)
    mechanism = load_mechanism(str(tmp_path / 'plate.yaml'))
    segments = Skeleton(mechanism).segments(mechanism.q0)
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    assert sorted(lengths) == pytest.approx([5.0, 5.0, 8.0])
