"""Values of estimated parameters, and the model with them."""

from math import exp

from mb_model.jit import entry, kernel
from mb_model.kernel_api import mass_matrix, place_fixed, set_parameter


@kernel
def value_by_s(parameters, e, k):
    """Return dp/ds of parameter k."""
    return parameters[k].value if e.positive[k] == 1 else e.unit[k]


@kernel
def change_model(model, work, parameters, e, s):
    """Give the model the parameters that belong to s (p); work.M and the fixed points follow.

    e: an AUGMENTED or DUAL record.  The position is to be solved again.
    """
    for k in range(e.count):
        value = e.start[k] + e.unit[k] * s[k]
        if e.positive[k] == 1:
            value = e.start[k] * exp(s[k])
        set_parameter(model, parameters[k], value)
    mass_matrix(model, work.M)
    place_fixed(model, work)


@entry
def use_parameter_values(models, works, parameters, estimated, s):
    """Note the numbers s (p), and give the model their parameters; see change_model."""
    e = estimated[0]
    for k in range(e.count):
        e.s[k] = s[k]
    change_model(models[0], works[0], parameters, e, e.s)


@entry
def restart_parameters(models, works, parameters, estimated):
    """Go back to the values of the mechanism file."""
    e = estimated[0]
    for k in range(e.count):
        e.s[k] = 0.0
    change_model(models[0], works[0], parameters, e, e.s)
