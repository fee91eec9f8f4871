"""Streams of estimates as tests make and feed them, and the bits that they give."""

import numpy as np

from mb_estimators import make_filter
from mb_estimators.stream import EstimateStream, StreamSettings
from mb_estimators.timeline import HeldInputs
from mb_sensors import sensors_of

FIELDS = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd', 'covariance')


def stream_of(machine, sensors, filter_='error_ekf', *, initial=None, problems=None, gates=None,
              inputs=HeldInputs, filter_dt=None, tuning=None, **settings):
    """Return an EstimateStream of a machine.

    sensors: names or Sensors; filter_: its name, or a filter; initial: z, zd, else of the machine;
    problems: a list for reports; filter_dt: its longest step [s], else the stream's; tuning: of the
    filter; settings: StreamSettings.
    """
    chosen, stream_settings = sensors_of(machine, sensors), StreamSettings(**settings)
    if isinstance(filter_, str):
        filter_ = make_filter(filter_, machine, chosen, filter_dt or stream_settings.dt,
                              **(tuning or {}))
    return EstimateStream(filter_, chosen, initial or (machine.z0, machine.zd0), stream_settings,
                          ([] if problems is None else problems).append, gates, inputs)


def feed(stream, readings):
    """Return the Steps of readings (sensor, stamp, values)."""
    return [step for reading in readings for step in stream.add(*reading)]


def bits(estimate):
    return b''.join(np.ascontiguousarray(getattr(estimate, name)).tobytes() for name in FIELDS)


def bits_of(steps):
    return {step.stamp: bits(step.estimate) for step in steps}
