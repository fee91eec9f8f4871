"""How fast pressures and spools change in circuits that differ in a few numbers."""

from mb_model.jit import entry
from mb_model.kernel_api import pressure_derivatives


@entry
def rates_of_circuits(circuits, fluids, rates):
    """Write the rates of pressures, then of spools, of circuits (k) to rates (k, v + u), SI units.

    At fluid.s, sd, p, U, U_in; supplies are of each circuit.
    """
    fluid = fluids[0]
    for k in range(circuits.size):
        circuit = circuits[k]
        for n in range(circuit.volumes, circuit.pressures):
            fluid.p[n] = circuit.supply_pressure[n]
        pressure_derivatives(circuit, fluid)
        for n in range(circuit.volumes):
            rates[k, n] = fluid.pd[n]
        for n in range(circuit.valves):
            rates[k, circuit.volumes + n] = fluid.Ud[n]
