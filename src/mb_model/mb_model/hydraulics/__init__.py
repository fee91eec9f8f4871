"""Hydraulics: fluid volumes, valves and cylinders that move a mechanism."""

from mb_model.circuit.circuit import Circuit, PressureDerivatives
from mb_model.hydraulics.fluid_stepper import FluidStepper
from mb_model.hydraulics.hydraulic_stepper import HydraulicStepper
from mb_model.hydraulics.simulate import simulate_hydraulics
from mb_model.hydraulics.work_cycle import WorkCycle

__all__ = ['Circuit', 'FluidStepper', 'HydraulicStepper', 'PressureDerivatives',
           'WorkCycle', 'simulate_hydraulics']
