"""Position constraint factor: the mechanism closes."""


from mb_model.jit import entry
from mb_model.kernel_api import evaluate_constraints as evaluate


@entry
def positions(model, work, a, q, e, J_a, row):
    """Error phi(q) (m) [m^2 or m]; q: its place in the node.

    With factors.tie, the one of independent coordinates.
    Source: Blanco-Claraco et al. 2021, Eqs. (24), (30).
    """
    for i in range(model.n):
        work.q[i] = a[q + i]
    evaluate(model, work.q, work.phi, work.phi_q)
    for k in range(model.m):
        e[row + k] = work.phi[k]
        for i in range(model.n):
            J_a[row + k, q + i] = work.phi_q[k, i]
