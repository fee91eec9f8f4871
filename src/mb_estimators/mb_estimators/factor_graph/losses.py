"""Robust losses: readings that are far off count less than their square."""

from dataclasses import dataclass

import gtsam

from mb_model import Settings, setting

_LOSSES = {'huber': (gtsam.noiseModel.mEstimator.Huber, 1.345),
           'cauchy': (gtsam.noiseModel.mEstimator.Cauchy, 2.3849),
           'tukey': (gtsam.noiseModel.mEstimator.Tukey, 4.6851),
           'welsch': (gtsam.noiseModel.mEstimator.Welsch, 2.9846),
           'geman_mcclure': (gtsam.noiseModel.mEstimator.GemanMcClure, 2.0)}
SQUARE = 'square'


@dataclass(frozen=True)
class LossSettings(Settings):
    """Weights of readings that are far from the solution of the graph."""

    loss: str = setting(
        SQUARE, choices=(SQUARE, *_LOSSES),
        help='Of readings: by their square, or robust: outliers count less')
    loss_scale: float = setting(
        0.0, at_least=0.0,
        help='Standard deviations from which on a robust loss counts less; 0: the usual value, '
             'with 95 % of the efficiency of the square on readings without outliers')


def with_loss(noise, settings):
    """Return a noise model under the loss of LossSettings."""
    if settings.loss == SQUARE:
        return noise
    kind, usual = _LOSSES[settings.loss]
    return gtsam.noiseModel.Robust.Create(kind.Create(settings.loss_scale or usual), noise)
