"""Messages on a bad line."""

from mb_simulation.disturbance.disturbance import Disturbance
from mb_simulation.disturbance.disturbance_settings import KINDS, DisturbanceSettings

__all__ = ['KINDS', 'Disturbance', 'DisturbanceSettings']
