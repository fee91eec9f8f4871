"""Which numbers of a circuit are estimated beside its state, and how uncertain they are."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.filter.layout import Block
from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray
from mb_model.kernel_api import OilParameter


@dataclass(frozen=True)
class OilParameterSettings(Settings):
    """How uncertain a circuit is; shares of the numbers in the mechanism file, 0: not at all."""

    supply_deviation: float = setting(
        0.1, at_least=0.0, at_most=1.0,
        help='Standard deviation of the pressure of every supply at the start')
    supply_walk: float = setting(
        1e-3, unit='1/sqrt(s)', at_least=0.0, at_most=1.0,
        help='How much the pressure of every supply may drift: the standard deviation that a '
             'second adds. Take 0.03 for a pump that may sag')
    valve_flow_deviation: float = setting(
        0.1, at_least=0.0, at_most=1.0,
        help='Standard deviation of the nominal flow of every valve at the start')
    bulk_modulus_deviation: float = setting(
        0.1, at_least=0.0, at_most=1.0,
        help='Standard deviation of the bulk modulus of the oil at the start')
    friction_deviation: float = setting(
        0.1, at_least=0.0, at_most=1.0,
        help='Standard deviation of the friction of every cylinder at the start')
    oil_walk: float = setting(
        1e-3, unit='1/sqrt(s)', at_least=0.0, at_most=1.0,
        help='How much each of the others may drift: the standard deviation that a second adds')


class OilParameters:
    """The estimated numbers of a circuit: names, kinds, indices for kernels, deviations, walks."""

    def __init__(self, mechanism: Mechanism, settings: Any):
        """Choose them by OilParameterSettings."""
        circuit, volumes = mechanism.circuit, len(mechanism.circuit.volumes)
        described = mechanism.described.hydraulics
        supplies = enumerate(described.supplies.items(), volumes)
        numbers = [
            *((settings.supply_deviation, OilParameter.SUPPLY, index, f'supplies.{name}', value)
              for index, (name, value) in supplies),
            *((settings.valve_flow_deviation, OilParameter.VALVE_FLOW, k, f'valves.{name}.flow',
               1.0) for k, name in enumerate(circuit.valves)),
            (settings.bulk_modulus_deviation, OilParameter.BULK_MODULUS, 0, 'oil.bulk_modulus',
             described.oil.bulk_modulus),
            *((settings.friction_deviation, OilParameter.FRICTION, k, f'cylinders.{name}.friction',
               1.0) for k, name in enumerate(circuit.cylinders))]
        chosen = [one for one in numbers if one[0] > 0.0]
        self.names = tuple(f'hydraulics.{one[3]}' for one in chosen)
        self.deviations, self.kinds, self.indices, self._values = (
            np.array([one[column] for one in chosen]) for column in (0, 1, 2, 4))
        self.walks = np.where(self.kinds == OilParameter.SUPPLY, settings.supply_walk,
                              settings.oil_walk)

    @property
    def block(self):
        """The block of the logarithms of their factors."""
        return Block('oil_parameter', self.names, ('',) * len(self.names), self.deviations ** 2)

    def supplies(self, first: int):
        """Return the states of the supplies by name; first: the state of the first number."""
        prefix = 'hydraulics.supplies.'
        return {name.removeprefix(prefix): first + k for k, name in enumerate(self.names)
                if name.startswith(prefix)}

    def values(self, logarithms: FloatArray):
        """Return their values (o): in SI units, of valves and friction as shares of the file's."""
        return self._values * np.exp(logarithms)
