"""What authors of kernels and filters use: the equations of the model, and small algebra."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.bound import bound
    from mb_model.circuit.kernels.coupled_step import (
        push as push_cylinders,
        write_jacobian as write_coupled_jacobian,
    )
    from mb_model.circuit.kernels.cylinder import (
        forces as cylinder_forces,
        friction as cylinder_friction,
    )
    from mb_model.circuit.kernels.oil_parameters import OilParameter, oil_by_parameter, scale_oil
    from mb_model.circuit.kernels.pressure import derivatives as pressure_derivatives
    from mb_model.forces.kinds.load_friction import passed_on
    from mb_model.formulations.kinds.lagrange import solve as lagrange_accelerations
    from mb_model.formulations.tableaux import RK2, RK4
    from mb_model.integration.dynamics import accelerations
    from mb_model.integration.explicit import step as explicit_step
    from mb_model.integration.exponential_rosenbrock import substep as rosenbrock_substep
    from mb_model.integration.registry import MATRIX_R, PENALTY as PENALTY_FORMULATION
    from mb_model.integration.trapezoidal import step as trapezoidal_step
    from mb_model.integration.trapezoidal_iteration import step as trapezoidal_iteration_step
    from mb_model.kernels import entry_points
    from mb_model.kernels.acceleration import apply_acceleration, solve_acceleration
    from mb_model.kernels.chart_accelerations import (
        carry_accelerations,
        new_second_changes,
        write_second_change,
    )
    from mb_model.kernels.chart_errors import (
        carry_errors,
        carry_vectors,
        centre_references,
        new_changes as new_chart_changes,
    )
    from mb_model.kernels.chart_moves import derive_before, new_moves, refer_to, take_references
    from mb_model.kernels.charts import find_references, follow_reference, write_fixed
    from mb_model.kernels.constraint_products import bilinear, change_along, weighted_bilinear
    from mb_model.kernels.constraints import (
        curvature,
        evaluate as evaluate_constraints,
        second as second_derivatives,
        third as third_derivatives,
    )
    from mb_model.kernels.directions import kinematic_derivatives, rates_along
    from mb_model.kernels.efforts import pass_through_drives, passed_share
    from mb_model.kernels.equations_of_motion import (
        forces_and_rates,
        solve_large,
        stabilise,
    )
    from mb_model.kernels.force_elements import add_force
    from mb_model.kernels.forces import force_change
    from mb_model.kernels.index3_al import step as index3_al_step
    from mb_model.kernels.linear_algebra import (
        cholesky_factor,
        cholesky_solve,
        lu_factor,
        lu_solve,
        lu_solve_rows,
        solve_lower,
    )
    from mb_model.kernels.linearisation import (
        acceleration_derivatives,
        fastest_rates,
        force_by_state,
        force_derivative,
        linearise,
        prepare_derivatives,
        solve_column,
    )
    from mb_model.kernels.mass import (
        add_body as add_body_mass,
        add_gravity,
        mass_matrix,
        second_moment,
    )
    from mb_model.kernels.matrix_exponential import (
        SHORT as SHORT_NORM,
        exponential as matrix_exponential,
        short_exponential,
        shorten as shorten_matrix,
        square as square_matrix,
    )
    from mb_model.kernels.matrix_r import (
        forward_dynamics,
        inverse_dynamics,
        reduce_dynamics,
        reduce_mass,
        solve_accelerations,
        solve_multipliers,
    )
    from mb_model.kernels.model_change import model_change
    from mb_model.kernels.newton import has_converged
    from mb_model.kernels.parameter_derivative import parameter_derivative, parameter_jacobian
    from mb_model.kernels.parameters import Effect, set_parameter
    from mb_model.kernels.position import (
        SMALL,
        SOLVED,
        follow_position,
        reach_position,
        solve_position,
    )
    from mb_model.kernels.products import (
        add_by_transposed,
        add_congruence,
        add_information,
        add_product,
        congruence,
        information_gain,
        multiply,
        multiply_in_blocks,
        multiply_sparse,
        square_of_factor,
        times_factor,
    )
    from mb_model.kernels.programs import run as run_program
    from mb_model.kernels.rolling import stop_slips
    from mb_model.kernels.rolling_changes import differentiate_slips
    from mb_model.kernels.spatial_forces import add_element
    from mb_model.kernels.step_state import begin_accelerations, end_accelerations
    from mb_model.kernels.storage import (
        evaluate as evaluate_equations,
        prepare_velocity,
        solve_tangent,
    )
    from mb_model.kernels.time import add_driven, set_time
    from mb_model.kernels.transformation import apply_s, apply_s_transposed
    from mb_model.kernels.velocity import solve_velocity
    from mb_model.mechanism_file.programs import jet, motion_program
    from mb_model.record import DEPTH
    from mb_model.registry.spatial import IN_SPACE
    from mb_model.space.vectors import cross
    from mb_model.warm_up import warm_up, warm_up_steps
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
