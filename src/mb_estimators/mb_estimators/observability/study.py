"""Observability of a set of sensors along a motion, and what other sensors would add."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.channels import (
    channel_records,
    channel_variances,
    estimated_mountings,
    estimated_sensitivities,
)
from mb_estimators.kernels.along import linearise_along
from mb_estimators.observability.dead_centres import DeadCentre, dead_centres
from mb_estimators.observability.gramian import Gramian, information
from mb_estimators.observability.parameters import (
    STEP,
    acceleration_change,
    moved,
    parameter_sizes,
    reading_change,
    reading_difference,
    readings_along,
)
from mb_estimators.observability.states import states_of
from mb_estimators.records.filter import motion_record
from mb_model import load_mechanism, simulate
from mb_sensors import NANOSECONDS, SensorError, numbers_at, sensors_of


def empirical_sensitivity(run, sensors, states, parameters=()):
    """Return derivatives of the readings by the start (k, channels, l + p), by differences.

    The l States are z, zd and, if there are more, constant forces on z; parameters: p names.
    """
    mechanism, g = run.mechanism, run.mechanism.g
    columns = []
    for i, size in enumerate(states.sizes):
        change = np.zeros(3 * g)
        change[i] = STEP * size
        columns.append(_slope(sensors, STEP * size, *(
            _simulate(run, mechanism, sign * change) for sign in (1.0, -1.0))))
    for name, size in zip(parameters, parameter_sizes(mechanism, parameters), strict=True):
        columns.append(_slope(sensors, STEP * size, *(
            _simulate(run, moved(mechanism, name, sign * STEP * size), np.zeros(3 * g))
            for sign in (1.0, -1.0))))
    return np.stack(columns, axis=2)


def _simulate(run, mechanism, change):
    """Return the Run of a mechanism whose start and forces (3g) are changed."""
    g = mechanism.g
    return simulate(mechanism, run.t[-1], run.dt, z0=run.z[0] + change[:g],
                    zd0=run.zd[0] + change[g:2 * g], inputs=change[2 * g:])


def _slope(sensors, step, one, other):
    """Return the derivative of the readings (k, channels) from Runs a step to both sides."""
    return reading_difference(sensors, readings_along(one, sensors),
                              readings_along(other, sensors)) / (2.0 * step)


class LinearisedMotion:
    """The linear system x' = J(t) x, y = H(t) x beside a Run.

    x: changes of z, zd, of constant forces on z, and of parameters (3g + p).
    """

    def __init__(self, run, sensors, parameters=()):
        """Linearise along a Run for Sensors and names of parameters.

        Raises FilterError, SensorError, MechanismError.
        """
        mechanism, count = run.mechanism, len(run.t)
        g = mechanism.g
        channels = channel_records(sensors)
        record = motion_record(mechanism.model, len(channels))
        record['dt'] = 1.0
        A, B, by_force = (np.empty((count, g, g)) for _ in range(3))
        H = np.empty((count, len(channels), 3 * g))
        singular = linearise_along(
            mechanism.model, mechanism.workspace(), channels, record, np.zeros(len(channels)),
            run.q, run.zd, A, B, by_force, H)
        if singular >= 0:
            raise FilterError(f'{mechanism.name}: the position at t = {run.t[singular]:g} s is '
                              'singular')
        by_input, direct = by_force, np.zeros((count, len(channels), g))
        if parameters:
            by_input = np.concatenate([by_force, acceleration_change(run, parameters)], axis=2)
            direct = np.concatenate([direct, reading_change(run, sensors, parameters)], axis=2)
        self._h, self._g, self.size = np.diff(run.t), g, 2 * g + by_input.shape[2]
        self._J = np.zeros((count, self.size, self.size))
        self._J[:, :g, g:2 * g] = np.eye(g)
        self._J[:, g:2 * g] = np.concatenate([A, B, by_input], axis=2)
        self._H = np.concatenate([H[:, :, :2 * g], H[:, :, 2 * g:] @ by_input + direct], axis=2)

    def sensitivity(self):
        """Return the derivatives of the readings by the start (k, channels, 3g + p).

        Transitions by the Magnus expansion of fourth order: Blanes et al. 2009, the
        middle of a step by the cubic through its neighbours.
        """
        J, h = self._J, self._h[:, None, None]
        from scipy.linalg import expm  # here: it takes a quarter of a second
        means = 0.5 * (J[:-1] + J[1:])
        means[1:-1] = (13.0 * (J[1:-2] + J[2:-1]) - J[:-3] - J[3:]) / 24.0
        turn = J[:-1] @ J[1:] - J[1:] @ J[:-1]
        return self._through(expm(h * means - h ** 2 / 12.0 * turn))

    def simple_sensitivity(self):
        """Return the same as filters with the simple f_x see it: accelerations that do not change.

        Rodriguez et al. 2023, Eq. (50).
        """
        g = self._g
        transitions = np.tile(np.eye(self.size), (len(self._h), 1, 1))
        transitions[:, :g, g:2 * g] = self._h[:, None, None] * np.eye(g)
        return self._through(transitions)

    def _through(self, transitions):
        """Return H(k) F(k - 1) ... F(0)."""
        since_start = np.empty((len(self._H), *transitions.shape[1:]))
        since_start[0] = np.eye(self.size)
        for k, transition in enumerate(transitions):
            since_start[k + 1] = transition @ since_start[k]
        return self._H @ since_start


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
