"""Multibody models: mechanisms, kinematics, dynamics, simulation."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.assembly.body_motion import BodyMotion, point_positions
    from mb_model.assembly.branches import branches_in_space
    from mb_model.assembly.comparable_motion import (
        ComparableMotion,
        FreeOrientations,
        Motion,
        Turns,
        comparable_motion,
        independent_orientations,
        motion_difference,
        motion_errors,
        orientation_indices,
    )
    from mb_model.assembly.requirements import require_sensible
    from mb_model.circuit.circuit import Circuit, PressureDerivatives
    from mb_model.forces.kinds.load import Load
    from mb_model.formulations.stabilisation import (
        PenaltyInertiaSettings,
        PenaltySettings,
        StabilisationSettings,
    )
    from mb_model.hydraulics.fluid_stepper import FluidStepper, checked_commands
    from mb_model.hydraulics.hydraulic_stepper import HydraulicStepper
    from mb_model.hydraulics.simulate import simulate_hydraulics
    from mb_model.hydraulics.work_cycle import WorkCycle
    from mb_model.integration.registry import FORMULATIONS
    from mb_model.mechanism.mechanism import Mechanism, load_mechanism
    from mb_model.mechanism_file.description import (
        AssemblyError,
        MechanismError,
        SingularPositionError,
    )
    from mb_model.mechanism_file.file import mechanism_names
    from mb_model.model_errors import ModelErrors, apply_model_errors
    from mb_model.pictures.animation import animate, draw
    from mb_model.pictures.plotting import plot, title
    from mb_model.regressor import Needed, Regressor
    from mb_model.settings import INT64_MAX, LATEST, Description, SettingError, Settings, setting
    from mb_model.simulation.arrays import STATE
    from mb_model.simulation.energy import energy_balance
    from mb_model.simulation.error_estimate import IntegrationWarning
    from mb_model.simulation.held_forces import StampedHold
    from mb_model.simulation.inputs import ForceTable
    from mb_model.simulation.run import Run
    from mb_model.simulation.simulate import simulate
    from mb_model.simulation.stream import equal_steps
    from mb_model.space.forces.wrench import Wrench
    from mb_model.stepping.formulation_stepper import make_stepper
    from mb_model.stepping.stepper import StepError, Stepper
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
