"""How fast the linearised equations of the degrees of freedom can be."""

from math import sqrt

from mb_model.jit import kernel


@kernel
def fastest_rates(model, work):
    """After linearise: return bounds of the rates of vibration and of decay [1/s].

    That of work.A = dzdd/dz is a square root of its norm, that of work.B = dzdd/dzd its norm, in
    sizes of the coordinates.  An eigenvalue of [0, I; A, B] is at most their sum.
    """
    by_z, by_zd = 0.0, 0.0
    for i in range(model.g):
        of_row, of_rate, size = 0.0, 0.0, model.scale[model.independent[i]]
        for j in range(model.g):
            share = model.scale[model.independent[j]] / size
            of_row += share * abs(work.A[i, j])
            of_rate += share * abs(work.B[i, j])
        by_z, by_zd = max(by_z, of_row), max(by_zd, of_rate)
    return sqrt(by_z), by_zd
