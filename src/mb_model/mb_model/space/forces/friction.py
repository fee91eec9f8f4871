"""The law of forces.kinds.friction on a coordinate in space, or between two places of bodies."""

from mb_model.forces.kinds import friction
from mb_model.space.acting import on_coordinate_or_line

FORCE = on_coordinate_or_line(friction.FORCE)
