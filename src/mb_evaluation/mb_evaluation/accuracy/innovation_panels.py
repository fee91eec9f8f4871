"""What the picture of a run shows of the innovations: themselves, their NIS, their spectrum."""

from matplotlib.ticker import LogLocator, NullLocator
import numpy as np

from mb_estimators.consistency import white_band
from mb_evaluation.accuracy.innovation_courses import (
    WINDOW,
    channels,
    heard,
    nis_course,
    spectrum_course,
)
from mb_evaluation.panels.looks import BAND, CHANNEL_COLOURS, TRUTH


def draw_innovations(innovation, nis, density, run):
    """Draw the innovations of an AccuracyLog on three axes."""
    shown = channels(run)
    _draw_innovation(innovation, run, shown)
    _draw_nis(nis, run, heard(run))
    _draw_spectrum(density, shown)


def _draw_innovation(axes, run, shown):
    """Normalized innovations of every channel: 95 % lie within +-1.96 if they are consistent."""
    axes.set_title('normalized innovation', loc='left')
    axes.axhspan(-1.96, 1.96, color=BAND, alpha=0.4, linewidth=0)
    for colour, (channel, innovations, values) in zip(CHANNEL_COLOURS, shown, strict=False):
        axes.plot(innovations.seconds(run.start), values, '.', markersize=1.8, color=colour,
                  label=channel)
    axes.set_ylim(-5.0, 5.0)
    axes.set_xlim(0.0, run.duration)
    if shown:
        axes.legend(loc='upper right', ncols=2, markerscale=5, edgecolor='none', framealpha=0.8)


def _draw_nis(axes, run, found):
    """Mean NIS per channel of every sensor over a sliding window, and where it may be."""
    axes.set_title(f'NIS per channel, mean over {WINDOW:g} s: 1 if consistent', loc='left')
    axes.set_xlabel('simulated time [s]')
    axes.set_xlim(0.0, run.duration)
    axes.set_yscale('log')
    axes.axhline(1.0, color=TRUTH, linewidth=0.6)
    for colour, innovations in zip(CHANNEL_COLOURS, found, strict=False):
        course = nis_course(innovations, run.start)
        if course is None:
            continue
        time, mean, interval = course
        axes.axhspan(*interval, color=BAND, alpha=0.4, linewidth=0)
        axes.plot(time, mean, color=colour, linewidth=1.1, label=innovations.sensor)
    bottom, top = axes.get_ylim()
    axes.set_ylim(min(bottom, 0.5), max(top, 2.0))
    axes.yaxis.set_major_locator(LogLocator(base=2.0))
    axes.yaxis.set_major_formatter('{x:g}')
    axes.yaxis.set_minor_locator(NullLocator())
    if len(found) > 1:
        axes.legend(loc='upper right', ncols=2, edgecolor='none', framealpha=0.8)


def _draw_spectrum(axes, shown):
    """Spectra of the normalized innovations beside that of white noise."""
    axes.set_title('spectrum of the innovation: flat if nothing is left to learn', loc='left')
    axes.set_xlabel('frequency [Hz]')
    axes.set_ylabel('density / white noise [dB]')
    segments = 1
    for colour, (_, innovations, values) in zip(CHANNEL_COLOURS, shown, strict=False):
        course = spectrum_course(values, innovations.rate)
        if course is None:
            continue
        frequencies, density, segments = course
        axes.plot(frequencies, density, color=colour, linewidth=1.1)
    low, high = 10.0 * np.log10(white_band(segments))
    axes.axhspan(low, high, color=BAND, alpha=0.4, linewidth=0, label='white noise, 95 %')
    axes.axhline(0.0, color=TRUTH, linewidth=0.6)
    bottom, top = axes.get_ylim()
    axes.set_ylim(min(bottom, -12.0), max(top, 12.0))
    axes.legend(loc='lower left', frameon=False)
