"""How readings fitted a prediction, while a correction goes on to better places to linearise at."""

from mb_model.jit import kernel


@kernel
def copy_innovation(source, target, count):
    """Copy residuals (count), their covariance and the NIS: from a filter to keep them, or back."""
    target.nis = source.nis
    for a in range(count):
        target.residual[a] = source.residual[a]
        for b in range(count):
            target.residual_covariance[a, b] = source.residual_covariance[a, b]
