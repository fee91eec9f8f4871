"""What Python calls: one compiled function per question, as in kernels.entry_points."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.integration.entry_points.exponential import (
        step_exponential,
        step_exponential_series,
    )
    from mb_model.integration.entry_points.formulations import (
        balance,
        inverse_dynamics,
        renew,
        start,
        step_explicit,
        step_trapezoidal,
        step_trapezoidal_iteration,
    )
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
