"""A report that no file of the package has: how warm motors became, beside a model of them."""

from typing import Any

import numpy as np

from mb_evaluation.panels.panel import TRUE, Curve, Panel, level
from mb_evaluation.reports.report import (
    Bound,
    Drawn,
    Figures,
    Picture,
    ReportKind,
    Section,
    Table,
    Tile,
    beyond,
    number_text,
)


def temperature_figures(run: dict[str, tuple[np.ndarray, np.ndarray]], most: float) -> Figures:
    """Return the figures of measured and estimated temperatures (k, at 1 Hz) [K] of motors."""
    return {'kind': 'temperature', 'machine': 'lathe', 'most': most, 'duration': 10.0, 'motors': {
        name: {'rmse': float(np.sqrt(np.mean((found - true) ** 2))), 'highest': float(true.max())}
        for name, (true, found) in run.items()}}


def _drawn(run: Any, figures: Figures) -> Drawn:
    panels = [Panel(name, 'K', (Curve(x=np.arange(len(true)), y=true, **TRUE),
                                Curve('estimate', np.arange(len(true)), found, 'observer')),
                    (level(figures['most'], 'model'),)) for name, (true, found) in run.items()]
    return Drawn([Section('Temperatures', panels)], Picture(panels))


REPORT = ReportKind(
    'temperature', title=lambda figures: f'{figures["machine"]}: temperatures',
    tables=lambda figures: [Table(('', 'RMSE', 'highest'), [[
        (f'{name} [K]', number_text(one['rmse'], '.3g'), number_text(one['highest'], '.3g'))
        for name, one in figures['motors'].items()]])],
    passed=lambda figures: f'no motor above {figures["most"]:g} K',
    objections=lambda figures: beyond(
        Bound(name, one['highest'], figures['most'], 'K')
        for name, one in figures['motors'].items()),
    tiles=lambda figures: [Tile(name, f'{one["highest"]:.0f} K') for name, one
                           in figures['motors'].items()],
    draw=_drawn, made_with=('machine',))
