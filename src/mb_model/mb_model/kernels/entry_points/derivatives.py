"""Derivatives of the accelerations: by the state, by forces, by parameters."""

from mb_model.jit import entry
from mb_model.kernels import linearisation, matrix_r, parameter_derivative

_forward = matrix_r.forward_dynamics
_linearise, _force_derivative = linearisation.linearise, linearisation.force_derivative
_parameter_jacobian = parameter_derivative.parameter_jacobian


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
