"""The mechanisms that come with mb_model, by their dimension."""

from mb_model import load_mechanism, mechanism_names


def planar_names():
    """Return the names of those in the plane."""
    return [name for name in mechanism_names() if load_mechanism(name).dimension == 2]
