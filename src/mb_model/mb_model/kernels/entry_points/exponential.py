"""Exponential integrators."""

from mb_model.jit import entry
from mb_model.kernels import exponential, exponential_rosenbrock

_step_exponential, _step_series = exponential_rosenbrock.step, exponential.step


@entry
def step_exponential(models, works, h, formulation):
    """See kernels.exponential_rosenbrock.step."""
    return _step_exponential(models[0], works[0], h, formulation)


@entry
def step_exponential_series(models, works, h, formulation, order):
    """See kernels.exponential.step."""
    return _step_series(models[0], works[0], h, formulation, order)
