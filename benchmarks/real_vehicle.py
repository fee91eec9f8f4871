"""The sideslip angle of a real racing car: errors, intervals and cornering stiffnesses.

A recording is cut into five parts; tyres are identified on four of them, the fifth is judged.  With
a folder to judge, what is shipped judges all recordings there; nothing is fitted then.  The targets
are for the single track; the double track, with the same tyres, is shown beside it.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import least_squares
from scipy.signal import butter, sosfiltfilt

from benchmarks.cases import shipped, shipped_settings
from benchmarks.figures import Figure
from benchmarks.real_data import Recorded, missing, not_judged, readable
from mb_estimators import NORMAL_95, DivergenceError, Recording, make_filter, observe, smooth
from mb_model import load_mechanism
from mb_sensors import NANOSECONDS, sensors_of

PARTS = 5
COLUMNS = ('yawRate', 'axCG', 'ayCG', 'vx')         # of the channels but those that steer
PLACE, MOVING = (1e-6, 1e-6, 1e-6), (1e-2, 0.25, 1e-2)      # variances of the car at the start
STEER, TURNING = 1e-4, 1.0                                  # and of a wheel that steers
GOALS = {'causal': 0.6, 'smoothed': 0.5}                    # deg
SINGLE_TRACK = 0.86                                         # deg, linear Kalman filter, published
STEP, CUTOFF = 0.01, 4.0                # s, Hz: of the fit
FRONT, REAR, MASS = 1.33, 1.07, 982.0
INERTIA = MASS / 12.0 * (1.7 ** 2 + 4.09 ** 2)
SIGMA = 300.0                           # N
SCALE = np.array([1e5, 4e3, 1e5, 6e3, 1e-3, 1e-3])
NAMES = ('front_stiffness', 'front_grip', 'rear_stiffness', 'rear_grip')


def measure(judge=None):
    """Return the figures of all recordings."""
    runs, faults = readable(judge, 'vehicle', needed=(
        't', *COLUMNS, *DOUBLE.steer, *SINGLE.steer, 'beta_true', *(() if judge else ('vy',))))
    if not runs:
        return faults or missing(judge)
    parts = [part for run in runs for part in (_cut(run) if not judge else [run])]
    tyres = [{} if judge else fit([other for other in parts if other is not part])
             for part in parts]
    return [*faults, *_figures(SINGLE, parts, tyres), *_figures(DOUBLE, parts, tyres)]


@dataclass(frozen=True)
class Track:
    """A model of the car: its mechanism and configuration, and the columns of wheels that steer."""

    name: str
    before: str                 # its figures' names
    steer: tuple[str, ...]

    @property
    def columns(self):
        """Columns of the channels, in their order."""
        return COLUMNS + self.steer


SINGLE = Track('racing_car', '', ('delta',))


DOUBLE = Track('double_track_car', 'double track, ', ('deltaFL', 'deltaFR'))


def _figures(track, parts, tyres):
    """Return the figures of one model; tyres: their numbers by name, for each part."""
    figures, squares, held, claimed = [], {}, {}, {}
    for part, numbers in zip(parts, tyres, strict=True):
        car, name = load_mechanism(track.name).replace(parameters=numbers), track.before + part.name
        try:
            causal, smoothed, stiffness, deviation = _estimates(track, part, car)
        except DivergenceError as error:
            figures.append(not_judged(f'{name}: {error}'))
            continue
        for what, (angle, sigma) in (('causal', causal), ('smoothed', smoothed)):
            error = angle - part['beta_true']
            squares.setdefault(what, []).append(error ** 2)
            held.setdefault(what, []).append(abs(error) <= NORMAL_95 * sigma)
            figures.append(_degrees(f'{name}: sideslip angle, {what}', error ** 2))
        for axle, value, sigma in zip(('front', 'rear'), stiffness, deviation, strict=True):
            claimed.setdefault(axle, []).append((value, sigma))
            figures.append(Figure(f'{name}: cornering stiffness, {axle}', value, 'N/rad',
                                  peer='its deviation', peer_value=sigma))
    for what, goal in GOALS.items() if squares else ():
        total = np.concatenate(squares[what])
        targets = (goal, (90.0, 98.0)) if track is SINGLE else (None, None)
        figures.append(_degrees(f'{track.before}all: sideslip angle, {what}', total, targets[0]))
        figures.append(Figure(f'{track.before}all: {what} 95 % intervals hold it',
                              100.0 * np.concatenate(held[what]).mean(), '%', target=targets[1]))
    for axle, values in claimed.items():
        value, _ = np.transpose(values)
        figures.append(Figure(f'{track.before}all: cornering stiffness, {axle}, spread over the '
                              'parts', 100.0 * value.std() / value.mean(), '%'))
    return figures


def _degrees(name, squares, goal=None):
    return Figure(name, np.degrees(np.sqrt(squares.mean())), 'deg', target=goal,
                  peer='linear Kalman filter, published', peer_value=SINGLE_TRACK)


def _cut(run):
    """Return the parts of a recording, named by their number."""
    cuts = np.array_split(np.arange(len(run['t'])), PARTS)
    return [Recorded(f'{run.name}, part {k + 1}',
                     {name: values[cut] for name, values in run.columns.items()})
            for k, cut in enumerate(cuts)]


def _filter(track, car, first):
    """Return a filter of the car whose first readings are given."""
    own = shipped(track.name)
    observer = make_filter(own['estimator'], car, sensors_of(car, own['sensors']), own['dt'],
                           **shipped_settings(track.name))
    (rate, _, _, speed), steer = first[:len(COLUMNS)], first[len(COLUMNS):]
    still = len(steer)
    observer.reset([0.0, 0.0, 0.0, *steer], [speed, 0.0, rate, *np.zeros(still)], np.diag(
        [*PLACE, *[STEER] * still, *MOVING, *[TURNING] * still]))
    return observer


def _estimates(track, part, car):
    """Return sideslip angles and deviations, causal and smoothed, and the last stiffnesses."""
    readings = np.column_stack([part[name] for name in track.columns])
    stamps = np.round(part['t'] * NANOSECONDS).astype(np.int64)
    dt, g = shipped(track.name)['dt'], car.g
    observed = observe(_filter(track, car, readings[0]), stamps.tolist(), readings, dt)
    smoothed = smooth(_filter(track, car, readings[0]), Recording(stamps, readings, None), dt)
    stiffness, deviations = (
        [values[f'{axle}_stiffness'][-1] for axle in ('front', 'rear')]
        for values in (observed.parameters, observed.parameter_deviations))
    return (_sideslip(g, observed.z, observed.zd, observed.covariance),
            _sideslip(g, smoothed.motion.z, smoothed.motion.zd, smoothed.covariance),
            stiffness, deviations)


def _sideslip(g, z, zd, covariance):
    """Return the angle from heading to velocity (k) [rad], and its deviation."""
    angle = np.arctan2(zd[:, 1], zd[:, 0]) - z[:, 2]
    square = zd[:, 0] ** 2 + zd[:, 1] ** 2
    slope = np.zeros((len(z), 2 * g))
    slope[:, 2], slope[:, g], slope[:, g + 1] = -1.0, -zd[:, 1] / square, zd[:, 0] / square
    variance = np.einsum('ki,kij,kj->k', slope, covariance[:, :2 * g, :2 * g], slope)
    return (angle + np.pi) % (2.0 * np.pi) - np.pi, np.sqrt(variance)


def fit(parts):
    """Return the numbers of the tyres by parts of recordings, by their names in the mechanism."""
    samples = [np.concatenate(column) for column in zip(*map(_samples, parts), strict=True)]
    start = np.array([0.78, 1.07, 1.27, 0.99, 0.0, 0.0])
    solved = least_squares(partial(_residuals, samples), start, diff_step=1e-4)
    return dict(zip(NAMES, (solved.x * SCALE)[:4].tolist(), strict=True))


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
