"""A fitted mounting as a mechanism file that extends the one it was fitted with."""

import numpy as np

from mb_model.file_api import overrides_text

_DIGITS = 6


def mounting_overrides(fit, sensors):
    """Return a MountingFit of an IMU's Sensors as overrides, for Mechanism.replace."""
    place = _rounded(fit.place)
    if len(place) == 2:
        turn = {'orientation': _rounded([fit.orientation])[0]}
        return {'sensors': {_accelerometer(sensors): {'at': place, **turn}}}
    turn = {'rpy': _rounded(fit.orientation)}
    return {'sensors': {sensor.name: {'at': place, **turn} for sensor in sensors}}


def mounting_text(fit, sensors, extends, comments=()):
    """Return a mechanism file with the mounting of a MountingFit of an IMU's Sensors.

    extends: name or absolute path of the mechanism; comments: lines at the top.
    """
    deviations = np.sqrt(np.diagonal(fit.covariance))
    count = len(fit.place)
    names = ['x', 'y', 'orientation'] if count == 2 else ['x', 'y', 'z', 'roll', 'pitch', 'yaw']
    sizes = np.where(deviations > 0.0, deviations, 1.0)     # 0: of a place that is known
    correlations = fit.covariance / np.outer(sizes, sizes)
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    text = [f'{_accelerometer(sensors)}, 1 sigma: at '
            + ', '.join(f'{value:.2g}' for value in deviations[:count]) + ' m, orientation '
            + ', '.join(f'{value:.2g}' for value in deviations[count:]) + ' rad',
            'correlations ' + ', '.join(f'{correlations[i, j]:.2f} ({names[i]}, {names[j]})'
                                        for i, j in pairs),
            f'delay {fit.delay:.4g} s, 1 sigma {fit.delay_deviation:.2g}; biases: '
            + ', '.join(f'{name} {bias:.3g}' for name, bias in fit.biases.items())]
    return overrides_text(extends, mounting_overrides(fit, sensors), (*comments, *text))


def _rounded(values):
    return [float(f'{value:.{_DIGITS}g}') for value in values]


def _accelerometer(sensors):
    return next(sensor.name for sensor in sensors if sensor.kind == 'accelerometer')
