"""Volumes and inertias of solids against sums over a fine grid of points."""

import numpy as np
import pytest

from mb_import.solids import centre_of, combined, solid, unit_inertia, volume_of
from mb_model.space_api import Pose, rotation

INSIDE = {
    'box': ((0.6, 0.4, 1.0), lambda x, y, z: (abs(x) < 0.3) & (abs(y) < 0.2) & (abs(z) < 0.5)),
    'ellipsoid': ((0.6, 0.4, 0.8), lambda x, y, z: (x / 0.6) ** 2 + (y / 0.4) ** 2
                  + (z / 0.8) ** 2 < 1),
    'sphere': ((0.7,), lambda x, y, z: x * x + y * y + z * z < 0.49),
    'cylinder': ((0.5, 1.2), lambda x, y, z: (x * x + y * y < 0.25) & (abs(z) < 0.6)),
    'capsule': ((0.4, 0.8), lambda x, y, z: x * x + y * y + np.maximum(abs(z) - 0.4, 0.0) ** 2
                < 0.16),
    'cone': ((0.6, 1.2), lambda x, y, z: (abs(z) < 0.6) & (np.hypot(x, y) < 0.5 * (0.6 - z)))}


@pytest.mark.parametrize('kind', INSIDE)
def test_solids_have_the_inertia_of_their_points(kind):
    size, inside = INSIDE[kind]
    line = (np.arange(200) + 0.5) / 100.0 - 1.0
    grid = np.stack(np.meshgrid(line, line, line, indexing='ij'), -1).reshape(-1, 3)
    points = grid[inside(*grid.T)]
    assert volume_of(kind, size) == pytest.approx(len(points) * 1e-6, rel=3e-3)
    centre = points.mean(0)
    assert centre_of(kind, size) == pytest.approx(centre, abs=3e-3)
    squares = ((points - centre) ** 2).mean(0)
    assert unit_inertia(kind, size) == pytest.approx(squares.sum() - squares, rel=5e-3)


def test_parts_are_one_body():
    """Two halves of a bar of 2 kg along a turned axis."""
    turn = rotation([0.3, -0.5, 0.8])
    halves = [solid('box', (0.5, 0.1, 0.2), 100.0, Pose(turn @ [side, 0.0, 0.0], turn))
              for side in (-0.25, 0.25)]
    whole, bar = combined(halves), solid('box', (1.0, 0.1, 0.2), 100.0, Pose(np.zeros(3), turn))
    assert whole.mass == pytest.approx(2.0)
    assert whole.centre == pytest.approx(np.zeros(3), abs=1e-15)
    assert whole.inertia == pytest.approx(bar.inertia)
    assert combined([]) is None
