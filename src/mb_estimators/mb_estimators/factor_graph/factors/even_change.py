"""Even change factor: accelerations change evenly over three instants."""

from mb_model.jit import entry


@entry
def even_change(model, a, b, c, qdd, h, e, J_a, J_b, J_c, row):
    """Error h^2 (a - 2 b + c) of the accelerations of the degrees of freedom (g), at places qdd.

    The trapezoidal rule leaves open whether velocities and accelerations swing from instant to
    instant; this factor chooses ones that do not.  An even change costs nothing, so the first and
    the last instant are as good as their neighbours.
    """
    for k in range(model.g):
        place = qdd + model.independent[k]
        e[row + k] = h * h * (a[place] - 2.0 * b[place] + c[place])
        J_a[row + k, place] = J_c[row + k, place] = h * h
        J_b[row + k, place] = -2.0 * h * h
