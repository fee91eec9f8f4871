"""Linear factors: rules of integration, changes from node to node, and values that are given."""

from mb_model.jit import entry, kernel


@entry
def euler(a, b, x, rate, size, h, e, J_a, J_b, row):
    """Error x_b - x_a - h rate_a between the nodes a and b, h [s] apart.

    x, rate: where both (size) begin in a node.  Source: Blanco-Claraco et al. 2021, Eq. (22).
    """
    for i in range(size):
        e[row + i] = b[x + i] - a[x + i] - h * a[rate + i]
        J_a[row + i, x + i], J_b[row + i, x + i] = -1.0, 1.0
        J_a[row + i, rate + i] = -h


@entry
def trapezoidal(a, b, x, rate, size, h, e, J_a, J_b, row):
    """Error x_b - x_a - h/2 (rate_a + rate_b) between the nodes a and b, h [s] apart.

    x, rate: where both (size) begin in a node.  Source: Blanco-Claraco et al. 2021, Eq. (23).
    """
    half = 0.5 * h
    for i in range(size):
        e[row + i] = b[x + i] - a[x + i] - half * (a[rate + i] + b[rate + i])
        J_a[row + i, x + i], J_b[row + i, x + i] = -1.0, 1.0
        J_a[row + i, rate + i] = J_b[row + i, rate + i] = -half


@entry
def equality(a, b, x, size, e, J_a, J_b, row):
    """Error x_b - x_a.  Source: Blanco-Claraco et al. 2021, Secs. 5.2, 7.2 (f_eq)."""
    for i in range(size):
        e[row + i] = b[x + i] - a[x + i]
        J_a[row + i, x + i], J_b[row + i, x + i] = -1.0, 1.0


@entry
def even_change(model, a, b, c, qdd, h, e, J_a, J_b, J_c, row):
    """Error h^2 (a - 2 b + c) of the accelerations of the degrees of freedom (g), from qdd on.

    The trapezoidal rule leaves open whether velocities and accelerations swing from instant to
    instant; this factor chooses ones that do not.  An even change costs nothing, so the first and
    the last instant are as good as their neighbours.
    """
    for k in range(model.g):
        column = qdd + model.independent[k]
        e[row + k] = h * h * (a[column] - 2.0 * b[column] + c[column])
        J_a[row + k, column] = J_c[row + k, column] = h * h
        J_b[row + k, column] = -2.0 * h * h


@kernel
def force_walk(a, b, forces, weights, e, J_a, J_b, row):
    """Error weights (forces_b - forces_a) (g): what the change accelerates.

    forces: where they begin; weights (g, g): M_bar^-1 somewhere near, which makes a force on
    an angle and one on a distance comparable.
    """
    for i in range(len(weights)):
        e[row + i] = 0.0
        for k in range(len(weights)):
            e[row + i] += weights[i, k] * (b[forces + k] - a[forces + k])
            J_a[row + i, forces + k], J_b[row + i, forces + k] = -weights[i, k], weights[i, k]


@entry
def prior(a, x, value, size, e, J_a, row):
    """Error x_a - value.  Source: Blanco-Claraco et al. 2021, Eq. (21)."""
    for i in range(size):
        e[row + i] = a[x + i] - value[i]
        J_a[row + i, x + i] = 1.0


@entry
def desired(model, a, q, value, e, J_a, row):
    """Error q[independent] - value (g); q: where it begins in the node.

    Source: Blanco-Claraco et al. 2021, Eq. (21), Sec. 5.3.
    """
    for k in range(model.g):
        coordinate = q + model.independent[k]
        e[row + k] = a[coordinate] - value[k]
        J_a[row + k, coordinate] = 1.0
