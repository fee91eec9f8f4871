"""Errors of sensitivity as states: a channel reads (1 + s) h + bias + noise.

s stands behind biases and mountings among the states; h is what the sensor reads as mounted.
"""

from mb_model.jit import kernel


@kernel
def observe_scales(f, y):
    """Let f.residual and f.H of the channels f.present know their errors of sensitivity.

    y: KINEMATIC, which says where they are.
    """
    if y.scales == 0:
        return
    for row in range(f.count):
        channel = f.present[row]
        b, bias = y.scale_of[channel], f.bias_of[channel]
        if b < 0:
            continue
        h = f.h[channel] - (f.bias[bias] if bias >= 0 else 0.0)
        f.residual[row] -= f.bias[b] * h
        for i in range(f.motion + f.biases):
            f.H[row, i] *= 1.0 + f.bias[b]
        if bias >= 0:
            f.H[row, f.motion + bias] = 1.0
        f.H[row, f.motion + b] = h
