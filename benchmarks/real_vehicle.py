"""The sideslip angle of a real racing car: errors, intervals and cornering stiffnesses.

A recording is cut into five parts; tyres are fitted to four of them, the fifth is judged.  With
a folder to judge, what is shipped judges all recordings there; nothing is fitted then.  The targets
are for the single track; beside it are the double track, with the same tyres, and the single track
with tyres by least squares.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.cases import shipped, shipped_settings
from benchmarks.figures import Figure
from benchmarks.real_data import Recorded, missing, not_judged, readable
from benchmarks.real_vehicle_numbers import COLUMNS, identified, regression, stamps
from mb_estimators import NORMAL_95, DivergenceError, Recording, make_filter, observe, smooth
from mb_model import load_mechanism
from mb_sensors import sensors_of

PARTS = 5
PLACE, MOVING = (1e-6, 1e-6, 1e-6), (1e-2, 0.25, 1e-2)      # variances of the car at the start
STEER, TURNING = 1e-4, 1.0                                  # and of a wheel that steers
GOALS = {'causal': 0.6, 'smoothed': 0.5}                    # deg
SINGLE_TRACK = 0.86                                         # deg, linear Kalman filter, published


def measure(judge=None):
    """Return the figures of all recordings."""
    runs, faults = readable(judge, 'vehicle', needed=(
        't', *COLUMNS, *DOUBLE.steer, *SINGLE.steer, 'beta_true', *(() if judge else ('vy',))))
    if not runs:
        return faults or missing(judge)
    parts = [part for run in runs for part in (_cut(run) if not judge else [run])]
    if judge:
        tyres, compared = [{}] * len(parts), []
    else:
        rest = [[other for other in parts if other is not part] for part in parts]
        tyres = [*map(identified, rest)]
        compared = _figures(SINGLE, parts, [*map(regression, rest)], 'least squares, ')
    return [*faults, *_figures(SINGLE, parts, tyres), *compared,
            *_figures(DOUBLE, parts, tyres, 'double track, ')]


@dataclass(frozen=True)
class Track:
    """A model of the car: its mechanism and configuration, and the columns of wheels that steer."""

    name: str
    steer: tuple[str, ...]

    @property
    def columns(self):
        """Columns of the channels, in their order."""
        return COLUMNS + self.steer


SINGLE = Track('racing_car', ('delta',))
DOUBLE = Track('double_track_car', ('deltaFL', 'deltaFR'))


def _figures(track, parts, tyres, before=''):
    """Return the figures of one model; tyres: their numbers by name, for each part.

    before: begins names of figures without targets.
    """
    figures, squares, held, claimed = [], {}, {}, {}
    for part, numbers in zip(parts, tyres, strict=True):
        car, name = load_mechanism(track.name).replace(parameters=numbers), before + part.name
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
        targets = (None, None) if before else (goal, (90.0, 98.0))
        figures.append(_degrees(f'{before}all: sideslip angle, {what}', total, targets[0]))
        figures.append(Figure(f'{before}all: {what} 95 % intervals hold it',
                              100.0 * np.concatenate(held[what]).mean(), '%', target=targets[1]))
    for axle, values in claimed.items():
        value, _ = np.transpose(values)
        figures.append(Figure(f'{before}all: cornering stiffness, {axle}, spread over the '
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
    dt, g = shipped(track.name)['dt'], car.g
    observed = observe(_filter(track, car, readings[0]), stamps(part).tolist(), readings, dt)
    smoothed = smooth(_filter(track, car, readings[0]), Recording(stamps(part), readings, None), dt)
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
