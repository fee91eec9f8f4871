"""Multibody models: mechanisms, kinematics, dynamics, simulation."""

from mb_model.description import MechanismError
from mb_model.mechanism import Mechanism, load_mechanism

__all__ = ['Mechanism', 'MechanismError', 'load_mechanism']
