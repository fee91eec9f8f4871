"""A step of the oil alone, while something else moves the cylinders."""

from math import isfinite

from numba import float64

from mb_model.circuit.kernels.cylinder import forces
from mb_model.circuit.kernels.pressure import derivatives, rates
from mb_model.circuit.kernels.rosenbrock import factor, first_increment, second_increment
from mb_model.jit import kernel, separate
from mb_model.record.hydraulics import CIRCUIT, FLUID


@kernel
def copy_fluid_rates(circuit, fluid, first):
    """Put pd and Ud into fluid.rate, from row `first` on."""
    for n in range(circuit.volumes):
        fluid.rate[first + n] = fluid.pd[n]
    for k in range(circuit.valves):
        fluid.rate[first + circuit.volumes + k] = fluid.Ud[k]


@kernel
def copy_fluid_derivatives(circuit, fluid, first):
    """Put the derivatives by p and U into fluid.jacobian, from row and column `first` on."""
    spools = first + circuit.volumes
    for n in range(circuit.volumes):
        for k in range(circuit.volumes):
            fluid.jacobian[first + n, first + k] = fluid.pd_p[n, k]
        for k in range(circuit.valves):
            fluid.jacobian[first + n, spools + k] = fluid.pd_U[n, k]
    for i in range(circuit.valves):
        for j in range(spools + circuit.valves):
            fluid.jacobian[spools + i, j] = 0.0
        fluid.jacobian[spools + i, spools + i] = fluid.Ud_U[i]


@kernel
def keep_fluid(circuit, fluid, first):
    """Copy p and U into fluid.x0, from row `first` on."""
    for n in range(circuit.volumes):
        fluid.x0[first + n] = fluid.p[n]
    for k in range(circuit.valves):
        fluid.x0[first + circuit.volumes + k] = fluid.U[k]


@kernel
def move_fluid(circuit, fluid, first, a, b):
    """Write p, U = x0 + a k1 + b k2; return whether all pressures are above zero."""
    possible = True
    for n in range(circuit.volumes):
        fluid.p[n] = fluid.x0[first + n] + a * fluid.k1[first + n] + b * fluid.k2[first + n]
        possible = possible and fluid.p[n] > 0.0 and isfinite(fluid.p[n])
    for k in range(circuit.valves):
        row = first + circuit.volumes + k
        fluid.U[k] = fluid.x0[row] + a * fluid.k1[row] + b * fluid.k2[row]
    return possible


@separate(CIRCUIT, FLUID, float64, float64[::1], float64[::1])
def step(circuit, fluid, h, s, sd):
    """Advance fluid.p, U by h [s] with the scheme of rosenbrock while s, sd go to those given (c).

    Leaves the forces of cylinders at the end.  Returns False, the state unchanged, where a
    pressure would not stay above zero: shorter steps do it.
    """
    n = circuit.volumes + circuit.valves
    derivatives(circuit, fluid)
    keep_fluid(circuit, fluid, 0)
    copy_fluid_rates(circuit, fluid, 0)
    copy_fluid_derivatives(circuit, fluid, 0)
    if factor(fluid, h, n):
        first_increment(fluid, n)
        possible = move_fluid(circuit, fluid, 0, h, 0.0)
        for k in range(circuit.cylinders):
            fluid.s0[k], fluid.sd0[k] = fluid.s[k], fluid.sd[k]
            fluid.s[k], fluid.sd[k] = s[k], sd[k]
        if possible:
            rates(circuit, fluid)
            copy_fluid_rates(circuit, fluid, 0)
            second_increment(fluid, n)
            if move_fluid(circuit, fluid, 0, 1.5 * h, 0.5 * h):
                forces(circuit, fluid)
                return True
        for k in range(circuit.cylinders):
            fluid.s[k], fluid.sd[k] = fluid.s0[k], fluid.sd0[k]
    move_fluid(circuit, fluid, 0, 0.0, 0.0)
    return False
