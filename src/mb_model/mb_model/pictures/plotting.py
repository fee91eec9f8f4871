"""A run as a figure: coordinates, velocities, accelerations, energy."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.figure import Figure
import numpy as np

from mb_model.files.whole import whole_file
from mb_model.pictures.parts.colours import COLOURS, INK

if TYPE_CHECKING:
    from mb_model.simulation.run import Run

_STYLE: Any = {
    'font.size': 9.0, 'axes.titlesize': 9.0, 'axes.labelsize': 9.0, 'legend.fontsize': 8.0,
    'xtick.labelsize': 8.0, 'ytick.labelsize': 8.0, 'axes.linewidth': 0.7,
    'lines.linewidth': 1.3, 'pdf.fonttype': 42, 'svg.fonttype': 'none'}
_LEVELS = (('', 'q', ''), ('velocity', 'qd', '/s'), ('acceleration', 'qdd', '/s²'))
_WIDTH, _ROW = 7.2, 1.55        # of a page and of a row of panels [inch]
_MANY = 6                       # lines that one legend names


def plot(run: 'Run', file: str | Path | None = None,
         coordinates: Sequence[str] | None = None) -> Figure:
    """Return the matplotlib Figure of a Run, and write it if a file (.png, .pdf, .svg) is given.

    coordinates: names, default Run.main_coordinates.  Raises ValueError, OSError.
    """
    names = tuple(coordinates or run.main_coordinates)
    known = run.mechanism.coordinates
    for name in names:
        if name not in known:
            raise ValueError(f'{name}: unknown coordinate, expected one of {", ".join(known)}')
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(run.mechanism.unit(name), []).append(name)
    with matplotlib.rc_context(_STYLE):
        panels = [(3, lambda part: _draw_motion(part, run, groups)),
                  (2, lambda part: _draw_energy(part, run))]
        if run.has_oil:
            panels.insert(1, (3, lambda part: _draw_oil(part, run)))
        rows = [count for count, _ in panels]
        figure = Figure(figsize=(_WIDTH, sum(rows) * _ROW), layout='constrained')
        figure.suptitle(title(run), fontsize=10.0, x=0.01, ha='left')
        parts: Any = figure.subfigures(len(rows), 1, height_ratios=rows)
        for part, (_, draw) in zip(parts, panels, strict=True):
            draw(part)
        if file is not None:
            with whole_file(file) as part:
                figure.savefig(part, dpi=200)
    return figure


def title(run: 'Run') -> str:
    """Return what was simulated and how in one line."""
    how = ', '.join(part for part in (run.formulation, run.integrator) if part)
    step = f'step {_step(run.dt)}' if run.dt else ''
    return ' · '.join(part for part in (run.mechanism.name, how, step) if part)


def _step(dt: float) -> str:
    """Return a step [s] with a handy unit."""
    return f'{1e3 * dt:g} ms' if dt >= 1e-4 else f'{1e6 * dt:g} µs'


def _draw_motion(figure: Any, run: 'Run', groups: Mapping[str, Sequence[str]]) -> None:
    """One column for each unit, one row for each level of derivatives."""
    panels = figure.subplots(len(_LEVELS), len(groups), sharex=True, squeeze=False)
    for column, (unit, names) in zip(panels.T, groups.items(), strict=True):
        for axes, (level, array, per_time) in zip(column, _LEVELS, strict=True):
            for k, name in enumerate(names):
                axes.plot(run.t, run.values(name, array), label=name,
                          color=COLOURS[k % len(COLOURS)])
            what = level or (names[0] if len(names) == 1 else 'position')
            axes.set_ylabel(f'{what} [{unit}{per_time}]')
            _clean(axes)
        if len(names) > 1:
            _legend(column[0], names)
        column[-1].set_xlabel('time [s]')
    figure.align_ylabels(panels)


def _draw_oil(figure: Any, run: Any) -> None:
    """Spools, pressures, of supplies too where they vary, forces of cylinders on the bodies."""
    circuit, pressures = run.mechanism.circuit, run.p
    volumes = circuit.volumes
    if run.supply_p is not None:
        volumes, pressures = (*volumes, *circuit.supplies), np.hstack([pressures, run.supply_p])
    panels = figure.subplots(3, 1, sharex=True)
    for axes, what, names, values in zip(
            panels, ('spool', 'pressure [MPa]', 'cylinder force [kN]'),
            (circuit.valves, volumes, circuit.cylinders),
            (run.U, 1e-6 * pressures, 1e-3 * (run.cylinder_force + run.stop_force)), strict=True):
        for k, name in enumerate(names):
            axes.plot(run.t, values[:, k], label=name, color=COLOURS[k % len(COLOURS)])
        axes.set_ylabel(what)
        _clean(axes)
        if len(names) > 1:
            _legend(axes, names)
    figure.align_ylabels(panels)


def _draw_energy(figure: Any, run: 'Run') -> None:
    """What the energy is, and how far it drifts."""
    balance = run.energy()
    upper, lower = figure.subplots(2, 1, sharex=True)
    lines = [('kinetic', balance.kinetic, COLOURS[0]), ('potential', balance.potential, COLOURS[1])]
    if balance.input_work.any():
        lines.append(('work of inputs', balance.input_work, COLOURS[2]))
    if balance.dissipated.any():
        lines.append(('dissipated', balance.dissipated, COLOURS[3]))
    if run.has_oil:
        lines.append(('oil', balance.oil, COLOURS[4]))
    for name, values, colour in (*lines, ('total', balance.total, INK)):
        upper.plot(run.t, values, color=colour, label=name)
    upper.set_ylabel('energy [J]')
    _legend(upper, lines)
    lower.plot(run.t, balance.drift, color=INK, linewidth=1.0)
    lower.set_ylabel('energy drift [J]')
    lower.set_xlabel('time [s]')
    lower.ticklabel_format(axis='y', style='sci', scilimits=(-3, 4), useMathText=True)
    for axes in (upper, lower):
        _clean(axes)
    figure.align_ylabels([upper, lower])


def _clean(axes: Any) -> None:
    axes.spines[['top', 'right']].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.5)
    axes.margins(x=0.0)


def _legend(axes: Any, lines: Sequence[Any]) -> None:
    """Put a legend above the axes, where it hides no data."""
    if len(lines) <= _MANY:
        axes.legend(loc='lower left', bbox_to_anchor=(0.0, 0.98), ncols=len(lines) + 1,
                    frameon=False, borderaxespad=0.1, handlelength=1.4, columnspacing=1.4)
