"""A fitted mounting: as a mechanism file that extends the one of before, and as a picture."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.interpolate import CubicSpline

from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_model.file_api import overrides_text
from mb_sensors.imu_mounting.fit import MountingFit
from mb_sensors.readings import true_values
from mb_sensors.recorded_motion import RecordedMotion
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.selection import sensors_of
from mb_sensors.sensor import Sensor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DIGITS = 6


def mounting_overrides(fit: MountingFit, sensors: Sequence[Sensor]) -> dict[str, Any]:
    """Return a MountingFit of an IMU's Sensors as overrides, for Mechanism.replace."""
    offset, turned = _rounded(fit.offset), _rounded(np.atleast_1d(fit.orientation))
    if len(offset) == 2:
        return {'sensors': {_accelerometer(sensors): {'at': offset, 'orientation': turned[0]}}}
    return {'sensors': {sensor.name: {'at': offset, 'rpy': turned} for sensor in sensors}}


def mounting_text(fit: MountingFit, sensors: Sequence[Sensor], extends: str,
                  comments: Sequence[str] = ()) -> str:
    """Return a mechanism file with the mounting of a MountingFit of an IMU's Sensors.

    extends: name or absolute path of the mechanism; comments: lines at the top.
    """
    deviations = np.sqrt(np.diagonal(fit.covariance))
    count = len(fit.offset)
    names = ['x', 'y', 'orientation'] if count == 2 else ['x', 'y', 'z', 'roll', 'pitch', 'yaw']
    sizes = np.where(deviations > 0.0, deviations, 1.0)     # 0: of a offset that is known
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


def _rounded(values: Iterable[float]) -> list[float]:
    return [float(f'{value:.{_DIGITS}g}') for value in values]


def _accelerometer(sensors: Sequence[Sensor]) -> str:
    return next(sensor.name for sensor in sensors if sensor.kind == 'accelerometer')


_READ, _BEFORE, _AFTER = '0.6', '#e08e0b', '#1b6ca8'
_WIDTH, _ROW = 8.0, 1.6         # of a page and of a channel's panel [inch]


def draw_mounting(file: str | Path, mechanism: Mechanism, sensors: list[Sensor],
                  motion: RecordedMotion, stamps: IntArray, readings: FloatArray,
                  fit: MountingFit) -> None:
    """Write mounting_picture into a file (.png, .pdf, .svg).

    Raises OSError, ValueError for another ending.
    """
    mounting_picture(mechanism, sensors, motion, stamps, readings, fit).savefig(file, dpi=150)


def mounting_picture(mechanism: Mechanism, sensors: list[Sensor], motion: RecordedMotion,
                     stamps: IntArray, readings: FloatArray, fit: MountingFit) -> 'Figure':
    """Return a picture of an IMU's channels over time: Mohammad et al. 2025, Fig. 7.

    mechanism: with the mounting before the fit; motion: of it; stamps (k) [ns], readings (k,
    channels).  Expected readings after the calibration have its biases and its delay.  Legends
    have the root mean squares of what is left.
    """
    from matplotlib.figure import Figure  # imported when it is used: it takes a second
    t = (stamps - motion.stamps[0]) / NANOSECONDS
    known = (motion.stamps - motion.stamps[0]) / NANOSECONDS
    inside = (t >= known[0] + abs(fit.delay)) & (t <= known[-1] - abs(fit.delay))
    t, readings = t[inside], readings[inside]
    names = [sensor.name for sensor in sensors]
    calibrated = mechanism.replace(**mounting_overrides(fit, sensors))
    before = CubicSpline(known, _expected(mechanism, names, motion))(t)
    after = CubicSpline(known, _expected(calibrated, names, motion))(t - fit.delay) + list(
        fit.biases.values())
    channels = [(name, sensor.unit) for sensor in sensors for name in sensor.channels]
    figure = Figure(figsize=(_WIDTH, 0.6 + _ROW * len(channels)), layout='constrained')
    figure.suptitle(f'{", ".join(names)} of {mechanism.name}', fontsize=10.0, x=0.01, ha='left')
    panels = figure.subplots(len(channels), 1, sharex=True, squeeze=False)[:, 0]
    for k, (axes, (name, unit)) in enumerate(zip(panels, channels, strict=True)):
        axes.plot(t, readings[:, k], color=_READ, linewidth=2.2, label='read')
        for what, expected, colour in (('before', before, _BEFORE), ('after', after, _AFTER)):
            left = np.sqrt(np.nanmean((readings[:, k] - expected[:, k]) ** 2))
            axes.plot(t, expected[:, k], color=colour, linewidth=0.9,
                      label=f'{what}, {left:.2g} {unit} left')
        axes.set_ylabel(f'{name}\n[{unit}]', fontsize=8.0)
        axes.grid(alpha=0.25)
        axes.legend(frameon=False, fontsize=8.0, ncols=3, loc='lower right',
                    bbox_to_anchor=(1.0, 0.98), borderaxespad=0.0)
    panels[-1].set_xlabel('time [s]')
    return figure


def _expected(mechanism: Mechanism, names: Sequence[str], motion: RecordedMotion) -> FloatArray:
    """Return what sensors would read at the instants of a RecordedMotion (k, channels)."""
    states = motion.states(mechanism)
    return np.hstack([true_values(mechanism, sensor, *states)
                      for sensor in sensors_of(mechanism, names)])
