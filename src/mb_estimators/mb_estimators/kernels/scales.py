"""Errors of sensitivity as states: channel k reads h_k + sum_j s_kj h_j + bias + noise.

h is what ideal sensors read as mounted, j runs over the axes of the sensor: s_kk is an error of
scale, s_kj the angle by which axis k leans towards axis j.  The states stand behind biases and
mountings.
"""

from mb_model.jit import kernel


@kernel
def observe_scales(f, y):
    """Let f.residual and f.H of the channels f.present know their errors of sensitivity.

    y: KINEMATIC, which says where they are.  Overwrites f.crossed.  Where an axis has no reading,
    derivatives of the others leave out what they take of it.
    """
    if y.scales == 0:
        return
    begin, end = f.motion + y.offsets, f.motion + y.first_scale
    _keep_rows(f, y, end)
    for s in range(y.scales):
        row, read = y.row[y.target[s]], y.row[y.source[s]]
        if row < 0:
            continue
        state = y.first_scale + s
        share, bias = f.bias[state], f.bias_of[y.source[s]]
        h = f.h[y.source[s]] - (f.bias[bias] if bias >= 0 else 0.0)
        f.residual[row] -= share * h
        f.H[row, f.motion + state] = h
        if read < 0:
            continue
        for i in range(f.motion):
            f.H[row, i] += share * f.crossed[read, i]
        for i in range(begin, end):
            f.H[row, i] += share * f.crossed[read, i]


@kernel
def _keep_rows(f, y, end):
    """Write y.row, the row of every channel or -1, and what f.H has before scales to f.crossed."""
    for channel in range(y.row.size):
        y.row[channel] = -1
    for row in range(f.count):
        y.row[f.present[row]] = row
        for i in range(end):
            f.crossed[row, i] = f.H[row, i]
