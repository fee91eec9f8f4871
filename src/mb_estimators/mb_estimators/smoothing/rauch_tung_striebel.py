"""The backward pass: corrections of earlier states by later readings."""

import numpy as np


def go_back(corrections, covariances, predicted, crossed):
    """Return the corrections of the states (m, l) of a filter's passage, and their covariances.

    corrections (m, l), covariances (m, l, l): after the readings of each point; predicted, crossed
    (m - 1, l, l): P_k+1|k, and C_k of the states before and after the prediction from point k.

        G_k = C_k P_k+1|k^-1,  d_k = G_k (d_k+1 + dx_k+1),
        P_k^s = P_k + G_k (P_k+1^s - P_k+1|k) G_k^T

    in terms of d_k, the smoothed state less the filtered one: x_k+1^s - x_k+1|k is d_k+1 and the
    correction dx_k+1.  For an error-state filter, whose errors are zero after a correction, d is
    all there is.  Source: Rauch, Tung and Striebel 1965; Sarkka 2008 for C_k by sigma points.
    """
    # By their scales: a position is known to 1e-4, a velocity and a force far worse.
    scale = np.sqrt(np.einsum('kii->ki', predicted))
    correlation = predicted / (scale[:, :, None] * scale[:, None, :])
    scaled = np.swapaxes(crossed, 1, 2) / scale[:, :, None]
    gains = np.swapaxes(np.linalg.solve(correlation, scaled) / scale[:, :, None], 1, 2)
    additions, smoothed = np.zeros_like(corrections), np.array(covariances)
    for k in range(len(gains) - 1, -1, -1):
        additions[k] = gains[k] @ (additions[k + 1] + corrections[k + 1])
        P = covariances[k] + gains[k] @ (smoothed[k + 1] - predicted[k]) @ gains[k].T
        smoothed[k] = 0.5 * (P + P.T)
    return additions, smoothed
