"""Observability of a set of sensors along a motion, and what other sensors would add.

At dead centres readings fit both sides of a mechanism alike.  Readings of positions, y(z), stand
still where y_z loses rank: a degree of freedom moves and they do not, as a block does where crank
and rod are in line.  To first order they are the same on both sides.  On the wrong side a filter
has the wrong sign of the slope y_z, and so gets lost, though the whole motion determines every
state.  Readings of rates do not bring it back.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.filters.channels import (
    channel_variances,
    estimated_mountings,
    estimated_sensitivities,
)
from mb_estimators.observability.gramian import BY_DIFFERENCES, EXACT, Gramian, square_roots
from mb_estimators.observability.local import jacobians_along
from mb_estimators.observability.sensitivity import (
    LinearisedMotion,
    empirical_sensitivity,
    readings_along,
)
from mb_estimators.observability.states import by_biases, relative, sizes_of, states_of
from mb_model import Mechanism, Run, load_mechanism, simulate
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import NANOSECONDS, Sensor, SensorError, numbers_at, sensors_of

_STILL = 0.05       # of the largest derivative of a reading along the motion
_RANK = 1e-6        # the same, where readings never determine more


@dataclass(frozen=True)
class DeadCentre:
    """An instant t [s] at z (g), in which a coordinate moves and readings of positions stand still.

    distinguished_by: names of other sensors of the mechanism whose readings distinguish the sides.
    """

    t: float
    z: np.ndarray
    coordinate: str
    distinguished_by: tuple[str, ...]


def dead_centres(run: Run, chosen: Sequence[Sensor],
                 others: Sequence[Sensor]) -> tuple[DeadCentre, ...]:
    """Return the DeadCentres of a Run, a tuple, for the readings of the Sensors chosen.

    others: Sensors that might help.  Raises FilterError at a singular position.
    """
    mechanism, everyone = run.mechanism, [*chosen, *others]
    g = mechanism.g
    by_z = relative(jacobians_along(run, everyone)[:, :, :g] * sizes_of(mechanism), (0, 2))
    records = np.concatenate([sensor.records for sensor in everyone])
    names = np.repeat([sensor.name for sensor in everyone], [len(s.records) for s in everyone])
    reads_positions = (records['reads_velocities'] == 0) & (records['reads_accelerations'] == 0)
    used = np.isin(names, [sensor.name for sensor in chosen])
    if not (reads_positions & used).any():
        return ()
    _, values, directions = np.linalg.svd(by_z[:, reads_positions & used])
    least = int(np.count_nonzero(values.max(axis=0) > _RANK)) - 1
    centres = []
    for k in _crossings(values[:, least]) if least >= 0 else ():
        direction = directions[k, least]
        distinct = reads_positions & ~used & (np.abs(by_z[k] @ direction) > _STILL)
        centres.append(DeadCentre(
            float(run.t[k]), run.z[k].copy(), mechanism.independent[np.argmax(np.abs(direction))],
            tuple(dict.fromkeys(names[distinct].tolist()))))
    return tuple(centres)


def _crossings(value: FloatArray) -> IntArray:
    """Return the instants at which a value (k) >= 0 comes to zero, or passes between two of them.

    There it is small, or smaller than its change from one instant to the next.
    """
    padded = np.concatenate([[np.inf], value, [np.inf]])
    before, after = padded[:-2], padded[2:]
    change = np.fmax(*(np.where(np.isfinite(other), other - value, 0.0)
                       for other in (before, after)))
    return np.flatnonzero((value < before) & (value <= after)
                          & (value <= np.maximum(change, _STILL * value.max())))


@dataclass(frozen=True)
class Observability:
    """Gramians of a set of sensors along a motion with the instants t (k).

    analytic: by exact derivatives; empirical: by simulations from other starts; simple: by the
    simple f_x of filters that take the accelerations for constant; at_end: deviations (l) of the
    states at the end of the motion, where the start was known to their sizes; added: analytic, with
    one more sensor of the mechanism each, by its name; dead_centres: instants at which readings do
    not show the side that the mechanism is on.
    """

    t: np.ndarray
    analytic: Gramian
    empirical: Gramian
    simple: Gramian
    at_end: np.ndarray
    added: dict[str, Gramian]
    dead_centres: tuple[DeadCentre, ...]

    @property
    def forgotten(self) -> np.ndarray:
        """Which states at the start (l) no readings determine, and none need: those at the end are.

        What they were has faded, as by damping.
        """
        known = self.at_end <= self.analytic.known_to * self.analytic.states.sizes
        forgotten: np.ndarray = known & ~self.analytic.observable
        return forgotten


def observability(mechanism: Mechanism | str, sensors: Sequence[str], duration: float = 10.0,
                  dt: float = 0.005, *, forces: bool = False, parameters: Sequence[str] = (),
                  known_to: float = 0.1) -> Observability:
    """Return the Observability of the free motion of a mechanism from its start.

    mechanism: a Mechanism or its name; sensors: names; duration, dt [s]; forces: whether constant
    unknown forces on the degrees of freedom are states too; parameters: names of unknown numbers of
    the file, see mb_model.compilation.parameters; known_to: to which share of its size (see States)
    readings must determine a state that counts as observable.
    Raises ValueError in the user's words, StepError.
    """
    if isinstance(mechanism, str):
        mechanism = load_mechanism(mechanism)
    mechanism.require_holonomic('observability')
    chosen = sensors_of(mechanism, sensors)
    if not chosen:
        raise SensorError('sensors: at least one is needed')
    if not (duration >= dt > 0.0 and np.isfinite(duration)):
        raise ValueError(f'duration {duration} must be >= dt {dt} > 0')
    if not 0.0 < known_to < 1.0:
        raise ValueError(f'known_to: {known_to} must be > 0 and < 1')
    names = {sensor.name for sensor in chosen}
    others = [sensor for sensor in sensors_of(mechanism, list(mechanism.sensors))
              if sensor.name not in names and len(sensor.records) and sensor.settings.variance]
    run = simulate(mechanism, duration, dt)
    return _study(run, chosen, others, forces, list(parameters), known_to)


def _study(run: Run, chosen: Sequence[Sensor], others: Sequence[Sensor], forces: bool,
           parameters: Sequence[str], known_to: float) -> Observability:
    """Return the Observability of the chosen sensors along a Run."""
    everyone = [*chosen, *others]
    states = states_of(run.mechanism, everyone, forces, parameters)
    motion = (3 if forces else 2) * run.mechanism.g
    due, channels = _due(run.t, everyone), SensorChannels(everyone)
    variances = channel_variances(everyone)
    linearised = LinearisedMotion(run, everyone, parameters)
    wanted = [*range(motion), *range(3 * run.mechanism.g, linearised.size)]

    def gramian(sensitivity: FloatArray, *more: Sensor, rounding: float = EXACT) -> Gramian:
        members = [*chosen, *more]
        own = states_of(run.mechanism, members, forces, parameters).names
        columns = [i for i, name in enumerate(states.names) if name in own]
        rows = channels.of([sensor.name for sensor in members])
        roots = square_roots(sensitivity[:, rows][:, :, columns], due[:, rows], variances[rows],
                             states.sizes[columns])
        return Gramian(states[columns], roots, known_to, rounding)

    readings = readings_along(run, everyone)
    of_sensors = np.concatenate([np.tile(by_biases(everyone), (len(run.t), 1, 1)),
                                 _by_mountings(readings, everyone),
                                 _by_scales(readings, everyone)], axis=2)
    exact, simple, empirical = (np.concatenate([by_start, of_sensors], axis=2) for by_start in (
        linearised.sensitivity()[:, :, wanted], linearised.simple_sensitivity()[:, :, wanted],
        empirical_sensitivity(run, everyone, states[list(range(motion))], parameters)))
    analytic = gramian(exact)
    by_start = np.eye(len(analytic.states))
    count = len(wanted)
    by_start[:count, :count] = linearised.by_start[np.ix_(wanted, wanted)]
    return Observability(run.t, analytic, gramian(empirical, rounding=BY_DIFFERENCES),
                         gramian(simple), analytic.carried(by_start),
                         {sensor.name: gramian(exact, sensor) for sensor in others},
                         dead_centres(run, chosen, others))


def _by_mountings(readings: FloatArray, sensors: Sequence[Sensor]) -> FloatArray:
    """Return derivatives of readings by unknown mountings (k, channels, m), near none.

    A vector h is read as h - m x h, turned back by the mounting m; see kernels.sensor_states.
    """
    mountings = list(estimated_mountings(sensors))
    derivatives = np.zeros((*readings.shape, 3 * len(mountings)))
    slices = SensorChannels(sensors).slices
    for sensor in sensors:
        if sensor.settings.mounting_sigma > 0.0:
            own, first = slices[sensor.name], 3 * mountings.index(sensor.topic)
            turned = np.cross(readings[:, None, own], np.eye(3))     # h x each axis
            derivatives[:, own, first:first + 3] = turned.swapaxes(1, 2)
    return derivatives


def _by_scales(readings: FloatArray, sensors: Sequence[Sensor]) -> FloatArray:
    """Return derivatives of readings by errors of sensitivity (k, channels, s): h of an axis."""
    scales = estimated_sensitivities(sensors)
    derivatives = np.zeros((*readings.shape, len(scales)))
    for state, scale in enumerate(scales):
        derivatives[:, scale.target, state] = readings[:, scale.source]
    return derivatives


def _due(t: FloatArray, sensors: Sequence[Sensor]) -> np.ndarray:
    """Return at which instants (k) the channels of Sensors are read (k, channels)."""
    columns = []
    for sensor in sensors:
        numbers = numbers_at(sensor, [round(time * NANOSECONDS) for time in t])
        due = [number is not None for number in numbers]
        columns += [due] * len(sensor.channels)
    return np.array(columns).T
