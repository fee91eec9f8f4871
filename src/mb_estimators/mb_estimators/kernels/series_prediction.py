"""Prediction by exponential integration as published: the series of a low order, in one step."""


from mb_estimators.kernels.covariance import keep_positive, propagate
from mb_estimators.kernels.parameter_observation import accelerations_by_parameters
from mb_estimators.kernels.prediction import advance_independent
from mb_estimators.kernels.transition import series_transition
from mb_model.jit import entry
from mb_model.kernel_api import forward_dynamics, linearise


@entry
def predict_series(models, works, filters, exponentials, parameters, estimated, h, order):
    """Step z, zd by x + h Psi f(x), f = (zd, zdd); propagate P by the same transition.

    Parameters, which stay, change zdd: their columns of the transition are h Psi (0, zdd_s).

    Source: Pyrhonen et al. 2023a, Eqs. (24), (27), (54).  Returns False if the model cannot.
    """
    model, work, f, e = models[0], works[0], filters[0], exponentials[0]
    if not forward_dynamics(model, work):
        return False
    accelerations_by_parameters(model, work, parameters, estimated[0], e.zdd_s)
    linearise(model, work)
    series_transition(f, work.A, work.B, model.g, h, order)
    g, psi = model.g, f.matrix1
    for i in range(2 * g):
        f.dx[i] = 0.0
        for k in range(g):
            f.dx[i] += h * (psi[i, k] * work.zd[k] + psi[i, g + k] * work.zdd[k])
        for c in range(e.count):
            by_s = 0.0
            for k in range(g):
                by_s += h * psi[i, g + k] * e.zdd_s[k, c]
            f.transition[i, e.first + c] = by_s
    if not advance_independent(model, work, f.dx):
        return False
    propagate(f)
    _add_noise(f.P, f.acceleration_psd, work, g, h)
    _add_walk(f.P, e, g, h)
    return keep_positive(f)


@entry
def _add_noise(P, psd, work, g, h):
    """Add white noise of the accelerations over h [s], which B passes on within the step.

    Integral of [t I; I + t B] q_c [t I; I + t B]^T: Pyrhonen et al. 2023a, Eqs. (47)-(52), with
    B in place of its transpose where they leave that out.
    """
    B, square, cube = work.B, h * h / 2.0, h * h * h / 3.0
    for i in range(g):
        P[i, i] += psd[i] * cube
        for j in range(g):
            mixed = psd[i] * B[j, i] * cube + (psd[i] * square if i == j else 0.0)
            P[i, g + j] += mixed
            P[g + j, i] += mixed
        for j in range(i + 1):
            total = psd[i] * h if i == j else 0.0
            total += (psd[i] * B[j, i] + B[i, j] * psd[j]) * square
            for a in range(g):
                total += B[i, a] * psd[a] * B[j, a] * cube
            P[g + i, g + j] += total
            P[g + j, g + i] = P[g + i, g + j]


@entry
def _add_walk(P, e, g, h):
    """Add the random walk of the parameters over h [s], with what it does to the motion within.

    Integral of [t^2/2 zdd_s; t zdd_s; I] walk [t^2/2 zdd_s; t zdd_s; I]^T: A and B left out.
    """
    for c in range(e.count):
        column, walk = e.first + c, e.walk[c]
        for i in range(g):
            by_s = walk * e.zdd_s[i, c]
            for j in range(g):
                both = by_s * e.zdd_s[j, c]
                P[i, j] += both * h ** 5 / 20.0
                P[i, g + j] += both * h ** 4 / 8.0
                P[g + j, i] += both * h ** 4 / 8.0
                P[g + i, g + j] += both * h ** 3 / 3.0
            P[i, column] += by_s * h ** 3 / 6.0
            P[g + i, column] += by_s * h * h / 2.0
            P[column, i], P[column, g + i] = P[i, column], P[g + i, column]
        P[column, column] += walk * h
