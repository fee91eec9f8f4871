"""Control of a machine along trajectories; without ROS, for prototypes and experiments."""

from mb_simulation.control.control_loop import ControlLoop
from mb_simulation.control.control_settings import ControlSettings
from mb_simulation.control.controller import Controller
from mb_simulation.control.limits import Limits
from mb_simulation.control.line import line
from mb_simulation.control.motion import Motion, Trajectory
from mb_simulation.control.planning import plan
from mb_simulation.control.polynomial_trajectory import PolynomialTrajectory, chain
from mb_simulation.control.trajectory_settings import TrajectorySettings

__all__ = ['ControlLoop', 'ControlSettings', 'Controller', 'Limits', 'Motion',
           'PolynomialTrajectory', 'Trajectory', 'TrajectorySettings', 'chain', 'line', 'plan']
