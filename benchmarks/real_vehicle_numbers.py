"""Tyres of the real racing car, by `fit` to readings or by least squares of forces.

Both take recordings with a known sideslip angle.  A fit begins at the published stiffnesses and at
what axles carry.
"""

from functools import partial

import numpy as np
from scipy.optimize import least_squares
from scipy.signal import butter, sosfiltfilt

from benchmarks.cases import shipped
from mb_estimators import FitSettings, ReadingSettings, Recording, fit_readings
from mb_model import load_mechanism
from mb_sensors import NANOSECONDS, sensors_of

NAME, TRUE = 'racing_car', 'sideslip'
COLUMNS = ('yawRate', 'axCG', 'ayCG', 'vx')         # of the channels but those that steer
READ = (*COLUMNS, 'delta', 'beta_true')             # of the channels in a fit
FRONT, REAR, MASS, GRAVITY = 1.33, 1.07, 982.0, 9.81
INERTIA = MASS / 12.0 * (1.7 ** 2 + 4.09 ** 2)
PUBLISHED = {'front_stiffness': 0.7e5, 'front_grip': MASS * GRAVITY * REAR / (FRONT + REAR),
             'rear_stiffness': 1.2e5, 'rear_grip': MASS * GRAVITY * FRONT / (FRONT + REAR)}
SETTINGS = ReadingSettings(initial_variance=100.0)  # a part begins 13 m/s off the file's start
STEP, CUTOFF = 0.01, 4.0                # s, Hz: of least squares
SIGMA = 300.0                           # N
SCALE = np.array([1e5, 4e3, 1e5, 6e3, 1e-3, 1e-3])


def identified(parts):
    """Return the numbers of the tyres that readings of parts of recordings say, by name."""
    car = load_mechanism(NAME).replace(parameters=PUBLISHED)
    sensors = sensors_of(car, [*shipped(NAME)['sensors'], TRUE])
    recordings = [Recording(stamps(part), np.column_stack([part[name] for name in READ]))
                  for part in parts]
    found = fit_readings(
        car, sensors, recordings, shipped(NAME)['dt'], ('*',),
        dict.fromkeys(PUBLISHED, FitSettings().prior_deviation), SETTINGS, held_out=0.0)
    return {name: found.values[name] for name in PUBLISHED}


def stamps(part):
    """Return the stamps of a part (k) [ns]."""
    return np.round(part['t'] * NANOSECONDS).astype(np.int64)


def regression(parts):
    """Return the numbers of the tyres by least squares of forces in parts of recordings."""
    samples = [np.concatenate(column) for column in zip(*map(_samples, parts), strict=True)]
    start = np.array([0.78, 1.07, 1.27, 0.99, 0.0, 0.0])
    solved = least_squares(partial(_residuals, samples), start, diff_step=1e-4)
    return dict(zip(PUBLISHED, (solved.x * SCALE)[:4].tolist(), strict=True))


def _samples(part):
    """Return slips at both axles without offsets, forces of both, and steps of the offset (k)."""
    low_pass = butter(3, 2.0 * CUTOFF * STEP, output='sos')
    vx, vy, rate, steer = (sosfiltfilt(low_pass, part[name])
                           for name in ('vx', 'vy', 'yawRate', 'delta'))
    lateral, yaw = np.gradient(vy, STEP) + vx * rate, np.gradient(rate, STEP)
    length, used = FRONT + REAR, slice(20, -20, 5)
    return [column[used] for column in (
        steer - (vy + FRONT * rate) / vx, -(vy - REAR * rate) / vx,
        (MASS * lateral * REAR + INERTIA * yaw) / length,
        (MASS * lateral * FRONT - INERTIA * yaw) / length)]


def _force(stiffness, largest, s):
    """Return Fiala's force at tangents s of slip angles."""
    share = np.minimum(stiffness * abs(s) / (3.0 * largest), 1.0)
    return 3.0 * largest * share * (1.0 - share + share ** 2 / 3.0) * np.sign(s)


def _residuals(samples, scaled):
    front, rear, front_force, rear_force = samples
    c_front, l_front, c_rear, l_rear, steer_zero, turned = scaled * SCALE
    return np.concatenate([
        _force(c_front, l_front, np.tan(front + steer_zero - turned)) - front_force,
        _force(c_rear, l_rear, np.tan(rear - turned)) - rear_force]) / SIGMA
