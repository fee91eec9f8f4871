"""Pose and velocity from the encoders of the drives alone, as a robot without an IMU has them."""

import numpy as np

from mb_simulation.contact_experiment.observed import Observed


def differentiate(mechanism, stamps, drives):
    """Return Observed of readings of the drives (k, d): poses, and the slopes between two.

    Velocities come from forward kinematics, neither filtered nor late, as a momentum observer
    has them in Mohammad et al. 2025; there are no accelerations (zeros) and no covariance.
    stamps (k) [ns].  Raises MechanismError.
    """
    q = [mechanism.forward_kinematics(mechanism.drives, drives[0])]
    for row in drives[1:]:
        q.append(mechanism.forward_kinematics(mechanism.drives, row, near=q[-1]))
    q = np.array(q)
    z = q[:, mechanism.places(mechanism.independent)]
    zd = np.zeros_like(z)
    zd[1:] = np.diff(z, axis=0) / (1e-9 * np.diff(stamps))[:, None]
    return Observed(stamps, stamps, z, zd, np.zeros_like(z), np.empty((len(z), 0, 0)), q)
