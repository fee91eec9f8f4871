"""Control of a machine along trajectories; without ROS, for prototypes and experiments."""

from mb_bringup.control.control_loop import ControlLoop
from mb_bringup.control.control_settings import ControlSettings
from mb_bringup.control.controller import Controller
from mb_bringup.control.limits import Limits
from mb_bringup.control.line import line
from mb_bringup.control.motion import Motion, Trajectory
from mb_bringup.control.planning import plan
from mb_bringup.control.polynomial_trajectory import PolynomialTrajectory, chain
from mb_bringup.control.trajectory_settings import TrajectorySettings

__all__ = ['ControlLoop', 'ControlSettings', 'Controller', 'Limits', 'Motion',
           'PolynomialTrajectory', 'Trajectory', 'TrajectorySettings', 'chain', 'line', 'plan']
