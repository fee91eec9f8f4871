"""What Python calls: one compiled function per question, over arrays of one model and one work.

Kernels of a question are compiled, or loaded from the cache, when it is asked for the first time.
"""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.kernels.entry_points.derivatives import (
        force_derivative,
        linearise,
        parameter_jacobian,
    )
    from mb_model.kernels.entry_points.dynamics import (
        forward_dynamics,
        renew_index3_al,
        step_index3_al,
    )
    from mb_model.kernels.entry_points.energy import energies, energy_series
    from mb_model.kernels.entry_points.kinematics import (
        evaluate_constraints,
        fill_mass_matrix,
        follow_position,
        rest_driven,
        set_time,
        solve_acceleration,
        solve_position,
        solve_velocity,
    )
    from mb_model.kernels.space_loops import pose_tree, slope_loops
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
