"""Noise of plant and sensors of the greatest likelihood over a moving window."""


from mb_estimators.kernels.innovation_share import plant_share, sensor_share
from mb_model.jit import entry, kernel


@entry
def adapt_maximum_likelihood(filters, adaptives, plant, sensors, steady):
    """Estimate f.acceleration_walk and f.sensor_variance anew, after a correction.

    plant (window, g + 1): terms of the sum of Eq. (91), and the times they took; sensors (window,
    channels): terms of Eq. (92).  Negative results become their absolute values, as in the source.
    Noise that has walked into the accelerations counts by the time it had.
    steady: leave P+ - f_x P f_x^T, which vanishes in the mean of a steady state, out of Eq. (91);
    the rest, K y y^T K^T, scatters less, and follows changes of P late.
    Source: Rodriguez et al. 2023, Sec. 10.1; for `steady` Mohamed and Schwarz 1999 (Q = K C K^T).
    """
    f, a = filters[0], adaptives[0]
    if a.plant == 1 and a.elapsed > 0.0:
        _adapt_plant(f, a, plant, steady)
    if a.sensors == 1:
        _adapt_sensors(f, a, sensors)
    a.elapsed = 0.0


@kernel
def _adapt_plant(f, a, plant, steady):
    """Eq. (91), of the accelerations alone: the others have no noise (Eq. 94)."""
    g, row = f.motion // 3, a.corrections % a.window
    a.corrections += 1
    plant[row, g] = a.elapsed
    time = plant[:, g].sum()
    for i in range(g):
        if steady:
            plant[row, i] = f.dx[2 * g + i] ** 2
        else:
            plant[row, i] = plant_share(f, 2 * g + i) + f.acceleration_walk[i] * a.elapsed
        walk = abs(plant[:, i].sum()) / time
        f.acceleration_walk[i] = max(walk, a.smallest_walk[i])


@kernel
def _adapt_sensors(f, a, sensors):
    """Eq. (92), of every channel with a reading."""
    for reading in range(f.count):
        channel = f.present[reading]
        sensors[a.taken[channel] % a.window, channel] = sensor_share(f, reading)
        a.taken[channel] += 1
        variance = abs(sensors[:, channel].mean())
        f.sensor_variance[channel] = max(variance, a.smallest_variance[channel])
