"""What filters of hydraulic machines share: oil among the states, commands of valves as inputs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import Estimate
from mb_estimators.filter.layout import Block
from mb_estimators.filters.channels import channel_records, motion_records
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.records.oil import HYDRAULIC, PASCAL
from mb_model import Mechanism, Settings, setting
from mb_model.jit import sizes_of
from mb_sensors import Sensor, SensorError
from mb_sensors.kernel_api import channel_kinds, nothing_record


def oil_records(sensor: Sensor):
    """Return the measurement records of a sensor; of a pressure, which no motion determines."""
    return nothing_record() if sensor.volume else motion_records(sensor)


def direct_channels(record: Any, mechanism: Mechanism, sensors: Sequence[Sensor], pressures: int,
                    supplies: dict[str, int]):
    """Write to a HYDRAULIC record which states channels read themselves, and in which unit.

    pressures: the first of them among the states; supplies: name -> state, of logarithms, which
    correct_coupled reads.  Raises SensorError for a pressure that is not among the states.
    """
    independent = [mechanism.coordinates.index(name) for name in mechanism.independent]
    states = {name: pressures + k for k, name in enumerate(mechanism.circuit.volumes)} | supplies
    length, channel = channel_kinds().LINEAR_ENCODER, 0
    record['state_of'] = -1
    for sensor in sensors:
        if sensor.volume:
            if sensor.volume not in states:
                raise SensorError(
                    f'{sensor.name}.volume: {sensor.volume!r} must be one of {", ".join(states)}'
                    + (': the filter takes supplies as the mechanism file has them; hydraulic_ekf '
                       'estimates them, with supply_deviation > 0'
                       if sensor.volume in mechanism.circuit.supplies else ''))
            record['state_of'][channel] = states[sensor.volume]
            record['unit_of'][channel] = PASCAL
        for entry in sensor.records:
            if entry['kind'] == length and entry['coordinate'] in independent:
                record['state_of'][channel] = independent.index(entry['coordinate'])
                record['unit_of'][channel] = 1.0
            channel += 1
        channel += len(sensor.channels) - len(sensor.records)
    record['direct'] = (record['state_of'][:channel] >= 0).all()


@dataclass(frozen=True)
class OilSettings(Settings):
    """Of filters that have pressures and spools among their states."""

    initial_pressure_variance: float = setting(
        1e12, unit='Pa^2', above=0.0,
        help='Variance of the pressures at the start, where they are as in the mechanism file')
    initial_spool_variance: float = setting(
        1e-4, above=0.0, help='Variance of the spool positions, -1 to 1, at the start')
    pressure_psd: float = setting(
        1e10, unit='Pa^2/s', above=0.0,
        help='Power spectral density of what the rates of pressures are wrong by')
    spool_psd: float = setting(
        1e-5, unit='1/s', above=0.0,
        help='Power spectral density of what the rates of spools are wrong by')


def oil_blocks(circuit: Any, settings: Any):
    """Return the blocks of pressures [MPa] and spools of a circuit, with OilSettings."""
    volumes, valves = tuple(circuit.volumes), tuple(circuit.valves)
    return [
        Block('pressure', tuple(f'pressure of {name}' for name in volumes),
              ('MPa',) * len(volumes),
              np.full(len(volumes), settings.initial_pressure_variance / PASCAL ** 2)),
        Block('spool', tuple(f'spool of {name}' for name in valves), ('',) * len(valves),
              np.full(len(valves), settings.initial_spool_variance))]


class HydraulicFilter(ModelFilter, ABC):
    """A filter with the oil of a circuit among its states, as oil_blocks has it.

    The inputs of `predict` are the commands of the valves (u), zero if there are none.
    """

    needs_hydraulics = True
    moves_prescribed = False

    def _channel_records(self):
        return channel_records(self.sensors, oil_records)

    def _supplies(self):
        """Return name -> state, the logarithm of a factor of its pressure."""
        return {}

    def _prepare(self) -> None:
        super()._prepare()
        circuit, layout = self._circuit, self.layout
        self._sizes = self._sizes | sizes_of(circuit.record)
        self._circuits, self._fluids = circuit.record, circuit.new_fluid()
        self._hydraulics = HYDRAULIC.of(self._sizes)
        self._own_records |= {'fluid': self._fluids, 'hydraulic': self._hydraulics}
        y = self._hydraulic
        y['psd'][layout['pressure']] = self.settings.pressure_psd / PASCAL ** 2
        y['psd'][layout['spool']] = self.settings.spool_psd
        direct_channels(y, self.mechanism, self.sensors, layout['pressure'].start,
                        self._supplies())

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g), with the oil of the mechanism's start; see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        x, layout = self._filter['x'], self.layout
        x[:] = 0.0
        x[layout['position']], x[layout['velocity']] = self._motion[0], self._motion[1]
        x[layout['pressure']] = self._circuit.p0 / PASCAL
        x[layout['spool']] = self._circuit.U0
        self._hydraulic['solved'] = 0

    @cached_property
    def _circuit(self):
        return self.mechanism.circuit

    @cached_property
    def _hydraulic(self):
        return self._hydraulics[0]

    @cached_property
    def _commands(self):
        return self._fluids[0]['U_in'][:len(self._circuit.valves)]

    @cached_property
    def _solved(self):
        return self._hydraulics['solved']

    def _hold(self, inputs: ArrayLike | None) -> None:
        """Let the valves be commanded (u) from now on; None: closed."""
        if inputs is None:
            self._commands.fill(0.0)
        else:
            self._commands[:] = inputs

    def act(self, inputs: ArrayLike | None) -> None:
        """Let the valves be commanded (u) from now on; oil has to flow before anything else is."""
        self._hold(inputs)

    @abstractmethod
    def _report(self) -> None:
        """Bring what is reported to where the states are.  Raises DivergenceError."""

    @property
    def estimate(self) -> Estimate:
        """The present Estimate; raises DivergenceError if the mechanism has no such position."""
        if not self._solved[0]:
            self._report()
        return super().estimate
