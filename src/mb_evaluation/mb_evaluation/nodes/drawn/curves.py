"""Numbers over time as Rerun's plots show them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_evaluation.live.server import rerun
from mb_evaluation.nodes.drawn.marker import COLOURS
from mb_evaluation.panels.panel import REACH

BAND = (120, 170, 205)
NAMES = {'prototype': 'truth', 'model': 'model', 'observer': 'observer'}


class Curves:
    """Logs numbers of states, innovations, masses and forces to a recording."""

    def __init__(self, recording: Any):
        """Begin without any curve."""
        self._recording, self._known = recording, set()

    def motion(self, stream: str, names: Sequence[str], z: Sequence[float]):
        """Log the degrees of freedom of one of the simulations."""
        colour = [round(255.0 * part) for part in COLOURS[stream]]
        for name, value in zip(names, z, strict=True):
            self._log(f'motion/{name}/{NAMES[stream]}', value, f'{name}: {NAMES[stream]}', colour)

    def error(self, names: Sequence[str], error: Sequence[float], deviation: Sequence[float]):
        """Log errors of the observer, and how large it takes them to be (NaN: unknown)."""
        for name, value, sigma in zip(names, error, deviation, strict=True):
            self._log(f'error/{name}', value, name)
            self._band(f'error/{name}', name, 0.0, sigma)

    def nis(self, value: float, channels: int):
        """Log the normalized innovation squared of a number of channels."""
        if channels:
            self._log('nis/nis', value / channels, 'NIS per channel')
            self._log('nis/expected', 1.0, 'expected', BAND)

    def masses(self, names: Sequence[str], masses: Sequence[float], deviations: Sequence[float]):
        """Log masses with their intervals [kg]."""
        for name, mass, sigma in zip(names, masses, deviations, strict=True):
            self._log(f'mass/{name}', mass, name)
            self._band(f'mass/{name}', name, mass, sigma)

    def probabilities(self, names: Sequence[str], values: Sequence[float]):
        """Log how likely hypotheses on the machine are, by their names."""
        for number, (name, value) in enumerate(zip(names, values, strict=True)):
            self._log(f'probability/{number}', value, name)

    def forces(self, method: str, names: Sequence[str], forces: Sequence[float]):
        """Log forces from outside on degrees of freedom, by a method."""
        for name, force in zip(names, forces, strict=True):
            self._log(f'force/{name}/{method}', force, f'{name}: {method}'.replace('_', ' '))

    def _band(self, entity: str, name: str, middle: float, sigma: float):
        """Log the ends of a 95 % interval."""
        for end, side in (('low', -1.0), ('high', 1.0)):
            self._log(f'{entity}_{end}', middle + side * REACH * sigma, f'{name}: 95 %', BAND)

    def _log(self, entity: str, value: float, name: str, colour: Sequence[int] | None = None):
        """Log one number, if it is finite; name and colour are logged once."""
        if not np.isfinite(value):
            return
        sdk = rerun()
        if entity not in self._known:
            self._known.add(entity)
            self._recording.log(entity, sdk.SeriesLines(
                names=name, colors=None if colour is None else [colour]), static=True)
        self._recording.log(entity, sdk.Scalars(float(value)))
