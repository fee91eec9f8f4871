"""All that is noted of one estimate for a report: motion, forces, oil, parameters, innovations."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mb_estimators import Estimate
from mb_evaluation.accuracy.estimated import Estimated
from mb_evaluation.accuracy.track import Track
from mb_evaluation.recordings.quantity import (
    INNOVATION,
    NIS,
    PARAMETER,
    PRESSURE,
    SPOOL,
    UNKNOWN,
    Quantity,
    Samples,
    force_units,
    motion_quantities,
    not_restated,
)
from mb_model import Mechanism
from mb_sensors import Sensor


@dataclass(kw_only=True)
class EstimateLog(Estimated):
    """An Estimated with what a report shows of it besides.

    sensors: Sensors that it is by; source: whence it is, in words; has_readings: whether the bag
    has readings of all of them; truth: where the bag has one; absent: what is not there, and why,
    in words; first_stamp: of a reading or a state in the bag [ns]; inputs: known forces and
    commands; others: Samples of what is estimated beside the motion; actual: of true forces, where
    the bag has some; readings: Samples of innovations.
    """

    mechanism: Mechanism
    sensors: Sequence[Sensor]
    source: str
    has_readings: bool = True
    truth: Track | None = None
    absent: list = field(default_factory=list)
    first_stamp: int | None = None
    inputs: Samples = field(default_factory=Samples)
    others: Samples = field(default_factory=Samples)
    actual: Samples = field(default_factory=Samples)
    readings: Samples = field(default_factory=Samples)

    def __post_init__(self) -> None:
        self._units = force_units(self.mechanism)
        self._channels = {channel: sensor.unit for sensor in self.sensors
                          for channel in sensor.channels}

    @property
    def start(self) -> int:
        """First stamp of an estimate [ns], from which it settles."""
        return int(self.track.stamps[0])

    @property
    def origin(self) -> int:
        """Stamp [ns] from which the times of a report count: the first one in the bag."""
        return self.start if self.first_stamp is None else self.first_stamp

    @property
    def estimates(self) -> list[Quantity]:
        """All that is estimated, motion first, each number once."""
        return [*motion_quantities(self.mechanism, self.track),
                *not_restated(self.others.quantities())]

    @property
    def has_forces(self) -> bool:
        """Whether unknown forces are estimated."""
        return any(one.kind == UNKNOWN for one in self.others.quantities())

    def note(self, channels: Sequence[str], step: Any) -> None:
        """Note a Step: as an Estimated does, and what is estimated beside the motion."""
        super().note(channels, step)
        estimate: Estimate = step.estimate
        if estimate.forces is not None:
            self.note_forces(step.stamp, estimate.forces, estimate.force_deviations)
        deviations = estimate.parameter_deviations or {}
        for name, value in (estimate.parameters or {}).items():
            self.note_parameter(step.stamp, name, value, deviations.get(name, np.nan))
        if estimate.hydraulics is not None:
            self.note_oil(step.stamp, *estimate.hydraulics)

    def note_fit(self, stamp: int, channels: Sequence[str], residual: Any, covariance: Any,
                 nis: float) -> None:
        """Note the innovation (k) of channels at a stamp [ns], and its covariance (k, k)."""
        super().note_fit(stamp, channels, residual, covariance, nis)
        deviations = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
        for channel, value, deviation in zip(channels, residual, deviations, strict=True):
            self.readings.add(INNOVATION, channel, self._channels.get(channel, ''), stamp, value,
                              deviation)
        self.readings.add(NIS, 'all channels', '', stamp, nis)

    def note_forces(self, stamp: int, forces: Any, deviations: Any) -> None:
        """Note estimated forces on the degrees of freedom (g) and their deviations (g) or None."""
        self.others.add_all(UNKNOWN, self._units, stamp, forces, deviations)

    def note_parameter(self, stamp: int, name: str, value: float, deviation: float) -> None:
        """Note an estimated parameter of the model, in the unit of its file."""
        self.others.add(PARAMETER, name, '', stamp, value, deviation)

    def note_oil(self, stamp: int, pressures: Any, spools: Any, _: Any, covariance: Any) -> None:
        """Note pressures (v) [Pa] and spools (u) with the covariance of z, zd, zdd and these."""
        oil = self.mechanism.circuit
        if oil is None:
            return
        count = len(pressures) + len(spools)
        deviations = (np.sqrt(np.maximum(np.diagonal(covariance)[-count:], 0.0))
                      if len(covariance) >= count else np.full(count, np.nan))
        self.others.add_all(PRESSURE, dict.fromkeys(oil.volumes, 'Pa'), stamp, pressures,
                            deviations[:len(pressures)])
        self.others.add_all(SPOOL, dict.fromkeys(oil.valves, ''), stamp, spools,
                            deviations[len(pressures):])
