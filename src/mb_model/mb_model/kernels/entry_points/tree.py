"""Trees of joints in space."""

from mb_model.jit import entry
from mb_model.kernels import space_joints, space_loops

_place_bodies, _evaluate_gaps = space_joints.place_bodies, space_loops.evaluate_gaps
_evaluate_loops = space_loops.evaluate_loops


@entry
def place_tree(models, works):
    """At s, turn: write pose, axis, the nodes of q, and gap of what may close loops."""
    _place_bodies(models[0], works[0])
    _evaluate_gaps(models[0], works[0])


@entry
def slope_loops(models, works):
    """At s, turn: do the same, and write gap_s of the loops."""
    _place_bodies(models[0], works[0])
    _evaluate_loops(models[0], works[0])
