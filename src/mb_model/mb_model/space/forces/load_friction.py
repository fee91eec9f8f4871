"""Friction of a drive in space that grows with its load."""

from mb_model.forces.kinds import load_friction
from mb_model.space.parts.acting import on_coordinate_or_line

FORCE = on_coordinate_or_line(load_friction.FORCE)
