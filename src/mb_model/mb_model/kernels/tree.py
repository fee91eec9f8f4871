"""What the semi-recursive formulation asks of a tree of joints, in the plane or in space."""

from typing import Any

from mb_model.kernels import (
    added,
    joints,
    plane_loops,
    space_added,
    space_bodies,
    space_joints,
    space_loops,
)
from mb_model.kernels.storage import by_dimension, by_storage


def _by_dimension(name: str, plane: Any, space: Any) -> Any:
    """Return the function of that name; large mechanisms have trees in space alone."""
    return by_storage(by_dimension(getattr(plane, name), getattr(space, name)),
                      getattr(space, name))


pose_bodies = _by_dimension('pose_bodies', joints, space_joints)
move_bodies = _by_dimension('move_bodies', joints, space_joints)
accelerate_bodies = _by_dimension('accelerate_bodies', joints, space_joints)
spread = _by_dimension('spread', joints, space_joints)
rates_of_points = _by_dimension('rates_of_points', joints, space_joints)
added_values = _by_dimension('added_values', added, space_added)
added_rates = _by_dimension('added_rates', added, space_added)
added_accelerations = _by_dimension('added_accelerations', added, space_added)
forces_to_points = _by_dimension('forces_to_points', added, space_added)
add_loads = _by_dimension('add_loads', plane_loops, space_bodies)
add_bodies = _by_dimension('add_bodies', plane_loops, space_bodies)
closing_rows = _by_dimension('closing_rows', plane_loops, space_loops)
evaluate_loops = _by_dimension('evaluate_loops', plane_loops, space_loops)
loop_accelerations = _by_dimension('loop_accelerations', plane_loops, space_loops)
