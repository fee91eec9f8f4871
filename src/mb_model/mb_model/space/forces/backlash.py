"""Free play on a coordinate in space, or between two places of bodies."""

from mb_model.forces.kinds import backlash
from mb_model.space.parts.acting import on_coordinate_or_line

FORCE = on_coordinate_or_line(backlash.FORCE)
