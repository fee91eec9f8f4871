"""What a correction says about the noise of plant and sensors: terms of Eqs. (91) and (92)."""

from mb_model.jit import kernel


@kernel
def plant_share(f, i):
    """Return dx dx^T - K S K^T of state i, which is dx dx^T + P+ - P-.

    Zero in the mean if f.acceleration_walk is right.  Source: Rodriguez et al. 2023, Eq. (91).
    """
    explained = 0.0
    for a in range(f.count):
        for b in range(f.count):
            explained += f.gain[i, a] * f.residual_covariance[a, b] * f.gain[i, b]
    return f.dx[i] * f.dx[i] - explained


@kernel
def sensor_share(f, a):
    """Return y y^T - H P- H^T of present reading a, in the mean the variance of its noise.

    Source: Rodriguez et al. 2023, Eq. (92).
    """
    predicted = f.residual_covariance[a, a] - f.variance[f.present[a]]
    return f.residual[a] * f.residual[a] - predicted
