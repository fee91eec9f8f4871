"""Forces of cylinders: of pressures and friction, and of their end stops."""

from mb_model.circuit.kernels.end_stop import stop_force
from mb_model.circuit.kernels.friction import friction_derivatives
from mb_model.jit import separate
from mb_model.record.hydraulics import AIR_PRESSURE, CIRCUIT, FLUID


@separate(CIRCUIT, FLUID)
def forces(circuit, fluid):
    """From fluid.p, s, sd write the forces on each cylinder, > 0 extends it [N], and derivatives.

    pressure_force = p_piston A_piston - p_rod A_rod - p_air (A_piston - A_rod), friction, force =
    pressure_force - friction, stop_force (not in force); force_sd (c), force_p (c, v), and
    stop_force_s, stop_force_sd (c).
    Source: Pyrhonen et al. 2023b, Eqs. (50), (54), whose pressures are over that of the air.
    """
    for k in range(circuit.cylinders):
        piston_side, rod_side = circuit.chamber[2 * k], circuit.chamber[2 * k + 1]
        piston, rod = circuit.area[2 * k], circuit.area[2 * k + 1]
        p_piston, p_rod = fluid.p[piston_side], fluid.p[rod_side]
        fluid.pressure_force[k] = (p_piston - AIR_PRESSURE) * piston - (p_rod - AIR_PRESSURE) * rod
        friction, by_velocity, by_piston, by_rod = friction_derivatives(
            circuit, k, fluid.sd[k], p_piston, p_rod)
        fluid.friction[k], fluid.force_sd[k] = friction, -by_velocity
        fluid.force[k] = fluid.pressure_force[k] - friction
        for n in range(circuit.volumes):
            fluid.force_p[k, n] = 0.0
        if piston_side < circuit.volumes:
            fluid.force_p[k, piston_side] = piston - by_piston
        if rod_side < circuit.volumes:
            fluid.force_p[k, rod_side] = -rod - by_rod
        fluid.stop_force[k], fluid.stop_force_s[k], fluid.stop_force_sd[k] = stop_force(
            circuit, k, fluid.s[k], fluid.sd[k])
