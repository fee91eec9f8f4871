"""Innovations of a run over time and frequency, for its pictures."""

import numpy as np

from mb_estimators import mean_interval, spectrum
from mb_evaluation.panels.colours import CHANNELS

WINDOW = 1.0    # over which the NIS is averaged [s]
FEWEST = 16     # innovations that have a spectrum


def shown(run):
    """Return the Innovations of an AccuracyLog, as many as can be shown."""
    return [one for one in run.innovations.values() if one.stamps][:CHANNELS]


def channels(run):
    """Return (channel, Innovations, whitened values (k)) of as many as can be shown."""
    return [(channel, innovations, values)
            for innovations in run.innovations.values() if innovations.stamps
            for channel, values in zip(innovations.channels, np.transpose(innovations.whitened),
                                       strict=True)][:CHANNELS]


def nis_course(innovations, start):
    """Return (time (k) [s], mean NIS per channel over WINDOW (k), its 95 % interval), or None.

    start: of the run [ns].
    """
    count = round(WINDOW * innovations.rate) if len(innovations.stamps) > 1 else 1
    if len(innovations.stamps) < count:
        return None
    size = len(innovations.channels)
    mean = np.convolve(innovations.nis, np.full(count, 1.0 / count / size), 'valid')
    low, high = mean_interval(size, count)
    return innovations.seconds(start)[count - 1:], mean, (low / size, high / size)


def spectrum_course(values, rate):
    """Return (frequencies (k) [Hz], density over white noise's (k) [dB], segments), or None.

    values: whitened innovations of a channel; rate: of them [Hz].
    """
    if len(values) < FEWEST:
        return None
    frequencies, density, segments = spectrum(values, rate)
    return frequencies, 10.0 * np.log10(np.maximum(density * rate / 2.0, 1e-6)), segments
