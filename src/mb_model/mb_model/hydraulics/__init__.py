"""Hydraulics: fluid volumes, valves and cylinders that move a mechanism."""

from mb_model.hydraulics.circuit import Circuit, PressureDerivatives

__all__ = ['Circuit', 'PressureDerivatives']
