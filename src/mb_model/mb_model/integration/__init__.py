"""Every formulation by its number, and integrators of their equations, compiled.

Exported are the functions that Python calls, over arrays of one model and one work.
"""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.integration.dynamics import balance, inverse_dynamics, renew, start
    from mb_model.integration.explicit import step_explicit
    from mb_model.integration.exponential import step_exponential_series
    from mb_model.integration.exponential_rosenbrock import step_exponential
    from mb_model.integration.trapezoidal import step_trapezoidal
    from mb_model.integration.trapezoidal_iteration import step_trapezoidal_iteration
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
