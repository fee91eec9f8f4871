"""What innovations at different instants have in common, as it depends on the noises."""

import numpy as np

from mb_model.arrays import FloatArray, IntArray


class Correlation:
    """Covariances of the innovations of a filter as linear functions of unknown noises.

    The error e of a prediction goes on as F (I - K H) e - F K v + w whatever gain K the filter has,
    and its innovation is H e + v.  Noises: the density of the plant noise, then the variance of
    each sensor; before them what is known, the covariance of the start and the walk of biases.
    Source: Mehra 1970, Sec. III.
    """

    def __init__(self, start: FloatArray, owner: IntArray, lags: int) -> None:
        """Begin with the covariance of the start (l, l).

        owner: the sensor of each channel; lags: for how long innovations are compared.
        """
        self._count = 2 + int(owner.max()) + 1
        self._noise = np.zeros((self._count, len(owner), len(owner)))     # of readings, of a unit
        for channel, sensor in enumerate(owner):
            self._noise[2 + sensor, channel, channel] = 1.0
        self._errors = np.zeros((self._count, *start.shape))    # covariance of e, of a unit of each
        self._errors[0] = start
        size, channels = len(start), len(owner)
        # of the last instants: covariance of e now with their innovations, these, their weights
        self._crossed = np.zeros((0, self._count, size, channels))
        self._past = np.zeros((0, 2, channels))
        self._lags = lags

    def advance(self, F: FloatArray, unit_noise: FloatArray, known_noise: FloatArray) -> None:
        """Move the errors on by a transition F (l, l) with noises (l, l)."""
        self._errors = F @ self._errors @ F.T
        self._errors[0] += known_noise
        self._errors[1] += unit_noise
        self._crossed = F @ self._crossed

    def observe(self, y: FloatArray, weight: FloatArray, H: FloatArray,
                K: FloatArray) -> FloatArray:
        """Take in an innovation (channels) of H (channels, l) and a gain K.

        weight: one over its expected deviation, 0 where a channel has no reading, as H and K are.
        Returns its normal equations (p, p + 1) of all noises that are not known, by the products of
        the innovation with itself and the past ones.
        """
        noise = self._noise * np.outer(weight > 0.0, weight > 0.0)
        own = H @ self._errors @ H.T + noise
        now = np.concatenate([own[np.newaxis], H @ self._crossed])
        products = np.concatenate([np.outer(y, y)[np.newaxis],
                                   y[:, np.newaxis] * self._past[:, 0][:, np.newaxis, :]])
        weights = np.concatenate([np.outer(weight, weight)[np.newaxis],
                                  weight[:, np.newaxis] * self._past[:, 1][:, np.newaxis, :]])
        rows = (now * weights[:, np.newaxis]).swapaxes(0, 1).reshape(self._count, -1)
        target = (products * weights).ravel() - rows[0]
        left = np.eye(len(K)) - K @ H
        crossed = self._errors @ H.T - K @ own
        self._crossed = np.concatenate([crossed[np.newaxis], left @ self._crossed])[:self._lags]
        self._past = np.concatenate([np.array([[y, weight]]), self._past])[:self._lags]
        self._errors = left @ self._errors @ left.T + K @ noise @ K.T
        return np.column_stack([rows[1:] @ rows[1:].T, rows[1:] @ target])
