"""Positions, velocities, accelerations and time."""

from mb_model.jit import entry
from mb_model.kernels import acceleration, position, storage, time, velocity

_evaluate, _mass_matrix = storage.evaluate, storage.fill_mass_matrix
_follow, _solve_position = position.follow_position, position.solve_position
_solve_velocity, _solve_acceleration = velocity.solve_velocity, acceleration.solve_acceleration
_rest_driven, _set_time = time.rest_driven, time.set_time


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
