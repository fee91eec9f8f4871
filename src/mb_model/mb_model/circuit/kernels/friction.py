"""Friction of a cylinder's seals.

    F = F_bm(v) + (|p_piston - p_rod| C1 + (p_rod - p_air) C2) tanh(4 v / v_s)
    F_bm = F_c tanh(4 w) + (F_s - F_c) w / (w^2 / 4 + 3/4)^2 + sigma v,      w = v / v_s

tanh stands for the sign of the velocity in the part that grows with pressures: it has the sign's
value, to 0.07 %, from the transition velocity v_s on, where the force of friction can be told at
all.  Source: Pyrhonen et al. 2023b, Eqs. (51)-(53); pressures there are over that of the air.
"""

from math import tanh

from mb_model.jit import kernel
from mb_model.record.hydraulics import AIR_PRESSURE


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
