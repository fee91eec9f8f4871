"""From settings to a trajectory that a mechanism can follow, far from singular positions.
"""

from dataclasses import dataclass

import numpy as np

from mb_model import INT64_MAX, Mechanism, MechanismError, Settings, setting
from mb_model.arrays import FloatArray
from mb_simulation.control.motion import Trajectory
from mb_simulation.control.paths import Limits, circle, rectangle
from mb_simulation.control.polynomial_trajectory import PolynomialTrajectory, rest

KINDS = ('none', 'hold', 'rectangle', 'circle', 'file', 'random')


@dataclass(frozen=True)
class TrajectorySettings(Settings):
    """The path of the degrees of freedom, and how fast it is."""

    kind: str = setting('none', choices=KINDS, help='The motion; none: no controller at all')
    size: tuple[float, ...] = setting(
        (0.26, 0.16), unit='m', above=0.0,
        help='Of the rectangle, along the first and second degree of freedom')
    radius: float = setting(0.1, unit='m', above=0.0, help='Of the circle')
    file: str = setting('', help='CSV file with columns t and the degrees of freedom')
    reach: float = setting(0.1, unit='m', above=0.0,
                           help='How far from the start lengths move at random')
    turn: float = setting(0.25, unit='rad', at_least=0.0,
                          help='How far from the start angles move at random')
    random_duration: float = setting(600.0, unit='s', above=0.0, at_most=1e5,
                                     help='Time until random motion repeats itself, at least')
    seed: int = setting(0, at_least=0, at_most=INT64_MAX,
                        help='Of the random motion')
    speed: float = setting(1.41, unit='m/s', above=0.0, help='Largest speed of lengths')
    acceleration: float = setting(12.4, unit='m/s^2', above=0.0,
                                  help='Largest acceleration of lengths')
    turning_speed: float = setting(4.0, unit='rad/s', above=0.0, help='Largest speed of angles')
    turning_acceleration: float = setting(40.0, unit='rad/s^2', above=0.0,
                                          help='Largest acceleration of angles')


def plan(mechanism: Mechanism, settings: TrajectorySettings) -> PolynomialTrajectory:
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
        from mb_simulation.control.splines import trajectory_file
        trajectory = trajectory_file(settings.file, mechanism, start, limits)
    elif settings.kind == 'random':
        from mb_simulation.control.splines import random_motion
        trajectory = random_motion(start, settings.reach, settings.turn, limits,
                                   settings.random_duration, settings.seed)
    else:
        trajectory = rest(start)
    require_reachable(mechanism, trajectory)
    return trajectory


_SPACING = 0.01             # of the instants that are tried [s]
_INSTANTS = 1000            # at most
_NEARLY_SINGULAR = 0.03     # least against largest singular value of the drives' Jacobian


def require_reachable(mechanism: Mechanism, trajectory: Trajectory) -> None:
    """Raise ValueError where a Trajectory has no position or comes near to a singular one.

    Both kinds of singular positions count: where the drives do not control the degrees of freedom,
    and where the degrees of freedom do not determine the motion.  Lengths count in sizes of the
    mechanism.
    """
    drives, rows = mechanism.indices(mechanism.drives), mechanism.indices(mechanism.independent)
    scale = mechanism.model['scale'][0]
    q, duration = mechanism.q0, trajectory.duration
    for t in np.linspace(0.0, duration, min(_INSTANTS, 2 + int(duration / _SPACING))):
        z = trajectory.at(t).z
        try:
            q = mechanism.assemble(z, near=q)
            J = mechanism.R(q)[drives]
        except MechanismError as error:
            raise _unreachable(mechanism, t, z, str(error)) from None
        values = np.linalg.svd(J * scale[rows] / scale[drives, None], compute_uv=False)
        if values[-1] < _NEARLY_SINGULAR * values[0]:
            raise _unreachable(mechanism, t, z, 'nearly singular')


def _unreachable(mechanism: Mechanism, t: float, z: FloatArray, reason: str) -> ValueError:
    pose = ', '.join(f'{name} = {value:.4g}' for name, value in
                     zip(mechanism.independent, z, strict=True))
    return ValueError(f'trajectory: at {t:.3f} s: {pose}: {reason}')
