"""Rates of pressures and spools, and their exact derivatives."""


from mb_model.circuit.kernels.bulk_modulus import barrel_compliance, chamber_height, stiffnesses
from mb_model.circuit.kernels.orifice import flows
from mb_model.jit import kernel, separate
from mb_model.record.hydraulics import CIRCUIT, FLUID


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
    for place, sign in ((start, -1.0), (end, 1.0)):
        if place >= circuit.volumes:
            continue
        stiffness = sign * fluid.stiffness[place]
        if start < circuit.volumes:
            fluid.pd_p[place, start] += stiffness * by_drop
        if end < circuit.volumes:
            fluid.pd_p[place, end] -= stiffness * by_drop
        if valve >= 0:
            fluid.pd_U[place, valve] += stiffness * by_spool


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
