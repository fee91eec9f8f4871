"""Control of a machine along trajectories; without ROS, for prototypes and experiments."""

from mb_simulation.control.control_loop import ControlLoop, ControlSettings
from mb_simulation.control.controller import Controller
from mb_simulation.control.motion import Motion, Trajectory
from mb_simulation.control.paths import Limits, line
from mb_simulation.control.planning import TrajectorySettings, plan
from mb_simulation.control.polynomial_trajectory import PolynomialTrajectory, chain

__all__ = ['ControlLoop', 'ControlSettings', 'Controller', 'Limits', 'Motion',
           'PolynomialTrajectory', 'Trajectory', 'TrajectorySettings', 'chain', 'line', 'plan']
