"""Contacts of a robot, offline: no ROS, and many estimators for one simulation."""

from mb_simulation.contact_experiment.experiment import (
    ENCODERS,
    IMU,
    LATE_IMU,
    ContactExperiment,
    Detections,
)
from mb_simulation.contact_experiment.observed import ESTIMATOR, Observed
from mb_simulation.contact_experiment.robot_run import RobotRun, simulate_robot

__all__ = ['ENCODERS', 'ESTIMATOR', 'IMU', 'LATE_IMU', 'ContactExperiment', 'Detections',
           'Observed', 'RobotRun', 'simulate_robot']
