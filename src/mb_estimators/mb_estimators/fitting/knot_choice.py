"""The spacing of knots through encoders with which forces that a fit has not seen are foreseen."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from mb_estimators.filter import NotConvergedError
from mb_estimators.fitting.equations import FitRecording
from mb_estimators.fitting.fit import Fit
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_model.arrays import FloatArray

SPACINGS = 0.0125, 0.02, 0.032, 0.05, 0.08, 0.125       # s, tried from the default on
_HELD_OUT = 1.0 / 3.0


def foreseeing_spacing(read: Callable[[float], Sequence[FitRecording]],
                       fitted: Callable[[Sequence[FitRecording], FitSettings], Fit],
                       settings: FitSettings) -> tuple[float, dict[float, FloatArray]]:
    """Return the knot spacing [s] that foresees forces best, and what each that was tried leaves.

    read: recordings with a spacing; fitted: the Fit of recordings with settings.  Chosen is without
    `held_out` of the settings, which judges the fit later.  What is left (g) is the median residual
    of the last third of the rest, by a fit to what is before, on each drive or degree of freedom;
    the product of all is least.  Medians, as machines fall and hit stops: short spacings leave
    noise of accelerations, long ones what the spline does not follow.  Raises FitError where no
    spacing gives a fit.
    """
    judged = replace(settings, held_out=_HELD_OUT)
    left: dict[float, FloatArray] = {}
    scores: dict[float, float] = {}

    def score(spacing: float) -> float:
        if spacing not in scores:
            try:
                held = fitted([one.first(1.0 - settings.held_out) for one in read(spacing)],
                              replace(judged, knot_spacing=spacing)).held_out
                assert held is not None
                left[spacing] = np.median(np.abs(held.left), axis=0)
                scores[spacing] = float(np.sum(np.log(left[spacing] + 1e-300)))
            except (ValueError, NotConvergedError):     # too few readings between knots
                scores[spacing] = np.inf
        return scores[spacing]

    at = SPACINGS.index(FitSettings().knot_spacing)
    for step in (1, -1):
        while 0 <= at + step < len(SPACINGS) and (
                score(SPACINGS[at + step]) < score(SPACINGS[at])):
            at += step
    if not left:
        raise FitError(f'--fit knot_spacing=0: no fit with knots every {SPACINGS[at]:g} s or next '
                       'to it; give a spacing, which says why')
    return SPACINGS[at], left
