"""The true motion in a log, as whole states of its mechanism."""

import numpy as np

from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_sensors.imported.column_settings import Columns
from mb_sensors.imported.columns import MOTION
from mb_sensors.imported.log_rows import Log
from mb_sensors.imported.table import LogError
from mb_sensors.sampling import NANOSECONDS


def true_states(columns: Columns, log: Log) -> dict[int, dict[str, FloatArray]]:
    """Return {row: {z, zd, zdd (g), q, qd, qdd (n)}} of the rows whose motion is known.

    Velocities and accelerations without a column are differences of the column before.  Raises
    LogError for a position that cannot be.
    """
    if not columns.truth:
        return {}
    mechanism = columns.mechanism
    z, zd, zdd = (_columns_of(columns, log, what) for what in MOTION)
    known = np.flatnonzero(np.isfinite(z).all(axis=1) & _given(zd) & _given(zdd))
    t = (log.stamps[known] - log.stamps[0]) / NANOSECONDS
    z = z[known]
    zd = _complete(t, zd[known], z)
    zdd = _complete(t, zdd[known], zd)
    states: dict[int, dict[str, FloatArray]] = {}
    near = None
    for row, *motion in zip(known.tolist(), z, zd, zdd, strict=True):
        try:
            states[row] = _whole(mechanism, near, *motion)
        except MechanismError as error:
            raise LogError(f'{log.table.at(row)}: the true position cannot be: '
                           f'{error}') from None
        near = states[row]['q']
    return states


def _columns_of(columns: Columns, log: Log, what: str):
    """Return a quantity of all degrees of freedom (k, g), NaN where it has no column."""
    values = np.full((len(log.stamps), columns.mechanism.g), np.nan)
    for i, name in enumerate(columns.mechanism.independent):
        if what in columns.truth[name]:
            values[:, i] = log.of(columns.truth[name][what])
    return values


def _given(values: FloatArray):
    """Return in which rows (k) no number is missing of the columns that have any."""
    there = np.isfinite(values)
    return (there | ~there.any(axis=0)).all(axis=1)


def _complete(t: FloatArray, values: FloatArray, before: FloatArray):
    """Return values (k, g), those without a column as differences of others."""
    values = values.copy()
    for i in np.flatnonzero(np.isnan(values).all(axis=0)):
        values[:, i] = np.gradient(before[:, i], t) if len(t) > 1 else 0.0
    return values


def _whole(mechanism: Mechanism, near: FloatArray | None, z: FloatArray, zd: FloatArray,
           zdd: FloatArray):
    """Return the state by name; near: q of the row before, None for none."""
    q = mechanism.assemble(z, near)
    qd = mechanism.velocity(q, zd)
    return {'z': z, 'zd': zd, 'zdd': zdd, 'q': q, 'qd': qd,
            'qdd': mechanism.acceleration(q, qd, zdd)}
