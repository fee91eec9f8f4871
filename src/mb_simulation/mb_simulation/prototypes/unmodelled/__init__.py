"""Physics that a prototype has and no model knows: bodies that bend, hoses, ripple."""

from mb_simulation.prototypes.unmodelled.hoses import sensed_places
from mb_simulation.prototypes.unmodelled.machine import fastest, real_machine
from mb_simulation.prototypes.unmodelled.settings import UnmodelledSettings

__all__ = ['UnmodelledSettings', 'fastest', 'real_machine', 'sensed_places']
