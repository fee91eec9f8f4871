"""The state of a fixed-lag smoother's filter, to and from the newest node of its graph."""


from mb_estimators.factor_graph.factors.motion import move_to
from mb_estimators.kernels.correction import assess
from mb_estimators.kernels.exact_prediction import keep_force, predict_index3_exact
from mb_model.jit import entry
from mb_model.kernel_api import linearise, solve_multipliers


@entry
def predict(models, works, filters, h):
    """Step the model by h [s]; propagate f.P, whose forces stay; False: the model cannot."""
    return predict_index3_exact(models, works, filters, h) and keep_force(models, works, filters)


@entry
def assess_readings(models, works, channels, filters, readings):
    """See kernels.correction.assess."""
    return assess(models[0], works[0], channels, filters[0], readings)


@entry
def adopt(models, works, filters, node, inputs, near):
    """Put model and filter at a node (z, zd, forces, biases) of now; False: it has no position.

    inputs (g): known forces beside the node's; near (n_total): becomes its position.
    """
    model, work, f = models[0], works[0], filters[0]
    g = model.g
    if not move_to(model, work, node, work.t, 2 * g, inputs, near):
        return False
    solve_multipliers(model, work)
    linearise(model, work)
    for k in range(g):
        f.force[k] = node[2 * g + k]
    for b in range(f.biases):
        f.bias[b] = node[3 * g + b]
    return True
