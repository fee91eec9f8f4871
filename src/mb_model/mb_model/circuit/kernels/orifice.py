"""Flow through valves and past pistons."""

from math import sqrt

from mb_model.jit import kernel


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
    or C max(0, -U); at U = 0 exactly its derivative is that of the closed side.
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
