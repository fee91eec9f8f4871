"""Physics that a prototype has and no model knows: in bodies, joints, hoses and pumps."""

from mb_simulation.prototypes.unmodelled.hoses import sensed_places
from mb_simulation.prototypes.unmodelled.machine import fastest, real_machine
from mb_simulation.prototypes.unmodelled.pump import pressures_of_supplies
from mb_simulation.prototypes.unmodelled.settings import UnmodelledSettings

__all__ = ['UnmodelledSettings', 'fastest', 'pressures_of_supplies', 'real_machine',
           'sensed_places']
