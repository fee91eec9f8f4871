"""Parameters of the model that the filter has estimated, beside the prototype's."""

from dataclasses import dataclass, field


@dataclass
class ParameterTrack:
    """Estimates of a parameter over time; truth: the prototype's value, None if it has none."""

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
    """Return the estimate of a parameter as a line of text."""
    truth = '' if figures['truth'] is None else f' (truth {figures["truth"]:.4g})'
    return f'{name} {figures["estimate"]:.5g} +- {figures["deviation"]:.2g}{truth}'
