"""Noise of plant and sensors, and the means of both, in a memory that fades."""


from mb_estimators.kernels.innovation_share import plant_share, sensor_share
from mb_model.jit import entry


@entry
def adapt_sage_husa(filters, adaptives):
    """Estimate f.acceleration_walk, f.sensor_variance and means of both, after a correction.

    Each becomes (1 - d) times what it was and d times what the correction says, d = 1 / window.
    Means are a.drift, and a.mean of channels that are a.centred, whose readings come without it.
    Source: Sage and Husa 1969; Rodriguez et al. 2023, Sec. 10.
    """
    f, a = filters[0], adaptives[0]
    part = 1.0 / a.window
    if a.plant == 1 and a.elapsed > 0.0:
        g = f.motion // 3
        for i in range(g):
            a.drift[i] += part * f.dx[2 * g + i] / a.elapsed
            walk = f.acceleration_walk[i] + part * plant_share(f, 2 * g + i) / a.elapsed
            f.acceleration_walk[i] = max(walk, a.smallest_walk[i])
    if a.sensors == 1:
        for reading in range(f.count):
            channel = f.present[reading]
            variance = (1.0 - part) * f.sensor_variance[channel] + part * sensor_share(f, reading)
            f.sensor_variance[channel] = max(variance, a.smallest_variance[channel])
            if a.centred[channel] == 1:
                a.mean[channel] += part * f.residual[reading]
    a.elapsed = 0.0


@entry
def drift(works, filters, adaptives, h):
    """Let the accelerations drift for h [s] by the mean of their noise: a force M_bar drift h."""
    work, f, a = works[0], filters[0], adaptives[0]
    g = f.motion // 3
    for k in range(g):
        for j in range(g):
            f.force[k] += work.M_bar[k, j] * a.drift[j] * h
