"""Weights of graphs that simulate: laws that must hold, and soft ones."""

import gtsam
import numpy as np

# GTSAM's own constraints eliminate by the first coefficient that is not zero, however small: near
# level bars they lose eight digits.  A soft law of this share of the least deviation does not.
_CERTAIN = 1e-3


def certain(deviations):
    """Return the standard deviation of laws that must hold beside rows with others, the soft."""
    return _CERTAIN * deviations[deviations > 0.0].min()


def law(deviations):
    """Return the noise model of rows with standard deviations; 0: the row must vanish."""
    return gtsam.noiseModel.Diagonal.Sigmas(
        np.where(deviations == 0.0, certain(deviations), deviations))
