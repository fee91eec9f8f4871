"""Multibody models: mechanisms, kinematics, dynamics, simulation."""

from mb_model.forces.kinds.load import Load
from mb_model.formulations import StepError, make_stepper
from mb_model.mechanism import Mechanism, load_mechanism
from mb_model.mechanism_file.description import (
    AssemblyError,
    MechanismError,
    SingularPositionError,
)
from mb_model.mechanism_file.file import mechanism_names
from mb_model.model_errors import ModelErrors, apply_model_errors
from mb_model.simulation.inputs import ForceTable
from mb_model.simulation.run import Run
from mb_model.simulation.simulate import simulate

__all__ = ['AssemblyError', 'ForceTable', 'Load', 'Mechanism', 'MechanismError', 'ModelErrors',
           'Run', 'SingularPositionError', 'StepError', 'apply_model_errors', 'load_mechanism',
           'make_stepper', 'mechanism_names', 'simulate']
