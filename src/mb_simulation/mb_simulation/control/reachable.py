"""Whether a mechanism can follow a trajectory, far from singular positions."""

import numpy as np

from mb_model import MechanismError

_SPACING = 0.01             # of the instants that are tried [s]
_INSTANTS = 1000            # at most
_NEARLY_SINGULAR = 0.03     # least against largest singular value of the drives' Jacobian


def require_reachable(mechanism, trajectory):
    """Raise ValueError where a Trajectory has no position or comes near to a singular one.

    Both kinds of singular positions count: where the drives do not control the degrees of freedom,
    and where the degrees of freedom do not determine the motion.  Lengths count in sizes of the
    mechanism.
    """
    drives, places = mechanism.places(mechanism.drives), mechanism.places(mechanism.independent)
    scale = mechanism.model['scale'][0]
    q, duration = mechanism.q0, trajectory.duration
    for t in np.linspace(0.0, duration, min(_INSTANTS, 2 + int(duration / _SPACING))):
        z = trajectory.at(t).z
        try:
            q = mechanism.assemble(z, near=q)
            J = mechanism.R(q)[drives]
        except MechanismError as error:
            raise _unreachable(mechanism, t, z, str(error)) from None
        values = np.linalg.svd(J * scale[places] / scale[drives, None], compute_uv=False)
        if values[-1] < _NEARLY_SINGULAR * values[0]:
            raise _unreachable(mechanism, t, z, 'nearly singular')


def _unreachable(mechanism, t, z, reason):
    pose = ', '.join(f'{name} = {value:.4g}' for name, value in
                     zip(mechanism.independent, z, strict=True))
    return ValueError(f'trajectory: at {t:.3f} s: {pose}: {reason}')
