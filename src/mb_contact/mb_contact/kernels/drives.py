"""Forces of drives on the degrees of freedom."""

from mb_model.jit import kernel


@kernel
def load_torques(work, drives, torques):
    """Set the torques of the drives (d) [N or N m]."""
    for d in range(drives.count):
        work.coordinate_forces[drives.coordinate[d]] = torques[d]


@kernel
def drive_force(work, drives, k):
    """Return the force of the drives on degree of freedom k: J^-T torques, row k.

    J is the Jacobian from drives to degrees of freedom; J^-1 are rows of R.
    Source: Mohammad et al. 2025, Eq. (1), there F_m.
    """
    total = 0.0
    for d in range(drives.count):
        row = drives.coordinate[d]
        total += work.R[row, k] * work.coordinate_forces[row]
    return total
