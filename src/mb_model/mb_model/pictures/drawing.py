"""A mechanism drawn into an image file."""

from mb_model.pictures.plane.drawing import draw_plane
from mb_model.pictures.space.drawing import draw_space


def draw(mechanism, q, file):
    """Draw a mechanism at q (n), its bodies and points named, into an image file."""
    (draw_space if mechanism.dimension == 3 else draw_plane)(mechanism, q, file)
