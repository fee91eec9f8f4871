"""Parameters of a machine's dynamics, identified from its motion and the forces of its drives."""

from mb_contact.dynamics.fit import DynamicsFit, fit_dynamics
from mb_contact.dynamics.samples import DynamicsFitSettings, DynamicsSamples

__all__ = ['DynamicsFit', 'DynamicsFitSettings', 'DynamicsSamples', 'fit_dynamics']
