"""A linearly implicit step: stable however stiff, two evaluations of the rates, one factorisation.

    (1 - g h J) k1 = f(x),    (1 - g h J) k2 = f(x + h k1) - 2 k1,    x += h (3 k1 + k2) / 2

of second order for any J, L-stable with g = 1 - 1 / sqrt(2).
Source: Verwer, Spee, Blom and Hundsdorfer 1999 (the scheme ROS2).
"""


from mb_model.jit import kernel
from mb_model.kernels.linear_algebra import lu_factor, lu_solve

GAMMA = 0.2928932188134524      # 1 - 1 / sqrt(2)


@kernel
def factor(fluid, h, n):
    """From fluid.jacobian (n, n) write the factors of 1 - g h J; return whether there are any."""
    for i in range(n):
        for j in range(n):
            fluid.newton[i, j] = -GAMMA * h * fluid.jacobian[i, j]
        fluid.newton[i, i] += 1.0
    return lu_factor(fluid.newton, fluid.pivots, n) != 0.0


@kernel
def first_increment(fluid, n):
    """From fluid.rate at the start write fluid.k1."""
    for i in range(n):
        fluid.k1[i] = fluid.rate[i]
    lu_solve(fluid.newton, fluid.pivots, fluid.k1, n)


@kernel
def second_increment(fluid, n):
    """From fluid.rate at x + h k1 write fluid.k2."""
    for i in range(n):
        fluid.k2[i] = fluid.rate[i] - 2.0 * fluid.k1[i]
    lu_solve(fluid.newton, fluid.pivots, fluid.k2, n)
