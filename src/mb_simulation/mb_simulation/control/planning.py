"""From settings to a trajectory that a mechanism can follow."""

from mb_simulation.control.circle import circle
from mb_simulation.control.limits import Limits
from mb_simulation.control.polynomial_trajectory import rest
from mb_simulation.control.reachable import require_reachable
from mb_simulation.control.rectangle import rectangle


def plan(mechanism, settings):
    """Return the Trajectory of TrajectorySettings, from the start of a Mechanism on.

    Raises OSError, ValueError in the user's words.
    """
    start, limits = mechanism.z0, Limits.of(mechanism, settings)
    if settings.kind in ('rectangle', 'circle') and limits.angles[:2] != (False, False):
        raise ValueError(f'trajectory.kind: a {settings.kind} needs a mechanism whose first two '
                         f'degrees of freedom are lengths, not {", ".join(mechanism.independent)}')
    if settings.kind == 'rectangle':
        if len(settings.size) != 2:
            raise ValueError(f'trajectory.size: {list(settings.size)} must be two numbers')
        trajectory = rectangle(start, settings.size, limits)
    elif settings.kind == 'circle':
        trajectory = circle(start, settings.radius, limits)
    elif settings.kind == 'file':
        # Imported here, as below: splines of scipy take a tenth of a second.
        from mb_simulation.control.trajectory_file import trajectory_file
        trajectory = trajectory_file(settings.file, mechanism, start, limits)
    elif settings.kind == 'random':
        from mb_simulation.control.random_motion import random_motion
        trajectory = random_motion(start, settings.reach, settings.turn, limits,
                                   settings.random_duration, settings.seed)
    else:
        trajectory = rest(start)
    require_reachable(mechanism, trajectory)
    return trajectory
