"""branch_filter: finds out on which branch a mechanism is assembled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.filters.bank import FilterBank, hypotheses
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_model import Mechanism, MechanismError, Settings, branches_in_space, setting
from mb_model.arrays import FloatArray

_SAME = 1e-3             # of the size of positions
_EQUAL = 1e-6            # of the largest difference between branches


@dataclass(frozen=True)
class BranchSettings(Settings):
    """How branches are looked for."""

    tries: int = setting(
        200, at_least=1, at_most=100_000,
        help='Random positions from which branches are looked for, where the mechanism starts')
    most: int = setting(
        8, at_least=1, at_most=64,
        help='Branches that are followed, the most: the nearest to the one of the file')


@dataclass(frozen=True)
class BranchFilterSettings(BranchSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Rao-Blackwellised filter of the branches of a mechanism, all of them at once."""


class BranchFilter(FilterBank):
    """An error_ekf_ej for each branch, weighed by its innovations (Doucet et al. 2000).

    The particles of this Rao-Blackwellised filter are the branches: there are so few that none is
    left out, and nothing is sampled.  The estimate is near the likeliest; `branches` are where the
    mechanism starts on each, `probabilities` how likely each is.  A branch on which the model
    cannot go on is refuted.
    """

    Settings = BranchFilterSettings
    _refutable = True

    def _hypotheses(self):
        self.branches = branches(self.mechanism, self.settings.tries, self.settings.most)
        return hypotheses(len(self.branches), self), branch_names(self.mechanism, self.branches)

    def _start_all(self, z, zd: FloatArray, covariance: FloatArray):
        super()._start_all(z, zd, covariance)
        for one, near in zip(self._bank, self.branches, strict=True):
            one.start_near(near)


def branches(mechanism: Mechanism, tries: int, most: int) -> list[FloatArray]:
    """Return positions (n) at the start of a Mechanism on different branches, the file's first.

    They are what Newton's iteration finds from `tries` random positions; no more than `most`, the
    nearest.  Positions in which an angle points in the opposite direction, or with a distance
    below 0, are none.  In space see branches_in_space.  Raises MechanismError where it does.
    """
    if mechanism.dimension == 3:
        return branches_in_space(mechanism, tries)[:most]
    first, random, positions = mechanism.q0, np.random.default_rng(0), [mechanism.q0]
    angles, distances = (_indices(mechanism, kind) for kind in ('angle', 'distance'))
    scale = mechanism.model['scale'][0, :mechanism.n]
    pointing = mechanism.constraint_terms(first).phi_q[:, angles]
    for _ in range(tries):
        try:
            q = mechanism.assemble(mechanism.z0, first + scale * random.normal(size=mechanism.n))
        except MechanismError:
            continue
        turned = mechanism.constraint_terms(q).phi_q[:, angles] - pointing
        if (np.abs(turned).max(initial=0.0) < _SAME * scale.max() and (q[distances] > 0.0).all()
                and all((np.abs(q - other) > _SAME * scale).any() for other in positions)):
            positions.append(q)
    return sorted(positions, key=lambda q: float(np.abs((q - first) / scale).max()))[:most]


def branch_names(mechanism: Mechanism, positions: Sequence[FloatArray]) -> list[str]:
    """Return the coordinates (n) by which branches differ at the start, as text for each."""
    spread = np.ptp(positions, axis=0)
    chosen = np.flatnonzero(spread > _EQUAL * spread.max())
    return [', '.join(f'{mechanism.coordinates[c]} {q[c]:.4g}' for c in chosen) or 'the file'
            for q in positions]


def _indices(mechanism: Mechanism, kind):
    """Return the indices in q of the coordinates of a kind."""
    described = mechanism.described.coordinates
    return [k for k, name in enumerate(mechanism.coordinates)
            if name in described and described[name].kind == kind]
