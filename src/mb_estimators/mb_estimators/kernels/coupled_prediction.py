"""Prediction of mechanism and oil together by exponential integration."""

from mb_estimators.kernels.coupled_equations import bring_up_to_date
from mb_estimators.kernels.covariance import keep_positive
from mb_estimators.kernels.exponential_noise import move_on
from mb_model.jit import entry, kernel


@entry
def predict_coupled(models, works, circuits, fluids, filters, hydraulics, coupleds, parameters,
                    estimated, h):
    """Move all states on by h [s] under fluid.U_in by the exponential Rosenbrock rule; propagate P.

    x(h) = x + h Psi(h A) f, P(h) = exp(h A) P exp(h A)^T + noise, with the exact A = df/dx: of
    second order, stable however stiff the oil.
    Source: Pyrhonen et al. 2023b, Eqs. (34)-(38), for the states of Rodriguez et al. 2023,
    Sec. 7.3, reference [21].
    Returns False if there is no finite state, or no position of the mechanism, to go on to.
    """
    model, work, circuit, fluid = models[0], works[0], circuits[0], fluids[0]
    f, y, c, e = filters[0], hydraulics[0], coupleds[0], estimated[0]
    if not bring_up_to_date(model, work, circuit, fluid, f, y, c, parameters, e):
        return False
    _command(circuit, fluid, y, 2 * model.g + circuit.volumes)
    if not move_on(f, y, 0, h):
        return False
    return keep_positive(f) and bring_up_to_date(model, work, circuit, fluid, f, y, c, parameters,
                                                 e)


@kernel
def _command(circuit, fluid, y, first):
    """Write the rates of the spools, from a state on: commands may be others than before."""
    for k in range(circuit.valves):
        y.rates[first + k] = (fluid.U_in[k] - fluid.U[k]) / circuit.time_constant[k]
