"""Errors of rates of orientations as their own bodies see them, which err in direction, too."""

from mb_model.jit import entry, kernel


@kernel
def see_rows(charts, g, zd, zdd, rows, share):
    """Turn rows (l, columns) of a matrix, see see_from_bodies; share: 0.5, back again -0.5."""
    accelerations = rows.shape[0] > 2 * g
    for k in range(charts.shape[0]):
        i0, i1, i2 = charts[k, 0], charts[k, 1], charts[k, 2]
        w0, w1, w2 = zd[i0], zd[i1], zd[i2]
        a0, a1, a2 = zdd[i0], zdd[i1], zdd[i2]
        square = w0 * w0 + w1 * w1 + w2 * w2
        for j in range(rows.shape[1]):
            x, y, z = rows[i0, j], rows[i1, j], rows[i2, j]
            rows[g + i0, j] += share * (w1 * z - w2 * y)
            rows[g + i1, j] += share * (w2 * x - w0 * z)
            rows[g + i2, j] += share * (w0 * y - w1 * x)
            if accelerations:
                along = w0 * x + w1 * y + w2 * z
                rows[2 * g + i0, j] += share * (a1 * z - a2 * y + along * w0 + square * x)
                rows[2 * g + i1, j] += share * (a2 * x - a0 * z + along * w1 + square * y)
                rows[2 * g + i2, j] += share * (a0 * y - a1 * x + along * w2 + square * z)


@entry
def see_from_bodies(charts, g, zd, zdd, matrix, both):
    """Write T matrix, with both sides T matrix T^T, of errors e, r, s of z, zd, zdd, in place.

    With the angular velocity w and acceleration a of a body, T leaves e, and makes r + w x e / 2
    of r, s + (a x e + w (w . e) + |w|^2 e) / 2 of s; see mb_model.kernels.chart_errors.
    charts (k, 3): places in z; zd, zdd (g); matrix (2g or 3g, columns), square with both sides.
    """
    see_rows(charts, g, zd, zdd, matrix, 0.5)
    if both:
        see_rows(charts, g, zd, zdd, matrix.T, 0.5)
