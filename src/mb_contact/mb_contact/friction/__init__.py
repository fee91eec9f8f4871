"""Friction of hydraulic cylinders, identified from their motion and pressures."""

from mb_contact.friction.fit import FrictionFit, FrictionFitSettings, fit_friction
from mb_contact.friction.samples import FrictionSamples

__all__ = ['FrictionFit', 'FrictionFitSettings', 'FrictionSamples', 'fit_friction']
