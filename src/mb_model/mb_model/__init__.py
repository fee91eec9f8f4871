"""Multibody models: mechanisms, kinematics, dynamics, simulation."""

from mb_model.description import MechanismError
from mb_model.formulations import StepError, make_stepper
from mb_model.mechanism import Mechanism, SingularPositionError, load_mechanism
from mb_model.mechanism_file import mechanism_names
from mb_model.model_errors import apply_model_errors
from mb_model.simulation import Run, simulate

__all__ = ['Mechanism', 'MechanismError', 'Run', 'SingularPositionError', 'StepError',
           'apply_model_errors', 'load_mechanism', 'make_stepper', 'mechanism_names', 'simulate']
