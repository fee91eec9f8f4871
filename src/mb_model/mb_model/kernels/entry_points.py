"""What Python calls: one compiled function per question, over arrays of one model and one work."""


from mb_model.jit import entry
from mb_model.kernels import (
    acceleration,
    dynamics,
    energy,
    explicit,
    exponential,
    exponential_rosenbrock,
    forces,
    index3_al,
    linearisation,
    matrix_r,
    parameter_derivative,
    position,
    sparse_dynamics as sparse_dynamics,
    step_state,
    storage,
    time,
    trapezoidal,
    trapezoidal_iteration,
    velocity,
)
from mb_model.kernels.storage import by_storage

_evaluate, _follow, _solve_position = (
    storage.evaluate, position.follow_position, position.solve_position)
_solve_velocity, _solve_acceleration = velocity.solve_velocity, acceleration.solve_acceleration
_mass_matrix, _energies = storage.fill_mass_matrix, energy.energies
_forward = by_storage(matrix_r.forward_dynamics, sparse_dynamics.forward_dynamics)
_balance = by_storage(dynamics.balance, sparse_dynamics.balance)
_inverse = by_storage(dynamics.inverse_dynamics, sparse_dynamics.inverse_dynamics)
_choose, _accelerations = dynamics.choose_coordinates, dynamics.accelerations
_forces_changed, _keep, _restore = (
    step_state.forces_changed, step_state.keep_independent, step_state.restore_independent)
_SEMI_RECURSIVE = dynamics.SEMI_RECURSIVE
_rest_driven, _set_time = time.rest_driven, time.set_time
_power = forces.nonconservative_power
_multipliers = by_storage(matrix_r.solve_multipliers, sparse_dynamics.solve_multipliers)
_linearise = linearisation.linearise
_force_derivative, _parameter_jacobian = (
    linearisation.force_derivative, parameter_derivative.parameter_jacobian)
_step_index3, _step_explicit = index3_al.step, explicit.step
_step_exponential, _step_series = exponential_rosenbrock.step, exponential.step
_step_trapezoidal, _step_iteration = trapezoidal.step_formulation, trapezoidal_iteration.step


@entry
def fill_mass_matrix(models, works):
    """Write M, which every kernel of dynamics reads."""
    _mass_matrix(models[0], works[0])


@entry
def solve_position(models, works):
    """See kernels.position.solve_position."""
    return _solve_position(models[0], works[0])


@entry
def follow_position(models, works):
    """See kernels.position.follow_position."""
    return _follow(models[0], works[0])


@entry
def rest_driven(models, works):
    """See kernels.time.rest_driven."""
    _rest_driven(models[0], works[0])


@entry
def set_time(models, works, t):
    """See kernels.time.set_time."""
    _set_time(models[0], works[0], t)


@entry
def evaluate_constraints(models, works):
    """Write phi and phi_q at q."""
    _evaluate(models[0], works[0])


@entry
def solve_velocity(models, works):
    """See kernels.velocity.solve_velocity."""
    return _solve_velocity(models[0], works[0])


@entry
def solve_acceleration(models, works):
    """See kernels.acceleration.solve_acceleration."""
    return _solve_acceleration(models[0], works[0])


@entry
def forward_dynamics(models, works):
    """See kernels.matrix_r.forward_dynamics; writes the multipliers lam as well."""
    if not _forward(models[0], works[0]):
        return False
    _multipliers(models[0], works[0])
    return True


@entry
def balance(models, works, formulation):
    """See kernels.dynamics.balance."""
    return _balance(models[0], works[0], formulation)


@entry
def renew(models, works, formulation):
    """Find the accelerations of the present state anew if the forces from outside have changed.

    Returns False, the state unchanged, where they cannot be found.
    """
    model, work = models[0], works[0]
    if not _forces_changed(model, work):
        return True
    _keep(model, work)
    for row in range(model.m):
        work.lam0[row] = work.lam[row]
    if _accelerations(model, work, formulation):
        return True
    _restore(model, work)
    for row in range(model.m):
        work.lam[row] = work.lam0[row]
    return False


@entry
def start_joints(models, works):
    """At s, sd of the semi-recursive formulation: choose joints, find the accelerations."""
    return (_choose(models[0], works[0], _SEMI_RECURSIVE)
            and _accelerations(models[0], works[0], _SEMI_RECURSIVE))


@entry
def inverse_dynamics(models, works, formulation):
    """See kernels.dynamics.inverse_dynamics."""
    return _inverse(models[0], works[0], formulation)


@entry
def linearise(models, works):
    """Forward dynamics, then kernels.linearisation.linearise."""
    if not _forward(models[0], works[0]):
        return False
    _linearise(models[0], works[0])
    return True


@entry
def force_derivative(models, works):
    """Forward dynamics, then kernels.linearisation.force_derivative."""
    if not _forward(models[0], works[0]):
        return False
    _force_derivative(models[0], works[0], works[0].zdd_force)
    return True


@entry
def parameter_jacobian(models, works, records, out):
    """Forward dynamics, then kernels.parameter_derivative.parameter_jacobian."""
    if not _forward(models[0], works[0]):
        return False
    _parameter_jacobian(models[0], works[0], records, out)
    return True


@entry
def energies(models, works):
    """Return (kinetic, potential) energy [J] at q, qd."""
    return _energies(models[0], works[0])


@entry
def energy_series(models, works, q, qd, out):
    """Write, for each row of q, qd (k, n), to out (k, 4): kinetic and potential energy [J], power
    of constant forces and power lost [W].
    """
    model, work = models[0], works[0]
    for k in range(q.shape[0]):
        for row in range(q.shape[1]):
            work.q[row], work.qd[row] = q[k, row], qd[k, row]
        out[k, 0], out[k, 1] = _energies(model, work)
        out[k, 2], out[k, 3] = _power(model, work.q, work.qd)


@entry
def step_index3_al(models, works, h):
    """See kernels.index3_al.step."""
    return _step_index3(models[0], works[0], h)


@entry
def step_trapezoidal(models, works, h, formulation):
    """See kernels.trapezoidal.step_formulation."""
    return _step_trapezoidal(models[0], works[0], h, formulation)


@entry
def step_explicit(models, works, h, formulation, tableau):
    """See kernels.explicit.step."""
    return _step_explicit(models[0], works[0], h, formulation, tableau)


@entry
def step_trapezoidal_iteration(models, works, h, formulation):
    """See kernels.trapezoidal_iteration.step."""
    return _step_iteration(models[0], works[0], h, formulation)


@entry
def step_exponential(models, works, h, formulation):
    """See kernels.exponential_rosenbrock.step."""
    return _step_exponential(models[0], works[0], h, formulation)


@entry
def step_exponential_series(models, works, h, formulation, order):
    """See kernels.exponential.step."""
    return _step_series(models[0], works[0], h, formulation, order)
