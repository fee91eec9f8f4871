"""A learned residual: forces of position and rate beyond the rigid model, judged before kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mb_estimators.fitting.equations import FitRecording
from mb_estimators.fitting.fit import Fit, fit
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.learned.choice import learned_curves
from mb_estimators.fitting.learned.curve import KINDS, Curve, force_entries
from mb_estimators.fitting.learned.evidence import coordinate_motion, evidence_of
from mb_estimators.fitting.quality import Quality
from mb_model import Mechanism

_COVERED = 0.9, 0.98    # of the held-out residuals, by their 95 % intervals
_SEEN = 0.01            # share of the held-out motion outside that is said


@dataclass(frozen=True)
class LearnedResidual:
    """Curves of force that a fit is judged with and without, on data that neither has seen.

    curves; entries: section `forces` of the mechanism file with them; fit: with them, None without
    any; without: them; outside: for each curve the share of the held-out motion outside of what it
    was learned from, where it falls to zero.
    """

    curves: tuple[Curve, ...]
    entries: Mapping[str, Any]
    fit: Fit | None
    without: Fit
    outside: tuple[float, ...]

    @property
    def error(self) -> float:
        """The held-out error with the curves against the one without, 1 where there are none.

        Root of the mean square of the ratio of the drives' residuals.
        """
        return float(np.sqrt(np.mean(
            (self._held_out(self.fit).residual / self._held_out(self.without).residual) ** 2))
        ) if self.fit else 1.0

    @property
    def coverage(self) -> float:
        """Share of the held-out residuals with the curves in their 95 % intervals."""
        return float(np.mean(self._held_out(self.fit or self.without).coverage))

    @property
    def is_kept(self) -> bool:
        """Whether the held-out error falls, and 90 to 98 % of the residuals are as expected."""
        return self.error < 1.0 and _COVERED[0] <= self.coverage <= _COVERED[1]

    @property
    def best(self) -> Fit:
        """The fit with the curves if they are kept, else the one without."""
        return self.fit if self.fit and self.is_kept else self.without

    @property
    def overrides(self) -> dict[str, Any]:
        """Overrides of the mechanism file: the forces, if they are kept."""
        return {'forces': dict(self.entries)} if self.is_kept else {}

    @property
    def notes(self) -> Iterator[str]:
        """Sentences for the reader."""
        if not self.fit:
            yield ('residual: none, positions and rates of the coordinates do not foresee what the '
                   'model leaves of the forces')
            return
        low, high = (f'{100.0 * share:g}' for share in _COVERED)
        yield (f'residual: {"kept" if self.is_kept else "not kept"}, the held-out error is '
               f'{100.0 * self.error:.3g} % of the error without it, and '
               f'{100.0 * self.coverage:.3g} % of the held-out residuals are in their 95 % '
               f'intervals ({low} to {high} % are expected)')
        for curve, share in zip(self.curves, self.outside, strict=True):
            if share > _SEEN:
                yield (f'residual of {curve.coordinate} by its {curve.kind}: '
                       f'{100.0 * share:.3g} % of the held-out motion is outside of '
                       f'{curve.centres[0]:.4g} to {curve.centres[-1]:.4g}, where it was learned; '
                       'it falls to zero there')

    @staticmethod
    def _held_out(fit: Fit) -> Quality:
        assert fit.held_out is not None
        return fit.held_out


def learn_residual(mechanism: Mechanism, free: Sequence[str], recordings: Sequence[FitRecording],
                   drives: Sequence[str] = (), settings: FitSettings | None = None,
                   priors: Mapping[str, float] | None = None) -> LearnedResidual:
    """Return the LearnedResidual of a fit of numbers of a mechanism to recordings; see `fit`.

    Curves are learned from the first part of each recording, with all that is chosen of them; the
    rest of it, `held_out` of the settings, judges them once.  What is judged is what is written:
    forces of kind `characteristic`, which every model of the mechanism has.  Raises FitError,
    MechanismError (ValueError), NotConvergedError.
    """
    settings = settings or FitSettings()
    if settings.held_out == 0.0:
        raise FitError('a residual is judged on held-out data, but held_out is 0')
    without = fit(mechanism, free, recordings, drives, settings, priors)
    first = [one.first(1.0 - settings.held_out) for one in recordings]
    curves = learned_curves(evidence_of(fit(
        mechanism, free, first, drives, replace(settings, held_out=0.0), priors)))
    entries = force_entries(curves, mechanism.raw.get('forces') or {})
    if not curves:
        return LearnedResidual(curves, entries, None, without, ())
    after = fit(mechanism.replace(forces=entries), free, recordings, drives, settings, priors)
    return LearnedResidual(curves, entries, after, without, tuple(_outside(
        after, curves, 1.0 - settings.held_out)))


def _outside(fit: Fit, curves: Sequence[Curve], share: float) -> Iterator[float]:
    """Yield for each curve the share of the motion, beyond one of the time, outside of it."""
    quality, motion = fit.quality, dict(zip(KINDS, coordinate_motion(fit), strict=True))
    last = np.array([quality.t[quality.recording == number].max()
                     for number in range(int(quality.recording.max()) + 1)])
    ends = quality.t > share * last[quality.recording]
    for curve in curves:
        u = motion[curve.kind][ends, quality.names.index(curve.coordinate)]
        yield float(np.mean(curve.outside(u)))
