"""How readings depend on the state at the start, by exact derivatives along a motion."""

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.channels import channel_records
from mb_estimators.kernels.along import linearise_along
from mb_estimators.observability.parameters import acceleration_change, reading_change
from mb_estimators.records.filter import motion_record


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
