"""Where the energy of the oil comes from and goes to."""


from mb_model.circuit.kernels.cylinder import forces
from mb_model.circuit.kernels.pressure import rates
from mb_model.jit import kernel
from mb_model.record.hydraulics import AIR_PRESSURE

SUPPLIED = 0      # by supplies, into orifices and chambers
STORED = 1        # in the oil and what widens around it
LOST = 2          # in orifices, friction and end stops
DELIVERED = 3     # to the mechanism by the cylinders, less friction, and by the end stops


@kernel
def _supply_power(circuit, fluid, side, flow):
    """Return the power that a supply or the air gives with a flow out of it, 0 of a volume [W]."""
    return (fluid.p[side] - AIR_PRESSURE) * flow if side >= circuit.volumes else 0.0


@kernel
def powers(circuit, fluid, out):
    """From fluid.s, sd, p, U write the powers to out (4) [W]: SUPPLIED = STORED + LOST + DELIVERED.

    Pressures count from the pressure of the air around, which takes no part then.
    """
    rates(circuit, fluid)
    forces(circuit, fluid)
    supplied = stored = lost = delivered = 0.0
    for k in range(circuit.orifices):
        start, end, flow = circuit.orifice_start[k], circuit.orifice_end[k], fluid.Q[k]
        supplied += (_supply_power(circuit, fluid, start, flow)
                     - _supply_power(circuit, fluid, end, flow))
        lost += (fluid.p[start] - fluid.p[end]) * flow
    for chamber in range(2 * circuit.cylinders):
        growth = (circuit.area[chamber] * (1.0 - 2.0 * (chamber % 2)) * fluid.sd[chamber // 2])
        supplied += _supply_power(circuit, fluid, circuit.chamber[chamber], growth)
    for n in range(circuit.volumes):
        stored += (fluid.p[n] - AIR_PRESSURE) * fluid.net_flow[n]
    for k in range(circuit.cylinders):
        lost += (fluid.friction[k] - fluid.stop_force[k]) * fluid.sd[k]
        delivered += (fluid.force[k] + fluid.stop_force[k]) * fluid.sd[k]
    out[SUPPLIED], out[STORED], out[LOST], out[DELIVERED] = supplied, stored, lost, delivered
