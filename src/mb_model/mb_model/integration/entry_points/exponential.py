"""Exponential integrators."""

from mb_model.integration import exponential, exponential_rosenbrock
from mb_model.jit import entry

_step_exponential, _step_series = exponential_rosenbrock.step, exponential.step


@entry
def step_exponential(models, works, h, formulation):
    """See integration.exponential_rosenbrock.step."""
    return _step_exponential(models[0], works[0], h, formulation)


@entry
def step_exponential_series(models, works, h, formulation, order):
    """See integration.exponential.step."""
    return _step_series(models[0], works[0], h, formulation, order)
