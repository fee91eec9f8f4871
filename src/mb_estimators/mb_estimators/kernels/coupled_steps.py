"""Prediction and correction of mechanism and oil together, with parameters of both."""

from math import log

from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    SINGULAR,
    begin_states,
    end_states,
    weigh_readings,
)
from mb_estimators.kernels.coupled_equations import (
    bring_up_to_date,
    change_oil,
    settle_coupled,
)
from mb_estimators.kernels.covariance import keep_positive
from mb_estimators.kernels.exponential_noise import move_on
from mb_estimators.kernels.hydraulic_kinematics import observe_states
from mb_estimators.kernels.motion_observation import list_present, observe_motion
from mb_estimators.kernels.parameters import change_model
from mb_estimators.kernels.sensor_states import observe_bias
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


@entry
def correct_coupled(models, works, circuits, nominals, fluids, channels, filters, hydraulics,
                    coupleds, parameters, estimated, readings):
    """Correct f.x, parameters and f.P by readings (NaN where there is none).

    Sensors of motion read accelerations as the equations of motion have them, whose derivatives by
    all states are in c.zdd_x.  Returns CORRECTED or why not; then all is as it was.
    """
    model, work, circuit, fluid = models[0], works[0], circuits[0], fluids[0]
    f, y, c, e = filters[0], hydraulics[0], coupleds[0], estimated[0]
    f.nis = 0.0
    list_present(f, readings)
    if y.direct == 0 and not (
            bring_up_to_date(model, work, circuit, fluid, f, y, c, parameters, e)
            and _observe_motion(model, work, channels, f, c, readings)):
        return SINGULAR
    for channel in range(channels.size):
        f.variance[channel] = f.sensor_variance[channel]
    observe_states(f, y, readings)
    _observe_supplies(circuit, f, y, c, readings)
    status = weigh_readings(f, True)
    if status != CORRECTED or f.count == 0:
        return status
    begin_states(f)
    _change_parameters(model, work, circuit, nominals[0], fluid, f, c, parameters, e)
    possible = settle_coupled(model, work, circuit, fluid, f, y, c)
    y.solved = 0      # derivatives there are missing
    status = end_states(f, CORRECTED if possible else IMPOSSIBLE)
    if status != CORRECTED:
        _change_parameters(model, work, circuit, nominals[0], fluid, f, c, parameters, e)
    return status


@kernel
def _observe_motion(model, work, channels, f, c, readings):
    """Do observe_motion; then write f.H by the states of this filter in place of z, zd, zdd."""
    g, motion = model.g, f.motion
    f.motion = 3 * g
    seen = observe_motion(model, work, channels, f, readings)
    f.motion = motion
    if not seen:
        return False
    for row in range(f.count):
        for k in range(g):
            c.by_zdd[k] = f.H[row, 2 * g + k]
        for i in range(2 * g, motion):
            f.H[row, i] = 0.0
        for k in range(g):
            if c.by_zdd[k] != 0.0:
                for i in range(motion):
                    f.H[row, i] += c.by_zdd[k] * c.zdd_x[k, i]
        observe_bias(f, row, f.present[row])
    return True


@kernel
def _observe_supplies(circuit, f, y, c, readings):
    """Write the rows of f.residual and H of the channels that read pressures of supplies.

    Logarithms of readings are linear in the states; residual and row are those times the pressure.
    """
    for row in range(f.count):
        channel = f.present[row]
        state = y.state_of[channel]
        if not c.first <= state < c.first + c.count:
            continue
        pressure = circuit.supply_pressure[c.index[state - c.first]]
        reading = readings[channel]
        if f.bias_of[channel] >= 0:
            reading -= f.bias[f.bias_of[channel]]
        f.H[row, state] = pressure
        f.residual[row] = (pressure * log(reading / pressure) if reading > 0.0
                           else reading - pressure)


@kernel
def _change_parameters(model, work, circuit, nominal, fluid, f, c, parameters, e):
    """Give model and circuit the parameters that f.x has."""
    change_oil(circuit, nominal, fluid, f, c)
    if e.count > 0:
        for a in range(e.count):
            e.s[a] = f.x[e.first + a]
        change_model(model, work, parameters, e, e.s)
