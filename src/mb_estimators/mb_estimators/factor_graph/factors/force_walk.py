"""Force walk factor: unknown forces walk randomly."""

from mb_model.jit import kernel


@kernel
def force_walk(a, b, forces, weights, e, J_a, J_b, row):
    """Error weights (forces_b - forces_a) (g): what the change accelerates.

    forces: their place; weights (g, g): M_bar^-1 somewhere near, which makes a force on an angle
    and one on a distance comparable.
    """
    for i in range(len(weights)):
        e[row + i] = 0.0
        for k in range(len(weights)):
            e[row + i] += weights[i, k] * (b[forces + k] - a[forces + k])
            J_a[row + i, forces + k], J_b[row + i, forces + k] = -weights[i, k], weights[i, k]
