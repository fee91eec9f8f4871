"""Observability of a set of sensors along a motion, and what other sensors would add."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filters.channels import channel_variances
from mb_estimators.filters.mountings import estimated_mountings
from mb_estimators.filters.scales import estimated_sensitivities
from mb_estimators.observability.analytic import LinearisedMotion
from mb_estimators.observability.dead_centres import DeadCentre, dead_centres
from mb_estimators.observability.empirical import empirical_sensitivity
from mb_estimators.observability.gramian import Gramian, information
from mb_estimators.observability.readings import readings_along
from mb_estimators.observability.states import states_of
from mb_model import load_mechanism, simulate
from mb_sensors import NANOSECONDS, SensorError, numbers_at, sensors_of


@dataclass(frozen=True)
class Observability:
    """Gramians of a set of sensors along a motion with the instants t (k).

    analytic: by exact derivatives; empirical: by simulations from other starts; simple: by the
    simple f_x of filters that take the accelerations for constant; added: analytic, with one more
    sensor of the mechanism each, by its name; dead_centres: instants at which readings do not
    show the side that the mechanism is on.
    """

    t: np.ndarray
    analytic: Gramian
    empirical: Gramian
    simple: Gramian
    added: dict[str, Gramian]
    dead_centres: tuple[DeadCentre, ...]


def observability(mechanism, sensors, duration=10.0, dt=0.005, *, forces=False,
                  parameters=(), known_to=0.1):
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


def _study(run, chosen, others, forces, parameters, known_to):
    """Return the Observability of the chosen sensors along a Run."""
    everyone = [*chosen, *others]
    states = states_of(run.mechanism, everyone, forces, parameters)
    motion = (3 if forces else 2) * run.mechanism.g
    due = _due(run.t, everyone)
    variances = channel_variances(everyone)
    linearised = LinearisedMotion(run, everyone, parameters)
    wanted = [*range(motion), *range(3 * run.mechanism.g, linearised.size)]

    def gramian(sensitivity, *more):
        members = [*chosen, *more]
        own = states_of(run.mechanism, members, forces, parameters).names
        places = [i for i, name in enumerate(states.names) if name in own]
        rows = _rows(everyone, members)
        sums = information(sensitivity[:, rows][:, :, places], due[:, rows], variances[rows],
                           states.sizes[places])
        return Gramian(states[places], sums, known_to)

    readings = readings_along(run, everyone)
    of_sensors = np.concatenate([_by_biases(len(run.t), everyone),
                                 _by_mountings(readings, everyone),
                                 _by_scales(readings, everyone)], axis=2)
    exact, simple, empirical = (np.concatenate([by_start, of_sensors], axis=2) for by_start in (
        linearised.sensitivity()[:, :, wanted], linearised.simple_sensitivity()[:, :, wanted],
        empirical_sensitivity(run, everyone, states[list(range(motion))], parameters)))
    return Observability(run.t, gramian(exact), gramian(empirical), gramian(simple),
                         {sensor.name: gramian(exact, sensor) for sensor in others},
                         dead_centres(run, chosen, others))


def _rows(everyone, members):
    """Return the places of the members' channels among all channels."""
    wanted = {channel for sensor in members for channel in sensor.channels}
    return [i for i, channel in enumerate(c for sensor in everyone for c in sensor.channels)
            if channel in wanted]


def _by_biases(count, sensors):
    """Return derivatives of readings by each unknown bias (k, channels, b): 1 for its channel."""
    own = np.concatenate([np.full(len(s.channels), s.settings.bias_sigma > 0.0) for s in sensors])
    return np.tile(np.eye(len(own))[:, own], (count, 1, 1))


def _by_mountings(readings, sensors):
    """Return derivatives of readings by unknown mountings (k, channels, m), near none.

    A vector h is read as h - m x h, turned back by the mounting m; see kernels.sensor_states.
    """
    mountings = list(estimated_mountings(sensors))
    found = np.zeros((*readings.shape, 3 * len(mountings)))
    ends = np.cumsum([len(sensor.channels) for sensor in sensors])
    for sensor, end in zip(sensors, ends, strict=True):
        if sensor.settings.mounting_sigma > 0.0:
            first = 3 * mountings.index(sensor.topic)
            turned = np.cross(readings[:, None, end - 3:end], np.eye(3))     # h x each axis
            found[:, end - 3:end, first:first + 3] = turned.swapaxes(1, 2)
    return found


def _by_scales(readings, sensors):
    """Return derivatives of readings by errors of sensitivity (k, channels, s): h of an axis."""
    scales = estimated_sensitivities(sensors)
    found = np.zeros((*readings.shape, len(scales)))
    for state, one in enumerate(scales):
        found[:, one.target, state] = readings[:, one.source]
    return found


def _due(t, sensors):
    """Return at which instants (k) the channels of Sensors are read (k, channels)."""
    columns = []
    for sensor in sensors:
        numbers = numbers_at(sensor, [round(time * NANOSECONDS) for time in t])
        due = [number is not None for number in numbers]
        columns += [due] * len(sensor.channels)
    return np.array(columns).T
