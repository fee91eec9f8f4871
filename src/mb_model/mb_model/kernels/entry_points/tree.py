"""Trees of joints in space."""

from mb_model.jit import entry
from mb_model.kernels import space_joints, space_loops

_place_bodies, _evaluate_gaps = space_joints.place_bodies, space_loops.evaluate_gaps


@entry
def place_tree(models, works):
    """At s, turn: write pose, axis, the nodes of q, and gap of what may close loops."""
    _place_bodies(models[0], works[0])
    _evaluate_gaps(models[0], works[0])
