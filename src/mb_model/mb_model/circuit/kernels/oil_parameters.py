"""Numbers of a circuit that are not known well: what they are, and what depends on them.

Each is what the file says times a factor, whose logarithm is what derivatives are by.
"""

from enum import IntEnum

from numba import float64, int64

from mb_model.circuit.kernels.cylinder import friction_derivatives
from mb_model.jit import kernel, separate
from mb_model.record.hydraulics import CIRCUIT, FLUID


class OilParameter(IntEnum):
    """Which numbers of a circuit a factor changes."""

    SUPPLY = 0                # pressure of a supply; index: its pressure
    VALVE_FLOW = 1            # nominal flow of a valve; index: valve
    BULK_MODULUS = 2          # of the oil
    FRICTION = 3              # all friction forces of a cylinder; index: cylinder


@separate(CIRCUIT, CIRCUIT, FLUID, int64, int64, float64)
def scale_oil(circuit, nominal, fluid, kind, index, factor):
    """Give a circuit the numbers of another one times a factor > 0; kind: an OilParameter."""
    if kind == OilParameter.SUPPLY:
        circuit.supply_pressure[index] = fluid.p[index] = factor * nominal.supply_pressure[index]
    elif kind == OilParameter.VALVE_FLOW:
        for k in range(circuit.orifices):
            if circuit.orifice_valve[k] == index:
                circuit.orifice_coefficient[k] = factor * nominal.orifice_coefficient[k]
    elif kind == OilParameter.BULK_MODULUS:
        circuit.bulk_modulus = factor * nominal.bulk_modulus
    else:
        circuit.coulomb[index] = factor * nominal.coulomb[index]
        circuit.static[index] = factor * nominal.static[index]
        circuit.viscous[index] = factor * nominal.viscous[index]
        circuit.difference_friction[index] = factor * nominal.difference_friction[index]
        circuit.rod_friction[index] = factor * nominal.rod_friction[index]


@kernel
def _by_supply(circuit, fluid, supply, pd, force):
    """Add what the pressure of a supply changes, by its logarithm."""
    p = fluid.p[supply]
    for k in range(circuit.orifices):
        start, end = circuit.orifice_start[k], circuit.orifice_end[k]
        if start == supply and end < circuit.volumes:
            pd[end] += fluid.stiffness[end] * fluid.Q_drop[k] * p
        elif end == supply and start < circuit.volumes:
            pd[start] += fluid.stiffness[start] * fluid.Q_drop[k] * p
    for k in range(circuit.cylinders):
        piston_side, rod_side = circuit.chamber[2 * k], circuit.chamber[2 * k + 1]
        if supply in (piston_side, rod_side):
            _, _, by_piston, by_rod = friction_derivatives(
                circuit, k, fluid.sd[k], fluid.p[piston_side], fluid.p[rod_side])
            if piston_side == supply:
                force[k] += (circuit.area[2 * k] - by_piston) * p
            if rod_side == supply:
                force[k] -= (circuit.area[2 * k + 1] + by_rod) * p


@kernel
def _by_valve(circuit, fluid, valve, pd):
    """Add what the nominal flow of a valve changes, by its logarithm."""
    for k in range(circuit.orifices):
        if circuit.orifice_valve[k] != valve:
            continue
        start, end = circuit.orifice_start[k], circuit.orifice_end[k]
        if start < circuit.volumes:
            pd[start] -= fluid.stiffness[start] * fluid.Q[k]
        if end < circuit.volumes:
            pd[end] += fluid.stiffness[end] * fluid.Q[k]


@separate(CIRCUIT, FLUID, int64, int64, float64[::1], float64[::1])
def oil_by_parameter(circuit, fluid, kind, index, pd, force):
    """Write the derivatives of fluid.pd (v) and fluid.force (c) by the logarithm of a factor.

    kind: an OilParameter.  Needs what pressure.derivatives and cylinder.forces leave.
    """
    for n in range(circuit.volumes):
        pd[n] = 0.0
    for k in range(circuit.cylinders):
        force[k] = 0.0
    if kind == OilParameter.SUPPLY:
        _by_supply(circuit, fluid, index, pd, force)
    elif kind == OilParameter.VALVE_FLOW:
        _by_valve(circuit, fluid, index, pd)
    elif kind == OilParameter.BULK_MODULUS:
        for n in range(circuit.volumes):
            pd[n] = (fluid.stiffness[n] * fluid.content[n] / circuit.bulk_modulus) * fluid.pd[n]
    else:
        force[index] = -fluid.friction[index]
