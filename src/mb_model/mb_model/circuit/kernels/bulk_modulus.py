"""How stiff the oil in a volume is, with the hoses, pipes and barrels that widen around it."""

from mb_model.jit import kernel


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
    """Return that of oil with some air [1/Pa], finite at a pressure that cannot be."""
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
