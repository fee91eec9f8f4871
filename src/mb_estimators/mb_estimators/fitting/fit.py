"""A machine's numbers from recordings: the most likely ones of a machine that can be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.fitting.equations import FitRecording, Recordings
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.fitted_number import FittedNumber
from mb_estimators.fitting.free_numbers import free_numbers
from mb_estimators.fitting.known_sums import KnownSum
from mb_estimators.fitting.problem import Problem, Solution
from mb_estimators.fitting.quality import Quality
from mb_estimators.fitting.transition_scan import scanned
from mb_estimators.fitting.unknowns import Unknowns
from mb_model import Mechanism


@dataclass(frozen=True)
class Fit:
    """Fitted numbers of a possible machine.

    numbers; sums: KnownSums, what the recordings determine; closer: sums of two of these that are
    far better known; overrides: of the mechanism file; mechanism: with them; quality: of the fit of
    all, held_out: of the end of each recording by a fit of the rest, None where nothing is held
    out; notes: sentences for the reader; problem and solution: what it was fitted by.
    """

    numbers: tuple[FittedNumber, ...]
    sums: tuple[KnownSum, ...]
    closer: tuple[KnownSum, ...]
    overrides: dict[str, Any]
    mechanism: Mechanism
    quality: Quality
    held_out: Quality | None
    notes: tuple[str, ...]
    problem: Problem
    solution: Solution

    @property
    def values(self) -> dict[str, float]:
        """The fitted numbers, by path."""
        return {number.path: number.value for number in self.numbers}

    def unknown_values(self, mechanism: Mechanism | None = None) -> dict[str, float]:
        """Return what the sums are of, by name, here or in another machine of the same file."""
        unknowns = self.problem.unknowns
        x = self.solution.x if mechanism is None else unknowns.of(mechanism).start
        return dict(zip(unknowns.names, x.tolist(), strict=True))


def fit(mechanism: Mechanism, free: Sequence[str], recordings: Sequence[FitRecording],
        drives: Sequence[str] = (), settings: FitSettings | None = None,
        priors: Mapping[str, float] | None = None) -> Fit:
    """Return the Fit of numbers of a mechanism to recordings without contacts.

    free: groups (free_numbers.GROUPS), paths or names, with wildcards; drives: names of the
    coordinates that recorded forces act on, default the mechanism's; priors: path -> deviation
    before, as a share of its value, in place of the settings'.

    Most likely after the recordings: least squares of J_d^T forces = inverse dynamics, weighed by
    the errors of forces and, through the model, of the motion, beside what the file says.  Bodies
    enter by mass, first moment and inertia about the origin, in which forces are linear (Atkeson,
    An and Hollerbach 1986), and stay possible (pseudo-inertia positive definite).  What is not
    linear is fitted by repetition (Gauss-Newton).  Raises FitError, MechanismError (ValueError),
    NotConvergedError.
    """
    settings, drives = settings or FitSettings(), list(drives or mechanism.drives)
    if not drives:
        raise FitError(f'{mechanism.file}: drives: missing; the numbers follow from their forces')
    oil = mechanism.circuit if all(one.samples.oil is not None for one in recordings) else None
    chosen = free_numbers(mechanism, free, drives, oil.cylinders if oil is not None else (),
                          [one.samples.encoder_names for one in recordings])
    unknowns = Unknowns(mechanism, chosen, drives, settings)
    equations = Recordings(unknowns, recordings, drives, settings)
    begin = scanned(unknowns, equations)
    if begin.open:
        chosen = chosen.without(begin.open)
        unknowns = Unknowns(mechanism, chosen, drives, settings)
        equations = Recordings(unknowns, recordings, drives, settings)
    problem = Problem(unknowns, equations, settings, priors or {}, np.array(
        [begin.values[name] for name in unknowns.names]))
    solution = problem.solve()
    overrides, notes = unknowns.overrides(solution.x), (*chosen.notes, *problem.notes(solution))
    return Fit(problem.numbers(solution), solution.known.sums, solution.known.closer, overrides,
               unknowns.mechanism.replace(**overrides),
               problem.quality(solution), problem.held_out(solution),
               notes, problem, solution)
