"""Elastoplastic friction on a coordinate in space, or between two places of bodies."""

from mb_model.forces.kinds import elastoplastic
from mb_model.space.parts.acting import on_coordinate_or_line

FORCE = on_coordinate_or_line(elastoplastic.FORCE)
