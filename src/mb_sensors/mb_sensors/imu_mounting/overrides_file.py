"""A fitted mounting as a mechanism file that extends the one it was fitted with."""

import numpy as np

from mb_model.file_api import overrides_text

_DIGITS = 6


def mounting_overrides(fit, accelerometer):
    """Return a MountingFit as overrides of a mechanism, for Mechanism.replace."""
    return {'sensors': {accelerometer: {
        'at': [float(f'{value:.{_DIGITS}g}') for value in fit.place],
        'orientation': float(f'{fit.orientation:.{_DIGITS}g}')}}}


def mounting_text(fit, accelerometer, extends, comments=()):
    """Return a mechanism file with the mounting of a MountingFit.

    extends: name or absolute path of the mechanism; comments: lines at the top.
    """
    deviations = np.sqrt(np.diagonal(fit.covariance))
    x_y, x_turn, y_turn = (fit.covariance[i, j] / (deviations[i] * deviations[j])
                           for i, j in ((0, 1), (0, 2), (1, 2)))
    text = [f'{accelerometer}, 1 sigma: at {deviations[0]:.2g}, {deviations[1]:.2g} m, orientation '
            f'{deviations[2]:.2g} rad; correlations {x_y:.2f} (x, y), {x_turn:.2f} (x, '
            f'orientation), {y_turn:.2f} (y, orientation)',
            f'delay {fit.delay:.4g} s, 1 sigma {fit.delay_deviation:.2g}; biases: '
            + ', '.join(f'{name} {bias:.3g}' for name, bias in fit.biases.items())]
    return overrides_text(extends, mounting_overrides(fit, accelerometer),
                          (*comments, *text))
