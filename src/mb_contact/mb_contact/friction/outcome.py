"""What becomes of a fit: parameters as a file of overrides, and a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure, SubFigure
import numpy as np

from mb_contact.friction.fit import FrictionFit
from mb_contact.friction.law import CYLINDER
from mb_model.arrays import FloatArray, IntArray
from mb_model.file_api import overrides_text

_DIGITS = 5
_BINS = (120, 90)           # of the histogram
_MEDIAN_BINS = 60
_FEWEST = 5                 # samples that a median needs
_SAMPLES, _MEDIAN, _FIT = 'Blues', '#1a1a1a', '#d1622b'


def friction_overrides(fits: Mapping[str, FrictionFit]) -> dict[str, Any]:
    """Return {cylinder or force: FrictionFit} as overrides of a mechanism, for Mechanism.replace.

    Only fitted parameters; static friction follows Coulomb friction.
    """
    numbers = {name: {key: float(f'{fit.parameters[key]:.{_DIGITS}g}')
                      for key in _order(fit) if _is_written(fit, key)}
               for name, fit in fits.items()}
    if any(fit.law is not CYLINDER for fit in fits.values()):
        return {'forces': numbers}
    return {'hydraulics': {'cylinders': {
        name: {'friction': one} for name, one in numbers.items()}}}


def friction_text(fits: Mapping[str, FrictionFit], mechanism: str,
                  comments: Sequence[str] = ()) -> str:
    """Return a mechanism file with the friction of {cylinder or force: FrictionFit}.

    mechanism: name or absolute path of the file it extends; comments: lines at the top.
    """
    lines = []
    for name, fit in fits.items():
        lines.append(f'{name}, 1 sigma: ' + ', '.join(
            f'{key} {deviation_text(fit, key)}' for key in _order(fit)))
        lines += [f'{name}: {text}' for text in (*(one.text for one in fit.doubts), *fit.notes)]
    return overrides_text(mechanism, friction_overrides(fits), (*comments, *lines))


def deviation_text(fit: FrictionFit, key: str) -> str:
    """Return the deviation of a parameter of a FrictionFit, or that it is as in the mechanism."""
    return f'{fit.deviations[key]:.2g}' if key in fit.deviations else 'kept'


def _order(fit: FrictionFit) -> tuple[str, ...]:
    return (*fit.law.linear, 'transition_velocity')


def _is_written(fit: FrictionFit, key: str) -> bool:
    return key not in fit.kept or fit.law.excess.get(key, key) not in fit.kept


def draw_friction(fits: Mapping[str, FrictionFit], path: str | Path) -> None:
    """Write the picture of FrictionFits by name; path ends in .png, .pdf or .svg."""
    figure = Figure(figsize=(11.0, 5.6 * len(fits)), layout='constrained')
    FigureCanvasAgg(figure)
    for part, (name, fit) in zip(np.atleast_1d(figure.subfigures(len(fits), 1)), fits.items(),
                                 strict=True):
        _draw(part, name, fit)
    figure.savefig(path, dpi=130, facecolor='white')


def _draw(figure: SubFigure, name: str, fit: FrictionFit) -> None:
    """Draw friction over velocity, the residuals, and the parameters."""
    figure.suptitle(f'{name}: friction, {len(fit.samples)} samples', x=0.01, ha='left',
                    fontweight='bold')
    left, right = figure.subfigures(1, 2, width_ratios=(1.7, 1.0))
    curve, rest = left.subplots(2, 1, sharex=True, height_ratios=(2.2, 1.0))
    force_unit = fit.law.units[fit.law.linear[0]]
    velocity, force = fit.samples.velocity, fit.samples.force
    edges = np.linspace(velocity.min(), velocity.max(), _BINS[0] + 1)
    image = curve.hist2d(velocity, force, bins=(edges, _BINS[1]), norm=LogNorm(vmin=1),
                         cmap=_SAMPLES)[3]
    figure.colorbar(image, ax=curve, label='samples', pad=0.01)
    middle, groups = _groups(velocity)
    curve.plot(middle, [np.median(force[group]) for group in groups], color=_MEDIAN, lw=1.4,
               label='median of the samples')
    fitted = force - fit.residual
    curve.plot(middle, [np.median(fitted[group]) for group in groups], color=_FIT, lw=1.8,
               ls='--', label='median of the fitted curve at the same samples')
    curve.set_ylabel(f'friction [{force_unit}]')
    curve.legend(frameon=False, fontsize=9)
    rest.hist2d(velocity, fit.residual, bins=(edges, _BINS[1] // 2), norm=LogNorm(vmin=1),
                cmap=_SAMPLES)
    rest.plot(middle, [np.median(fit.residual[group]) for group in groups], color=_MEDIAN, lw=1.2)
    rest.axhline(0.0, color=_FIT, lw=1.0, ls='--')
    rest.set(ylabel=f'left over [{force_unit}]',
             xlabel=f'velocity of the {fit.law.what} [{fit.law.unit}]')
    for axes in (curve, rest):
        axes.spines[['top', 'right']].set_visible(False)
    _write(right, fit)


def _groups(velocity: FloatArray) -> tuple[FloatArray, list[IntArray]]:
    """Return the middles of bins of velocity with enough samples in them, and which those are."""
    edges = np.linspace(velocity.min(), velocity.max(), _MEDIAN_BINS + 1)
    inside = np.clip(np.digitize(velocity, edges) - 1, 0, _MEDIAN_BINS - 1)
    groups = [np.flatnonzero(inside == number) for number in range(_MEDIAN_BINS)]
    kept = [number for number, group in enumerate(groups) if len(group) >= _FEWEST]
    return 0.5 * (edges[1:] + edges[:-1])[kept], [groups[number] for number in kept]


def _write(figure: SubFigure, fit: FrictionFit) -> None:
    """Write the parameters with their deviations, and the doubts."""
    axes = figure.subplots()
    axes.axis('off')
    rows = [(key.replace('_', ' '), f'{fit.parameters[key]:.4g}', _deviation(fit, key),
             fit.law.units[key]) for key in fit.law.parameters]
    table = axes.table(rows, loc='upper left', edges='open', cellLoc='left',
                       colWidths=(0.46, 0.2, 0.2, 0.16))
    table.auto_set_font_size(False)
    table.set_fontsize(9)
    table.scale(1.0, 1.4)
    for k, doubt in enumerate(fit.doubts):
        axes.text(0.0, 0.55 - 0.12 * k, f'! {doubt.text}', wrap=True, fontsize=8, color=_FIT,
                  va='top', transform=axes.transAxes)


def _deviation(fit: FrictionFit, key: str) -> str:
    return f'± {deviation_text(fit, key)}' if key in fit.deviations else deviation_text(fit, key)
