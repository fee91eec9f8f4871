"""Biases of sensors as states: constant offsets of readings, or such as walk randomly.

A channel reads h + bias + noise.  Its bias stands behind the states of motion, on which it has no
influence.
"""

from mb_model.jit import entry, kernel


@entry
def walk_biases(filters, h):
    """Let the variances of the biases grow for h [s]."""
    f = filters[0]
    for b in range(f.biases):
        f.P[f.motion + b, f.motion + b] += f.bias_walk[b] * h


@kernel
def add_biases(channels, f):
    """Add the estimated biases to what ideal sensors read, f.h."""
    if f.biases == 0:
        return
    for channel in range(channels.size):
        if f.bias_of[channel] >= 0:
            f.h[channel] += f.bias[f.bias_of[channel]]


@kernel
def observe_bias(f, row, channel):
    """Write the columns of f.H that belong to biases in the row of a channel."""
    for b in range(f.biases):
        f.H[row, f.motion + b] = 1.0 if b == f.bias_of[channel] else 0.0


@kernel
def correct_biases(f):
    """Add the correction f.dx to the biases."""
    for b in range(f.biases):
        f.bias[b] += f.dx[f.motion + b]
