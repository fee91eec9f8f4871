"""Rates of pressures and spools, and their exact derivatives.

Of flows through valves and past pistons, and of how stiff the oil in a volume is with the hoses,
pipes and barrels that widen around it.
"""

from math import sqrt

from mb_model.jit import kernel, separate
from mb_model.record.hydraulics import CIRCUIT, FLUID


@kernel
def chamber_height(circuit, fluid, chamber):
    """Return (height of a cylinder's chamber, its derivative by the cylinder's length): h, 1 or -1.

    Not below zero: beyond the end of its stroke the piston has left no chamber.
    """
    cylinder = chamber // 2
    extended = fluid.s[cylinder] - circuit.retracted[cylinder]
    height, slope = (extended, 1.0) if chamber % 2 == 0 else (
        circuit.stroke[cylinder] - extended, -1.0)
    return (height, slope) if height > 0.0 else (0.0, 0.0)


@kernel
def barrel_compliance(circuit, fluid, chamber):
    """Return how much a chamber takes in per its volume and pressure, barrel and oil together.

    1 / B_oil + alpha p0 / p^2 + 1 / B_cyl [1/Pa]; the air, a share alpha of the volume at the
    pressure p0 of the air around, is compressed at a constant temperature.
    """
    return (oil_compressibility(circuit, fluid.p[circuit.chamber[chamber]])
            + 1.0 / circuit.barrel_modulus[chamber // 2])


@kernel
def oil_compressibility(circuit, p):
    """Return the compressibility of oil with some air [1/Pa], finite at impossible pressures."""
    p = max(p, 1.0)
    return 1.0 / circuit.bulk_modulus + circuit.air / (p * p)


@kernel
def stiffnesses(circuit, fluid):
    """From fluid.s, p write the volumes fluid.content and stiffness = B_e / V, stiffness_p.

        V / B_e = V (1 / B_oil + alpha p0 / p^2) + sum over the parts of V_k / B_k

    Source: Pyrhonen et al. 2023b, Eqs. (10), (11); they leave the air out.
    """
    for n in range(circuit.volumes):
        fluid.content[n] = circuit.volume[n]
        fluid.stiffness[n] = circuit.compliance[n]
    for chamber in range(2 * circuit.cylinders):
        n = circuit.chamber[chamber]
        if n < circuit.volumes:
            volume = circuit.area[chamber] * chamber_height(circuit, fluid, chamber)[0]
            fluid.content[n] += volume
            fluid.stiffness[n] += volume / circuit.barrel_modulus[chamber // 2]
    for n in range(circuit.volumes):
        p = max(fluid.p[n], 1.0)
        stiffness = 1.0 / (fluid.stiffness[n] + fluid.content[n] * oil_compressibility(circuit, p))
        fluid.stiffness[n] = stiffness
        fluid.stiffness_p[n] = (
            2.0 * stiffness * stiffness * fluid.content[n] * circuit.air / (p * p * p))


@kernel
def root_flow(drop, laminar):
    """Return sqrt|drop| with the sign of drop, a straight line where |drop| <= laminar; its slope.

    Source: Pyrhonen et al. 2023b, Eqs. (15), (30).
    """
    if abs(drop) <= laminar:
        slope = 1.0 / sqrt(laminar)
        return slope * drop, slope
    root = sqrt(abs(drop))
    return (root if drop > 0.0 else -root), 0.5 / root


@kernel
def flows(circuit, fluid):
    """From fluid.p, U write the flows fluid.Q, and Q_drop and Q_U, by pressure drop and spool.

    An orifice of a valve is open in proportion to the spool on its side of zero: K = C max(0, U)
    or C max(0, -U); at U = 0 exactly its derivative is as on the closed side.
    Source: Pyrhonen et al. 2023b, Eqs. (12), (13), (15), (30), (32).
    """
    for k in range(circuit.orifices):
        drop = fluid.p[circuit.orifice_start[k]] - fluid.p[circuit.orifice_end[k]]
        coefficient, valve = circuit.orifice_coefficient[k], circuit.orifice_valve[k]
        if circuit.orifice_laminar[k]:
            fluid.Q[k], fluid.Q_drop[k], fluid.Q_U[k] = coefficient * drop, coefficient, 0.0
            continue
        root, slope = root_flow(drop, circuit.laminar_pressure)
        opening, by_spool = 1.0, 0.0
        if valve >= 0:
            opening = circuit.orifice_sign[k] * fluid.U[valve]
            by_spool = circuit.orifice_sign[k] if opening > 0.0 else 0.0
            opening = max(opening, 0.0)
        fluid.Q[k] = coefficient * opening * root
        fluid.Q_drop[k] = coefficient * opening * slope
        fluid.Q_U[k] = coefficient * by_spool * root


@separate(CIRCUIT, FLUID)
def rates(circuit, fluid):
    """From fluid.s, sd, p, U, U_in write fluid.pd, Ud, net_flow, and all of flows, stiffnesses.

        pd = B_e / V (sum of inflows - growth of the chambers),     Ud = (U_in - U) / tau

    Source: Pyrhonen et al. 2023b, Eqs. (9), (16), (17), (18).
    """
    stiffnesses(circuit, fluid)
    flows(circuit, fluid)
    for n in range(circuit.volumes):
        fluid.net_flow[n] = 0.0
    for k in range(circuit.orifices):
        start, end = circuit.orifice_start[k], circuit.orifice_end[k]
        if start < circuit.volumes:
            fluid.net_flow[start] -= fluid.Q[k]
        if end < circuit.volumes:
            fluid.net_flow[end] += fluid.Q[k]
    for chamber in range(2 * circuit.cylinders):
        n = circuit.chamber[chamber]
        if n < circuit.volumes:
            fluid.net_flow[n] -= (
                circuit.area[chamber] * (1.0 - 2.0 * (chamber % 2)) * fluid.sd[chamber // 2])
    for n in range(circuit.volumes):
        fluid.pd[n] = fluid.stiffness[n] * fluid.net_flow[n]
    for k in range(circuit.valves):
        fluid.Ud[k] = (fluid.U_in[k] - fluid.U[k]) / circuit.time_constant[k]


@kernel
def _add_orifice(circuit, fluid, start, end, by_drop, by_spool, valve):
    """Add to pd_p and pd_U what the flow of an orifice from start to end makes."""
    for side, sign in ((start, -1.0), (end, 1.0)):
        if side >= circuit.volumes:
            continue
        stiffness = sign * fluid.stiffness[side]
        if start < circuit.volumes:
            fluid.pd_p[side, start] += stiffness * by_drop
        if end < circuit.volumes:
            fluid.pd_p[side, end] -= stiffness * by_drop
        if valve >= 0:
            fluid.pd_U[side, valve] += stiffness * by_spool


@separate(CIRCUIT, FLUID)
def derivatives(circuit, fluid):
    """From the same write all of rates, fluid.pd_s, pd_sd (v, c), pd_p (v, v), pd_U (v, u), Ud_U.

    pd_s, pd_sd are by the lengths of the cylinders and their rates, ds/dz of the paper put in.
    Source: Pyrhonen et al. 2023b, Eqs. (27)-(32); pd_p has what the air adds, beside (29)-(31).
    """
    rates(circuit, fluid)
    for n in range(circuit.volumes):
        for k in range(circuit.cylinders):
            fluid.pd_s[n, k] = fluid.pd_sd[n, k] = 0.0
        for k in range(circuit.volumes):
            fluid.pd_p[n, k] = 0.0
        fluid.pd_p[n, n] = fluid.stiffness_p[n] * fluid.net_flow[n]
        for k in range(circuit.valves):
            fluid.pd_U[n, k] = 0.0
    for chamber in range(2 * circuit.cylinders):
        n, k, area = circuit.chamber[chamber], chamber // 2, circuit.area[chamber]
        if n < circuit.volumes:
            compliance = barrel_compliance(circuit, fluid, chamber)
            fluid.pd_s[n, k] -= (fluid.stiffness[n] * fluid.pd[n] * area * compliance
                                 * chamber_height(circuit, fluid, chamber)[1])
            fluid.pd_sd[n, k] -= fluid.stiffness[n] * area * (1.0 - 2.0 * (chamber % 2))
    for k in range(circuit.orifices):
        _add_orifice(circuit, fluid, circuit.orifice_start[k], circuit.orifice_end[k],
                     fluid.Q_drop[k], fluid.Q_U[k], circuit.orifice_valve[k])
    for k in range(circuit.valves):
        fluid.Ud_U[k] = -1.0 / circuit.time_constant[k]
