"""What every formulation is asked, by its number."""

from mb_model.integration import dynamics, explicit, trapezoidal, trapezoidal_iteration
from mb_model.jit import entry
from mb_model.kernels import sparse_dynamics, step_state
from mb_model.kernels.storage import by_storage

_balance = by_storage(dynamics.balance, sparse_dynamics.balance)
_inverse = by_storage(dynamics.inverse_dynamics, sparse_dynamics.inverse_dynamics)
_choose, _accelerations = dynamics.choose_coordinates, dynamics.accelerations
_begin_renewal, _end_renewal = step_state.begin_renewal, step_state.end_renewal
_step_trapezoidal, _step_iteration = trapezoidal.step_formulation, trapezoidal_iteration.step
_step_explicit = explicit.step


@entry
def balance(models, works, formulation):
    """See integration.dynamics.balance."""
    return _balance(models[0], works[0], formulation)


@entry
def renew(models, works, formulation):
    """Find the accelerations of the present state anew if the forces from outside have changed.

    Returns False, the state unchanged, where they cannot be found.
    """
    model, work = models[0], works[0]
    return not _begin_renewal(model, work) or _end_renewal(
        model, work, _accelerations(model, work, formulation))


@entry
def start(models, works, formulation):
    """At what is integrated: choose coordinates, find the accelerations."""
    return (_choose(models[0], works[0], formulation)
            and _accelerations(models[0], works[0], formulation))


@entry
def inverse_dynamics(models, works, formulation):
    """See integration.dynamics.inverse_dynamics."""
    return _inverse(models[0], works[0], formulation)


@entry
def step_trapezoidal(models, works, h, formulation):
    """See integration.trapezoidal.step_formulation."""
    return _step_trapezoidal(models[0], works[0], h, formulation)


@entry
def step_explicit(models, works, h, formulation, tableau):
    """See integration.explicit.step."""
    return _step_explicit(models[0], works[0], h, formulation, tableau)


@entry
def step_trapezoidal_iteration(models, works, h, formulation):
    """See integration.trapezoidal_iteration.step."""
    return _step_iteration(models[0], works[0], h, formulation)
