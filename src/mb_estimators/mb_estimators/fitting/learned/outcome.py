"""What becomes of a learned residual: tables, a picture of its curves, and sentences."""

import matplotlib
from matplotlib.figure import Figure
import numpy as np
from rich.table import Table

from mb_estimators.fitting.learned.curve import POSITION, Curve
from mb_estimators.fitting.learned.evidence import coordinate_motion
from mb_estimators.fitting.learned.learned_residual import LearnedResidual
from mb_estimators.fitting.page import STYLE, html_table, picture
from mb_model.command_api import table

JUDGED = ('held out', 'learned by', 'residual', 'with it', 'in 95 %', 'with it')
_WIDTH, _ROW = 7.2, 2.0         # of a panel [inch]
_MOST = 1500                    # points
_LEFT, _CURVE = '#9aa7b5', '#d1622b'


def judged_rows(residual: LearnedResidual) -> list[tuple[str, ...]]:
    """Return the rows of JUDGED: of each coordinate, without and with its curves."""
    without, after = residual.without.held_out, residual.fit.held_out if residual.fit else None
    if without is None or after is None:
        return []
    return [(name, ' and '.join(f'{curve.kind} ({len(curve.heights)})' for curve in residual.curves
                                if curve.coordinate == name) or '-',
             f'{without.residual[k]:.3g}', f'{after.residual[k]:.3g}',
             f'{100.0 * without.coverage[k]:.3g} %', f'{100.0 * after.coverage[k]:.3g} %')
            for k, name in enumerate(without.names)]


def residual_table(residual: LearnedResidual) -> Table:
    """Return the table of a LearnedResidual for a terminal."""
    return table(JUDGED, [judged_rows(residual)], 'learned residual, on held-out data', (
        'learned by: what the curve is over, and how many bells it has',), words=(0, 1))


def residual_section(residual: LearnedResidual) -> tuple[str, str]:
    """Return the (heading, HTML) of a LearnedResidual: its notes, judgement and curves."""
    notes = ''.join(f'<p>{note}</p>' for note in residual.notes)
    if not residual.fit:
        return 'Learned residual', notes
    return 'Learned residual', (f'{notes}{picture(curve_figure(residual))}'
                                f'{html_table(JUDGED, judged_rows(residual))}')


def curve_figure(residual: LearnedResidual) -> Figure:
    """Return each curve of force over position or rate, beside what is left without it."""
    fit, mechanism = residual.without, residual.without.mechanism
    motion = coordinate_motion(fit)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH, _ROW * len(residual.curves)), layout='constrained')
        panels = figure.subplots(len(residual.curves), 1, squeeze=False)[:, 0]
        for panel, curve in zip(panels, residual.curves, strict=True):
            row = fit.quality.names.index(curve.coordinate)
            some = slice(None, None, 1 + len(fit.quality.t) // _MOST)
            u = motion[0 if curve.kind == POSITION else 1][some, row]
            panel.plot(u, -fit.quality.left[some, row], '.', color=_LEFT, ms=2.0,
                       label='force left without it')
            even = np.linspace(min(u.min(), curve.centres[0]), max(u.max(), curve.centres[-1]), 400)
            panel.plot(even, curve.at(even), color=_CURVE, lw=1.4, label='learned')
            turns = mechanism.unit(curve.coordinate) == 'rad'
            panel.set_xlabel(f'{curve.kind} of {curve.coordinate} [{_unit(turns, curve)}]')
            panel.set_ylabel('force [N m]' if turns else 'force [N]')
            panel.spines[['top', 'right']].set_visible(False)
        figure.legend(*panels[0].get_legend_handles_labels(), ncols=2, frameon=False,
                      loc='outside upper right')
    return figure


def _unit(turns: bool, curve: Curve) -> str:
    return ('rad' if turns else 'm') + ('' if curve.kind == POSITION else '/s')
