"""What becomes of messages on a bad line."""

from mb_bringup.disturbance.disturbance import Disturbance
from mb_bringup.disturbance.settings import KINDS, DisturbanceSettings

__all__ = ['KINDS', 'Disturbance', 'DisturbanceSettings']
