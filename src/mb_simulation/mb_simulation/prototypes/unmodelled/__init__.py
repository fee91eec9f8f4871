"""Physics that a prototype has and no model knows: in bodies, joints, hoses and pumps."""

from mb_simulation.prototypes.unmodelled.hydraulics import pressures_of_supplies, sensed_places
from mb_simulation.prototypes.unmodelled.machine import UnmodelledSettings, fastest, real_machine

__all__ = ['UnmodelledSettings', 'fastest', 'pressures_of_supplies', 'real_machine',
           'sensed_places']
