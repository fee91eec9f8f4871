"""Filters that tests export, and what they say in Python."""

from contextlib import suppress
import shutil

import numpy as np
import pytest

from mb_estimators import make_filter
from mb_estimators.filter import ImpossibleReadingError
from mb_model import load_mechanism
from mb_sensors import sensors_of

DT, INSTANTS = 2e-3, 150

needs_compiler = pytest.mark.skipif(not shutil.which('cc'), reason='no compiler of C')


def filter_on(machine, name, sensors):
    """Return a filter of some machine."""
    mechanism = load_mechanism(machine)
    return make_filter(name, mechanism, sensors_of(mechanism, sensors), DT)


def readings_near(filter_, rng):
    """Return readings (k, channels) about what the sensors read at the start, some missing."""
    count = len(filter_._channels)
    filter_.correct(np.zeros(count))
    present = filter_._filter['present'][:int(filter_._filter['count'])]
    start = np.zeros(count)
    start[present] = -filter_._filter['residual'][:len(present)]
    sigma = np.sqrt([variance for sensor in filter_.sensors
                     for variance in np.atleast_1d(sensor.settings.variance)
                     for _ in range(len(sensor.channels) // np.size(sensor.settings.variance))])
    values = start + sigma * rng.normal(size=(INSTANTS, count))
    values[rng.random(values.shape) < 0.2] = np.nan
    return values


def in_python(filter_, readings, inputs):
    """Return z, zd, zdd (k, 3g) after each correction, and the last covariance."""
    rows, g = [], filter_.mechanism.g
    for k, values in enumerate(readings):
        if k:
            filter_.predict(DT, inputs)
        with suppress(ImpossibleReadingError):
            filter_.correct(values)
        estimate = filter_.estimate
        work = filter_._reported[0] if hasattr(filter_, '_reported') else filter_._work
        rows.append(np.concatenate([work[name][:g] for name in ('z', 'zd', 'zdd')]))
    return np.array(rows), estimate.covariance
