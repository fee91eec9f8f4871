"""Derivatives of the readings along a motion by its start, forces and parameters.

Exact, beside a motion that was simulated, and by differences of simulations from other starts.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.channels import channel_records
from mb_estimators.kernels.along import linearise_along
from mb_estimators.observability.states import States, parameter_sizes
from mb_estimators.records.filter import motion_record
from mb_model import Mechanism, Run, simulate
from mb_model.arrays import FloatArray
from mb_model.file_api import parameter_overrides
from mb_model.kernel_api import entry_points
from mb_sensors import Sensor, sensors_of, true_values
from mb_sensors.kernel_api import difference

_STEP = 1e-5             # change of a parameter or of the start, of its size


def readings_along(run: Run, sensors: Sequence[Sensor]) -> FloatArray:
    """Return the readings of Sensors along a Run, without noise (k, channels)."""
    own = sensors_of(run.mechanism, [sensor.name for sensor in sensors])
    return np.hstack([true_values(run.mechanism, sensor, run.q, run.qd, run.qdd)
                      for sensor in own])


def reading_difference(sensors: Sequence[Sensor], one: FloatArray,
                       other: FloatArray) -> FloatArray:
    """Return by how much readings exceed others (k, channels); of angles, the smaller turn."""
    records = [record for sensor in sensors for record in sensor.records]
    return np.array([[difference(record, *pair) for pair in zip(*columns, strict=True)]
                     for record, *columns in zip(records, one.T, other.T, strict=True)]).T


def _moved(mechanism: Mechanism, name: str, change: float) -> Mechanism:
    """Return the mechanism with a parameter changed by a number."""
    value = float(mechanism.parameter_records([name])['value'][0]) + change
    return mechanism.replace(**parameter_overrides(mechanism, {name: value}))


def acceleration_change(run: Run, names: Sequence[str]) -> FloatArray:
    """Return dzdd/dp (k, g, p) at constant z and zd along a Run, exact."""
    mechanism = run.mechanism
    records, work = mechanism.parameter_records(names), mechanism.workspace()
    out = np.empty((len(run.t), mechanism.g, len(names)))
    for k in range(len(run.t)):
        work['q'][0, :mechanism.n] = run.q[k]
        work['zd'][0, :mechanism.g] = run.zd[k]
        entry_points.parameter_jacobian(mechanism.model, work, records, out[k])
    return out


def reading_change(run: Run, sensors: Sequence[Sensor], names: Sequence[str]) -> FloatArray:
    """Return derivatives of readings by parameters (k, channels, p) at constant z, zd and zdd.

    By central differences of the kinematics.
    """
    columns = [
        reading_difference(sensors, *(
            readings_along(_same_motion(run, _moved(run.mechanism, name, change)), sensors)
            for change in (_STEP * size, -_STEP * size))) / (2.0 * _STEP * size)
        for name, size in zip(names, parameter_sizes(run.mechanism, names), strict=True)]
    return np.stack(columns, axis=2)


def _same_motion(run: Run, mechanism: Mechanism) -> Run:
    """Return a Run in which another mechanism has the same z, zd and zdd."""
    q, qd, qdd = (np.empty_like(run.q) for _ in range(3))
    for k in range(len(run.t)):
        q[k] = mechanism.assemble(run.z[k], near=run.q[k])
        qd[k] = mechanism.velocity(q[k], run.zd[k])
        qdd[k] = mechanism.acceleration(q[k], qd[k], run.zdd[k])
    return replace(run, mechanism=mechanism, q=q, qd=qd, qdd=qdd)


def empirical_sensitivity(run: Run, sensors: Sequence[Sensor], states: States,
                          parameters: Sequence[str] = ()) -> FloatArray:
    """Return derivatives of the readings by the start (k, channels, l + p), by differences.

    The l States are z, zd and, if there are more, constant forces on z; parameters: p names.
    """
    mechanism, g = run.mechanism, run.mechanism.g
    columns = []
    for i, size in enumerate(states.sizes):
        change = np.zeros(3 * g)
        change[i] = _STEP * size
        columns.append(_slope(sensors, _STEP * size, *(
            _simulate(run, mechanism, sign * change) for sign in (1.0, -1.0))))
    for name, size in zip(parameters, parameter_sizes(mechanism, parameters), strict=True):
        columns.append(_slope(sensors, _STEP * size, *(
            _simulate(run, _moved(mechanism, name, sign * _STEP * size), np.zeros(3 * g))
            for sign in (1.0, -1.0))))
    return np.stack(columns, axis=2)


def _simulate(run: Run, mechanism: Mechanism, change: FloatArray) -> Run:
    """Return the Run of a mechanism whose start and forces (3g) are changed."""
    g = mechanism.g
    return simulate(mechanism, run.t[-1], run.dt, z0=run.z[0] + change[:g],
                    zd0=run.zd[0] + change[g:2 * g], inputs=change[2 * g:])


def _slope(sensors: Sequence[Sensor], step: float, one: Run, other: Run) -> FloatArray:
    """Return the derivative of the readings (k, channels) from Runs a step to both sides."""
    return reading_difference(sensors, readings_along(one, sensors),
                              readings_along(other, sensors)) / (2.0 * step)


class LinearisedMotion:
    """The linear system x' = J(t) x, y = H(t) x beside a Run.

    x: changes of z, zd, of constant forces on z, and of parameters (3g + p).
    by_start: what a change at the start has become at the end (3g + p, 3g + p), exact.
    """

    def __init__(self, run: Run, sensors: Sequence[Sensor],
                 parameters: Sequence[str] = ()) -> None:
        """Linearise along a Run for Sensors and names of parameters.

        Raises FilterError, SensorError, MechanismError.
        """
        mechanism, count = run.mechanism.in_full('observability'), len(run.t)
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
        self._since_start = self._products(self._exact_transitions())
        self.by_start = self._since_start[-1]

    def sensitivity(self) -> FloatArray:
        """Return the derivatives of the readings by the start (k, channels, 3g + p), exact."""
        return self._H @ self._since_start

    def _exact_transitions(self) -> FloatArray:
        """Return how changes go from each instant to the next (k - 1, 3g + p, 3g + p).

        By the Magnus expansion of fourth order: Blanes et al. 2009, the middle of a step by the
        cubic through its neighbours.
        """
        J, h = self._J, self._h[:, None, None]
        from scipy.linalg import expm  # here: it takes a quarter of a second
        means = 0.5 * (J[:-1] + J[1:])
        means[1:-1] = (13.0 * (J[1:-2] + J[2:-1]) - J[:-3] - J[3:]) / 24.0
        turn = J[:-1] @ J[1:] - J[1:] @ J[:-1]
        transitions: FloatArray = expm(h * means - h ** 2 / 12.0 * turn)
        return transitions

    def simple_sensitivity(self) -> FloatArray:
        """Return the same as filters with the simple f_x see it: accelerations that do not change.

        Rodriguez et al. 2023, Eq. (50).
        """
        g = self._g
        transitions = np.tile(np.eye(self.size), (len(self._h), 1, 1))
        transitions[:, :g, g:2 * g] = self._h[:, None, None] * np.eye(g)
        return self._H @ self._products(transitions)

    def _products(self, transitions: FloatArray) -> FloatArray:
        """Return F(k - 1) ... F(0) at every instant (k, 3g + p, 3g + p)."""
        since_start = np.empty((len(self._H), *transitions.shape[1:]))
        since_start[0] = np.eye(self.size)
        for k, transition in enumerate(transitions):
            since_start[k + 1] = transition @ since_start[k]
        return since_start
