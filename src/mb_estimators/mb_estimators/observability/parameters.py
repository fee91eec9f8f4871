"""Readings along motions, and their derivatives and accelerations' by parameters."""

from dataclasses import replace

import numpy as np

from mb_model.file_api import parameter_overrides
from mb_model.kernel_api import entry_points
from mb_sensors import sensors_of, true_values
from mb_sensors.kernel_api import difference

STEP = 1e-5             # change of a parameter or of the start, of its size


def readings_along(run, sensors):
    """Return the readings of Sensors along a Run, without noise (k, channels)."""
    own = sensors_of(run.mechanism, [sensor.name for sensor in sensors])
    return np.hstack([true_values(run.mechanism, sensor, run.q, run.qd, run.qdd)
                      for sensor in own])


def reading_difference(sensors, one, other):
    """Return by how much readings are larger than others (k, channels), angles the short way."""
    records = [record for sensor in sensors for record in sensor.records]
    return np.array([[difference(record, *pair) for pair in zip(*columns, strict=True)]
                     for record, *columns in zip(records, one.T, other.T, strict=True)]).T


def parameter_sizes(mechanism, names):
    """Return the magnitudes of parameters (p), 1 for parameters that are zero.

    Raises MechanismError for a name that is none, see mb_model.compilation.parameters.
    """
    values = np.abs(mechanism.parameter_records(names)['value'])
    return np.where(values > 0.0, values, 1.0)


def moved(mechanism, name, change):
    """Return the mechanism with a parameter changed by a number."""
    value = float(mechanism.parameter_records([name])['value'][0]) + change
    return mechanism.replace(**parameter_overrides(mechanism, {name: value}))


def acceleration_change(run, names):
    """Return dzdd/dp (k, g, p) at constant z and zd along a Run, exact."""
    mechanism = run.mechanism
    records, work = mechanism.parameter_records(names), mechanism.workspace()
    out = np.empty((len(run.t), mechanism.g, len(names)))
    for k in range(len(run.t)):
        work['q'][0, :mechanism.n] = run.q[k]
        work['zd'][0, :mechanism.g] = run.zd[k]
        entry_points.parameter_jacobian(mechanism.model, work, records, out[k])
    return out


def reading_change(run, sensors, names):
    """Return derivatives of readings by parameters (k, channels, p) at constant z, zd and zdd.

    By central differences of the kinematics.
    """
    columns = [
        reading_difference(sensors, *(
            readings_along(_same_motion(run, moved(run.mechanism, name, change)), sensors)
            for change in (STEP * size, -STEP * size))) / (2.0 * STEP * size)
        for name, size in zip(names, parameter_sizes(run.mechanism, names), strict=True)]
    return np.stack(columns, axis=2)


def _same_motion(run, mechanism):
    """Return a Run in which another mechanism has the same z, zd and zdd."""
    q, qd, qdd = (np.empty_like(run.q) for _ in range(3))
    for k in range(len(run.t)):
        q[k] = mechanism.assemble(run.z[k], near=run.q[k])
        qd[k] = mechanism.velocity(q[k], run.zd[k])
        qdd[k] = mechanism.acceleration(q[k], qd[k], run.zdd[k])
    return replace(run, mechanism=mechanism, q=q, qd=qd, qdd=qdd)
