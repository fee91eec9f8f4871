"""What readings of a short window determine of a motion with unknown dynamics."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filter.layout import Layout, motion_blocks
from mb_estimators.filters.channels import channel_records, channel_variances
from mb_estimators.kernels.along import observe_along
from mb_estimators.observability.gramian import Gramian, square_root
from mb_estimators.observability.states import States, by_biases, states_of
from mb_estimators.records.filter import motion_record
from mb_model import Mechanism, Run
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import Sensor, sensors_of

_KNOWN_TO = 1e5         # sizes: whether something is determined at all


@dataclass(frozen=True)
class LocalObservability:
    """Gramians of z, zd, zdd and biases at the instants t (k), of a window from there on.

    The acceleration stays within the window, as Mohammad et al. 2025, Eq. (6), has it between two
    instants; full rank everywhere is Kalman's criterion along the trajectory (their Sec. III-B).
    """

    t: FloatArray
    gramians: list[Gramian]

    @property
    def states(self) -> States:
        """The States."""
        return self.gramians[0].states

    @property
    def ranks(self) -> IntArray:
        """How many directions of the states are determined (k)."""
        return np.array([gramian.rank for gramian in self.gramians])

    @property
    def deviations(self) -> FloatArray:
        """Deviations of the states by the windows alone (k, l), infinite if undetermined."""
        return np.array([gramian.deviations for gramian in self.gramians])


def local_observability(run: Run, sensors: Sequence[str], window: float = 0.005,
                        every: int = 1) -> LocalObservability:
    """Return the LocalObservability along a Run at equal distances of time.

    sensors: names, read at every instant; window [s]; every: at each so many-th instant.
    Raises FilterError, SensorError, ValueError.
    """
    mechanism, dt = run.mechanism, run.t[1] - run.t[0]
    count = round(window / dt) + 1
    if not 3 <= count <= len(run.t):
        raise ValueError(f'window: {window} must be within {2 * dt:g} and {run.t[-1]:g} s')
    chosen = sensors_of(mechanism, sensors)
    states = _states(mechanism, chosen)
    H = jacobians_along(run, chosen)
    t = np.arange(count) * dt
    whole = np.ones(H[:count].shape[:2], bool)
    offsets = np.tile(by_biases(chosen), (count, 1, 1))
    gramians = []
    for k in range(0, len(run.t) - count + 1, every):
        by_z, by_zd, by_zdd = np.split(H[k:k + count], 3, axis=2)
        ahead = t[:, None, None]
        sensitivity = np.concatenate([
            by_z, by_z * ahead + by_zd, by_z * ahead ** 2 / 2.0 + by_zd * ahead + by_zdd,
            offsets], axis=2)
        root = square_root(sensitivity, whole, channel_variances(chosen), states.sizes)
        gramians.append(Gramian(states, root[None], _KNOWN_TO))
    return LocalObservability(run.t[:len(run.t) - count + 1:every], gramians)


def _states(mechanism: Mechanism, sensors: Sequence[Sensor]) -> States:
    """Return the States z, zd, zdd, and biases of the Sensors."""
    others = states_of(mechanism, sensors, False, [])
    g, motion = mechanism.g, Layout(motion_blocks(mechanism, 3 * [0.0]))
    return States(
        (*motion.names, *others.names[2 * g:]), (*motion.units, *others.units[2 * g:]),
        np.concatenate([others.sizes[:2 * g], others.sizes[:g], others.sizes[2 * g:]]))


def jacobians_along(run: Run, sensors: Sequence[Sensor]) -> FloatArray:
    """Return the Jacobians of readings of Sensors by z, zd, zdd along a Run (k, channels, 3g).

    Raises FilterError at a singular position.
    """
    mechanism, channels = run.mechanism.in_full('observability'), channel_records(sensors)
    record = motion_record(mechanism.model, len(channels))
    H = np.empty((len(run.t), len(channels), 3 * mechanism.g))
    singular = observe_along(mechanism.model, mechanism.workspace(), channels, record,
                             np.zeros(len(channels)), run.q, run.zd, run.zdd, H)
    if singular >= 0:
        raise FilterError(f'{mechanism.name}: the position at t = {run.t[singular]:g} s is '
                          'singular')
    return H
