"""Parameters of the model that the filter has estimated, beside those of the prototype."""

from dataclasses import dataclass, field

import numpy as np

from mb_evaluation.panels.looks import BAND, OBSERVER, TRUTH


@dataclass
class ParameterTrack:
    """Estimates of a parameter over time; truth: of the prototype, None where it has none."""

    name: str
    truth: float | None = None
    stamps: list = field(default_factory=list)          # [ns]
    values: list = field(default_factory=list)
    deviations: list = field(default_factory=list)

    def add(self, stamp, value, deviation):
        """Note an estimate and its standard deviation."""
        self.stamps.append(stamp)
        self.values.append(value)
        self.deviations.append(deviation)

    def figures(self):
        """Return the last estimate, its deviation and the truth."""
        return {'estimate': self.values[-1], 'deviation': self.deviations[-1], 'truth': self.truth}


def parameter_line(name, figures):
    """Return what was found of a parameter as a line of text."""
    truth = '' if figures['truth'] is None else f' (truth {figures["truth"]:.4g})'
    return f'{name} {figures["estimate"]:.5g} +- {figures["deviation"]:.2g}{truth}'


def draw_parameter(axes, track, start):
    """Draw a ParameterTrack with its band; start: of the run [ns]."""
    time = (np.array(track.stamps) - start) * 1e-9
    values, reach = np.array(track.values), 1.96 * np.array(track.deviations)
    axes.fill_between(time, values - reach, values + reach, color=BAND, alpha=0.5, linewidth=0,
                      label=r'$\pm 1.96\,\sigma$ claimed')
    axes.plot(time, values, color=OBSERVER, linewidth=1.4, label='observer')
    if track.truth is not None:
        axes.axhline(track.truth, color=TRUTH, linewidth=3.2, alpha=0.35, label='prototype (truth)')
    axes.set_title(f'parameter {track.name}', loc='left')
    axes.set_ylabel('unit of the file')
