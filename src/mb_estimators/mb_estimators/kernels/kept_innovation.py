"""How readings fitted a prediction, while a correction goes on to better places to linearise at."""

from mb_model.jit import kernel


@kernel
def keep_innovation(f, kept):
    """Keep residuals, their covariance and the NIS of the prediction in a record of these."""
    kept.nis = f.nis
    for a in range(f.count):
        kept.residual[a] = f.residual[a]
        for b in range(f.count):
            kept.residual_covariance[a, b] = f.residual_covariance[a, b]


@kernel
def restore_innovation(f, kept):
    """Write what keep_innovation has kept back to f."""
    f.nis = kept.nis
    for a in range(f.count):
        f.residual[a] = kept.residual[a]
        for b in range(f.count):
            f.residual_covariance[a, b] = kept.residual_covariance[a, b]
