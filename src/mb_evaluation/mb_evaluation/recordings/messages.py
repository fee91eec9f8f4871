"""The estimate in the messages of a bag: states, what became of readings, oil."""

from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy as np

from mb_estimators import Counts, undetermined_text
from mb_evaluation.accuracy.innovations import Innovations
from mb_evaluation.accuracy.recorded_states import state_samples
from mb_evaluation.accuracy.track import Track
from mb_evaluation.recordings.estimate_log import EstimateLog
from mb_model import FreeOrientations, Mechanism
from mb_model.file_api import stamp_of
from mb_sensors import Sensor, sensors_of


def recorded_log(bag: Any, topic: str, mechanism: Mechanism) -> EstimateLog:
    """Return the EstimateLog of the messages that an estimator sent.  Raises ValueError."""
    node = topic.removesuffix('/state')
    _, first = next(bag.of(topic))
    if tuple(first.coordinates) not in ((), tuple(mechanism.coordinates)):
        raise ValueError(f'{topic}: states of {first.mechanism} with other coordinates than '
                         f'{mechanism.name} (--mechanism)')
    orientations = FreeOrientations(mechanism)
    samples = list(state_samples(bag, mechanism.independent, orientations, topic))
    statuses = [status for _, status in bag.of(f'{node}/status', _checked)]
    channels = {channel for status in statuses for channel in status.channels}
    log = EstimateLog(
        statuses[-1].estimator if statuses else node.removeprefix('/'), mechanism=mechanism,
        sensors=_with_channels(mechanism, channels), source=f'recorded on {topic}')
    log.innovations = [Innovations(one.name, one.channels) for one in log.sensors]
    log.track = Track(samples, orientations)
    for stamp, *_, forces, deviations in samples:
        if len(forces) == mechanism.g:
            log.note_forces(stamp, forces, deviations if len(deviations) == mechanism.g else None)
    for status in statuses:
        _note_status(log, status)
    for stamp, oil in bag.of(f'{node}/hydraulics') if mechanism.circuit else ():
        _note_oil(log, stamp, oil)
    return log


def forces_on(names: Sequence[str], message: Any) -> list[float]:
    """Return the efforts (g) in a JointState on degrees of freedom, 0 on those it does not name.

    Raises ValueError where it has not as many efforts as names.
    """
    given = dict(zip(message.name, message.effort, strict=True))
    return [given.get(name, 0.0) for name in names]


def _checked(status: Any) -> Any:
    """Return an EstimatorStatus; raises ValueError for one whose sizes do not fit."""
    k = len(status.channels)
    if (len(status.innovation), len(status.innovation_covariance)) != (k, k * k):
        raise ValueError(f'{len(status.innovation)} innovations of {k} channels')
    try:
        np.linalg.cholesky(np.reshape(status.innovation_covariance, (k, k)))
    except np.linalg.LinAlgError:
        raise ValueError('an innovation_covariance that is none') from None
    return status


def _note_status(log: EstimateLog, status: Any) -> None:
    """Note an EstimatorStatus: the last one has the counts."""
    stamp, k = stamp_of(status), len(status.channels)
    if k:
        log.note_fit(stamp, status.channels, status.innovation, np.reshape(
            status.innovation_covariance, (k, k)), status.nis)
    log.lost.add(stamp, status.lost)
    for one in status.parameters:
        log.note_parameter(stamp, one.name, one.value, one.standard_deviation)
    log.counts = Counts(status.readings_used, status.readings_rejected, status.readings_late)
    log.missing = status.readings_missing
    log.reservation = undetermined_text(status.undetermined, [one.name for one in log.sensors])


def _with_channels(mechanism: Mechanism, channels: set[str]) -> list[Sensor]:
    """Return the Sensors of a Mechanism all of whose channels are named."""
    sensors = sensors_of(mechanism, list(mechanism.sensors)) if mechanism.sensors else []
    return [sensor for sensor in sensors if set(sensor.channels) <= channels]


def _note_oil(log: EstimateLog, stamp: int, oil: Any) -> None:
    """Note a HydraulicState, unless it is of another circuit."""
    circuit = log.mechanism.circuit
    if (tuple(oil.volume), tuple(oil.valve)) == (tuple(circuit.volumes), tuple(circuit.valves)):
        size = isqrt(len(oil.covariance))
        log.note_oil(stamp, oil.pressure, oil.spool, oil.force,
                     np.reshape(oil.covariance[:size * size], (size, size)))
