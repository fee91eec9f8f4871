"""Forces of cylinders: of pressures, less the friction of seals, and of their end stops.

    F = F_bm(v) + (|p_piston - p_rod| C1 + (p_rod - p_air) C2) tanh(4 v / v_s)       friction
    F_bm = F_c tanh(4 w) + (F_s - F_c) w / (w^2 / 4 + 3/4)^2 + sigma v,      w = v / v_s

tanh stands for the sign of the velocity in the part that grows with pressures: it has the sign's
value, to 0.07 %, from the transition velocity v_s on, where the force of friction is known at
all.  Source: Pyrhonen et al. 2023b, Eqs. (51)-(53); pressures there are over the air's.

    F = k x max(0, 1 + c xd),      x: how far the piston is beyond the end           end stop

It pushes back only, is continuous when they meet, and damped like the contact of Hunt and Crossley
1975.
"""

from math import tanh

from mb_model.jit import kernel, separate
from mb_model.record.hydraulics import AIR_PRESSURE, CIRCUIT, FLUID


@kernel
def stop_force(circuit, k, s, sd):
    """Return (F, dF/ds, dF/dsd) on the length s of cylinder k, positive where it extends it [N]."""
    extended = s - circuit.retracted[k]
    beyond, outward = extended - circuit.stroke[k], 1.0
    if extended < 0.0:
        beyond, outward = -extended, -1.0
    harder = 1.0 + circuit.stop_damping[k] * outward * sd
    if beyond <= 0.0 or harder <= 0.0:
        return 0.0, 0.0, 0.0
    stiffness = circuit.stop_stiffness[k]
    return (-outward * stiffness * beyond * harder, -stiffness * harder,
            -stiffness * beyond * circuit.stop_damping[k])


@kernel
def friction(circuit, k, v, p_piston, p_rod):
    """Return F of cylinder k [N], against the velocity v [m/s]."""
    return friction_derivatives(circuit, k, v, p_piston, p_rod)[0]


@kernel
def friction_derivatives(circuit, k, v, p_piston, p_rod):
    """Return (F, dF/dv, dF/dp_piston, dF/dp_rod) of cylinder k."""
    scale = circuit.transition_velocity[k]
    w = v / scale
    flat, bulge = tanh(4.0 * w), 0.25 * w * w + 0.75
    sharp = 4.0 * (1.0 - flat * flat) / scale
    peak, peak_slope = w / (bulge * bulge), 0.75 * (1.0 - w * w) / (bulge ** 3 * scale)
    rise = circuit.static[k] - circuit.coulomb[k]
    difference = p_piston - p_rod
    level = (circuit.coulomb[k] + abs(difference) * circuit.difference_friction[k]
             + (p_rod - AIR_PRESSURE) * circuit.rod_friction[k])
    by_difference = flat * circuit.difference_friction[k]
    if difference < 0.0:
        by_difference = -by_difference
    return (level * flat + rise * peak + circuit.viscous[k] * v,
            level * sharp + rise * peak_slope + circuit.viscous[k],
            by_difference, flat * circuit.rod_friction[k] - by_difference)


@separate(CIRCUIT, FLUID)
def forces(circuit, fluid):
    """From fluid.p, s, sd write the forces on each cylinder, > 0 extends it [N], and derivatives.

    pressure_force = p_piston A_piston - p_rod A_rod - p_air (A_piston - A_rod), friction, force =
    pressure_force - friction, stop_force (not in force); force_sd (c), force_p (c, v), and
    stop_force_s, stop_force_sd (c).
    Source: Pyrhonen et al. 2023b, Eqs. (50), (54), whose pressures are over the air's.
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
