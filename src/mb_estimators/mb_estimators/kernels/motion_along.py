"""What sensors say about positions, velocities and accelerations along a recorded motion."""


from mb_estimators.kernels.motion_observation import list_present, observe_motion
from mb_model.jit import entry


@entry
def observe_along(models, works, channels, filters, readings, q, zd, zdd, H):
    """Write H (k, channels, 3g) by z, zd, zdd at positions q (k, n), solved, zd and zdd (k, g).

    readings (channels): finite ones.  Returns the number of the first singular position, or -1.
    """
    model, work, f = models[0], works[0], filters[0]
    g = model.g
    list_present(f, readings)
    for k in range(q.shape[0]):
        for i in range(model.n):
            work.q[i] = q[k, i]
        for i in range(g):
            work.zd[i], work.zdd[i] = zd[k, i], zdd[k, i]
        if not observe_motion(model, work, channels, f, readings):
            return k
        for row in range(channels.size):
            for j in range(3 * g):
                H[k, row, j] = f.H[row, j]
    return -1
