"""Messages on a bad line."""

from mb_simulation.disturbance.disturbance import Disturbance
from mb_simulation.disturbance.settings import KINDS, DisturbanceSettings

__all__ = ['KINDS', 'Disturbance', 'DisturbanceSettings']
